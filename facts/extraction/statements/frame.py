"""A clause with everything a reading of it needs, and the drafts that readings make of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from facts.extraction.candidate import Move, Tense
from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.clauses import Clause
from facts.extraction.grammar.lexicon import ADVERBS, DETERMINERS, PREPOSITIONS
from facts.extraction.grammar.names import span_text
from facts.extraction.grammar.objects import Span, read_objects
from facts.extraction.grammar.referent import Subject
from facts.extraction.grammar.verbs import VerbGroup
from facts.extraction.statements.draft import Draft
from facts.extraction.text.tokens import Token
from facts.vocabulary import DATED_BY_OBJECT, ONE_TIME

Mode = Literal["state", "event"]


@dataclass(slots=True)
class Frame:
    """One clause of a sentence.

    `dates` are the date phrases that belong to it; `today` is the day they count from; `me` is the
    name behind "I". Readings add to `drafts`.
    """

    tokens: Sequence[Token]
    clause: Clause
    verb: VerbGroup
    subjects: tuple[Subject, ...]
    dates: Sequence[DatePhrase]
    today: date
    me: Subject
    drafts: list[Draft] = field(default_factory=list)

    # ------------------------------------------------------------------ the complement

    def low(self, ahead: int = 0) -> str:
        """The lower-case token `ahead` of the complement's first, "" outside the clause."""
        index = self.clause.rest + ahead
        return self.tokens[index].low if index < self.clause.end else ""

    def has_word(self, *wanted: str) -> bool:
        """Whether one of these words stands in the clause."""
        return any(t.low in wanted for t in self.tokens[self.clause.begin : self.clause.end])

    @property
    def is_over(self) -> bool:
        """Whether the clause says that a state has ended ("no longer", "not … anymore")."""
        return self.verb.over or (
            self.verb.negated
            and (
                self.has_word("anymore")
                or self._phrase("any", "more")
                or self._phrase("any", "longer")
            )
        )

    def _phrase(self, *lows: str) -> bool:
        window = [t.low for t in self.tokens[self.clause.begin : self.clause.end]]
        return any(tuple(window[i : i + len(lows)]) == lows for i in range(len(window)))

    def skip(self, at: int | None = None) -> int:
        """The index after adverbs from `at` (default: the complement's start)."""
        index = self.clause.rest if at is None else at
        while index < self.clause.end and (
            self.tokens[index].low in ADVERBS or self.tokens[index].low in {"back", "over", "away"}
        ):
            index += 1
        return index

    def after(self, *lows: str) -> int | None:
        """The index after the first such preposition of the complement, None without one."""
        for index in range(self.clause.rest, self.clause.end):
            if self.tokens[index].low in lows and not self.in_date(index):
                return index + 1
        return None

    def in_date(self, index: int) -> bool:
        if index >= len(self.tokens):
            return False
        place = self.tokens[index].start
        return any(phrase.start <= place < phrase.end for phrase in self.dates)

    def objects(
        self,
        begin: int | None,
        *,
        end: int | None = None,
        stops: frozenset[str] = frozenset(),
        names: bool = False,
        split: bool = True,
    ) -> list[Span]:
        """The objects from token `begin` on, inside the clause."""
        if begin is None:
            return []
        places = [(phrase.start, phrase.end) for phrase in self.dates]
        return read_objects(
            self.tokens,
            begin,
            end or self.clause.end,
            places,
            stops=stops,
            names=names,
            split=split,
        )

    def words(self, begin: int, end: int) -> str:
        return span_text(self.tokens, begin, end)

    def starts_with_noun(self, at: int) -> bool:
        """Whether an object and no preposition or end of the clause follows."""
        return at < self.clause.end and self.tokens[at].low not in PREPOSITIONS

    def starts_with_name(self, at: int) -> bool:
        """Whether the object at `at` begins with a capital."""
        return at < self.clause.end and self.tokens[at].is_capitalised

    def is_pointed(self, at: int) -> bool:
        """Whether "this" or "that" points to what is being talked about."""
        return at < self.clause.end and self.tokens[at].low in {"this", "that", "these", "those"}

    def is_definite(self, at: int) -> bool:
        return at < self.clause.end and self.tokens[at].low in DETERMINERS

    # ------------------------------------------------------------------ time

    def tense_and_move(self, mode: Mode) -> tuple[Tense, Move] | None:
        """What the verb group makes of a state or an event; None when it leaves it open.

        A "state" in the simple past is over; an "event" in the past holds from then on.
        """
        verb = self.verb
        if verb.doubtful or verb.wish:
            return None
        if self.is_over:
            return "past", "end"
        if verb.negated:
            return "current", "deny"
        if verb.time == "future":
            return "planned", "state"
        if mode == "event":
            if verb.progressive and verb.time == "present":
                return "planned", "state"
            if verb.time == "present" and verb.form != "ing" and self.looks_ahead():
                return "planned", "state"
            return "current", "state"
        if verb.time == "past":
            return "past", "end"
        if verb.progressive and verb.time == "present" and self.looks_ahead():
            return "planned", "state"
        return "current", "state"

    def looks_ahead(self) -> bool:
        """Whether a date of the clause can only lie ahead ("next month", "tomorrow")."""
        for phrase in self.dates:
            if phrase.role in {"duration", "range", "end", "by"}:
                continue
            ahead, back = (
                phrase.day(self.today, forward=True),
                phrase.day(self.today, forward=False),
            )
            if (
                ahead is not None
                and ahead > self.today
                and (back == ahead or phrase.role != "start")
            ):
                explicit = back == ahead
                if explicit or (phrase.moment.which != "last" and self.verb.time == "present"):
                    return True
        return False

    def times(self, tense: Tense, move: Move) -> tuple[date | None, date | None]:
        """The dates that the clause gives for its fact: (valid_from, invalid_at)."""
        start: date | None = None
        end: date | None = None
        forward = tense == "planned"
        ending = move == "end" or tense == "past"
        for phrase in self.dates:
            day = phrase.day(self.today, forward=forward)
            if phrase.role == "range":
                start, end = phrase.span(self.today, forward=forward, ending=ending)
            elif phrase.role == "end":
                end = phrase.day(self.today, forward=not ending)
            elif phrase.role == "duration":
                if not ending and self.verb.time in {"perfect", "present"} and start is None:
                    start = day if tense == "current" else None
            elif phrase.role == "by":
                continue
            elif ending and (phrase.role == "at" or self.is_over or self.verb.base in _ENDINGS):
                end = end or day
            elif start is None:
                start = day
        if start and end and start > end:
            return None, end
        return start, end

    # ------------------------------------------------------------------ drafts

    def state(
        self, predicate: str, spans: Sequence[Span], raw: str = "", *, confidence: float = 0.85
    ) -> bool:
        """Drafts a state ("lives", "likes"); True when something was drafted."""
        return self._draft(predicate, spans, raw, "state", confidence)

    def event(
        self, predicate: str, spans: Sequence[Span], raw: str = "", *, confidence: float = 0.8
    ) -> bool:
        """Drafts what an event made true ("moved to", "joined", "bought")."""
        return self._draft(predicate, spans, raw, "event", confidence)

    def _draft(
        self, predicate: str, spans: Sequence[Span], raw: str, mode: Mode, confidence: float
    ) -> bool:
        if not spans:
            return False
        sense = self.tense_and_move(mode)
        if sense is None:
            return False
        tense, move = sense
        if predicate in ONE_TIME and tense == "past":
            tense, move = "current", "state"
        return self.add(predicate, spans, raw, tense=tense, move=move, confidence=confidence)

    def add(
        self,
        predicate: str,
        spans: Sequence[Span],
        raw: str = "",
        *,
        tense: Tense = "current",
        move: Move = "state",
        replaces: tuple[str, ...] = (),
        confidence: float = 0.8,
        subjects: Sequence[Subject] | None = None,
        dated: bool = True,
    ) -> bool:
        """Drafts exactly this for every subject and object."""
        start: date | None = None
        end: date | None = None
        if dated and predicate not in DATED_BY_OBJECT:
            start, end = self.times(tense, move)
            if predicate in ONE_TIME:
                end = None
        for subject in self.subjects if subjects is None else subjects:
            for span in spans:
                self.drafts.append(
                    Draft(
                        subject, predicate, raw or self.raw(), span.text, tense, move, start, end,
                        replaces, confidence, min(subject.start, self.verb.start, span.start),
                        max(span.end, self.verb.end),
                    )
                )  # fmt: skip
        return bool(spans)

    def raw(self) -> str:
        """The verb phrase as written, with the preposition that follows it."""
        end = self.verb.after
        if end < self.clause.end and self.tokens[end].low in PREPOSITIONS:
            end += 1
        return span_text(self.tokens, self.verb.begin, end) or self.verb.base


_ENDINGS = frozenset({"quit", "leave", "stop", "cancel", "drop", "resign", "retire", "end"})
