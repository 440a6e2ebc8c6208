"""Reads the clauses of a sentence: whose they are, what is reported or commanded, which dates."""

import bisect
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from facts.extraction import filters
from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.clauses import Clause, read_clauses
from facts.extraction.grammar.leads import skip_leads
from facts.extraction.grammar.lexicon import BE, MODALS
from facts.extraction.grammar.referent import Subject
from facts.extraction.grammar.subjects import read_subjects
from facts.extraction.grammar.verbs import VerbGroup, read_verb_group
from facts.extraction.memory import Mentions
from facts.extraction.reading import read
from facts.extraction.statements import fragments
from facts.extraction.statements.draft import Draft
from facts.extraction.statements.frame import Frame
from facts.extraction.text import Token
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

# Clauses that only elaborate another one.
_SKIPPED_LINKS = words(
    """if unless whether lest since when whenever until till before after how what why where that
    than as once which wherever"""
)
_SAYING = words(
    """say think claim believe suggest insist guess reckon wonder joke argue tell mention ask hope
    wish promise recommend advise"""
)
_SAYING_OF_ONESELF = words("say tell wonder wish hope ask")
_TOLD_TO = words("me us to that yesterday today")
# What somebody says of himself with the "I" left out ("relocating to Perm", "love opera").
_CLIPPED_ING = words("move relocate start learn study live work switch go fly travel leave train")
_CLIPPED_BASE = words("love hate like prefer be have live work dislike")


def _is_bare_ing(clause: Clause) -> bool:
    """Whether the clause is an -ing form without a subject."""
    return clause.verb is not None and clause.verb.form == "ing" and not clause.subjects


class ClauseReader:
    """Reads the clauses of one sentence; `mentions` is what its memory has named so far."""

    def __init__(
        self,
        mentions: Mentions,
        tokens: Sequence[Token],
        dates: Sequence[DatePhrase],
        me: Subject,
        today: date,
    ) -> None:
        self.mentions, self.tokens, self.dates = mentions, tokens, dates
        self.me, self.today = me, today
        starts = [token.start for token in tokens]
        self.date_ends: dict[int, int] = {}
        for phrase in dates:
            begin = bisect.bisect_left(starts, phrase.start)
            self.date_ends[begin] = max(bisect.bisect_left(starts, phrase.end), begin + 1)

    def read(self) -> list[Draft]:
        tokens = self.tokens
        first = skip_leads(tokens, 0, self.date_ends)
        commanded = filters.is_command(tokens, first)
        clauses = read_clauses(tokens, self.me.name, self.date_ends)
        out: list[Draft] = []
        last: list[Draft] = []
        for number, clause in enumerate(clauses):
            if clause.link in {"if", "unless"} and number:
                out = out[: len(out) - len(last)]
            if clause.verb is None:
                last = self._fragment(clauses, number, clause)
                out += last
                continue
            if commanded and not clause.subjects:
                continue
            if self._is_reported(clause):
                self.mentions.add(clause.subjects)
                told = self._told(clause)
                out += told
                break
            following = clauses[number + 1] if number + 1 < len(clauses) else None
            if _is_bare_ing(clause) and following and following.subjects and not following.link:
                # "Living in the city, I miss nature": an adverbial, not a statement of its own.
                continue
            last = self._clause(clauses, number, clause)
            out += last
        return out

    def _fragment(self, clauses: Sequence[Clause], number: int, clause: Clause) -> list[Draft]:
        """A clause without a verb: "allergic to wool", "no fan of opera", "budget 40"."""
        if clause.begin >= clause.end or self.mentions.is_about_others:
            return []
        frame = self._bare_frame(clauses, number)
        fragments.read_fragment(frame)
        return frame.drafts

    def _bare_frame(self, clauses: Sequence[Clause], number: int) -> Frame:
        """The frame of a clause without a verb: as if "am" stood there."""
        clause = clauses[number]
        first = self.tokens[min(clause.begin, len(self.tokens) - 1)]
        verb = VerbGroup(
            "be", "base", "present", False, False, False, "", False, False, clause.begin,
            clause.begin, first.start, first.start,
        )  # fmt: skip
        return Frame(
            self.tokens, replace(clause, verb=verb, rest=clause.begin), verb, (self.me,),
            self._dates(clauses, number), self.today, self.me,
        )  # fmt: skip

    def frame_at(self, place: int) -> Frame | None:
        """The frame of the clause that `place`, an offset into the text, lies in."""
        clauses = read_clauses(self.tokens, self.me.name, self.date_ends)
        for number, clause in enumerate(clauses):
            last = self.tokens[clause.end - 1].end if clause.end else 0
            if place < last or number == len(clauses) - 1:
                if clause.verb is None:
                    return self._bare_frame(clauses, number)
                return Frame(
                    self.tokens, clause, clause.verb, clause.subjects or (self.me,),
                    self._dates(clauses, number), self.today, self.me,
                )  # fmt: skip
        return None

    def _is_reported(self, clause: Clause) -> bool:
        verb = clause.verb
        if verb is None or verb.base not in _SAYING or verb.passive or not clause.subjects:
            return False
        subject = clause.subjects[0]
        return subject.kind != "self" or verb.base in _SAYING_OF_ONESELF

    def _told(self, clause: Clause) -> list[Draft]:
        """Reads "Mona told us she lives in Y": what people tell of themselves is endorsed."""
        verb = clause.verb
        if verb is None or verb.base not in {"tell", "mention"} or verb.negated:
            return []
        subject = clause.subjects[0]
        if subject.kind not in {"name", "relation"}:
            return []
        at = clause.rest
        while at < len(self.tokens) and self.tokens[at].low in _TOLD_TO:
            at += 1
        found = read_subjects(self.tokens, at, self.me.name)
        if found is None or found.subjects[0].kind != "pronoun":
            return []
        inner = read_verb_group(self.tokens, found.after, found.subjects[0])
        if inner is None:
            return []
        who = found.subjects[0]
        agrees = subject.gender in {"", who.gender} or who.noun == "they"
        if not agrees:
            return []
        sub = Clause("", (subject,), inner, at, inner.after, clause.end)
        return self._clause([sub], 0, sub)

    def _clause(self, clauses: Sequence[Clause], number: int, clause: Clause) -> list[Draft]:
        verb = clause.verb
        if verb is None or clause.link in _SKIPPED_LINKS:
            self.mentions.add(clause.subjects)
            return []
        subjects = self._subjects(clause)
        if not subjects:
            return []
        frame = Frame(
            self.tokens, clause, verb, subjects, self._dates(clauses, number), self.today, self.me
        )
        read(frame)
        self.mentions.add([s for s in subjects if s.kind != "self"])
        return frame.drafts

    def _subjects(self, clause: Clause) -> tuple[Subject, ...]:
        verb = clause.verb
        if verb is None:
            return ()
        if not clause.subjects:
            if clause.link in {"who", "whose", "which", "that"}:
                return self._antecedent(clause) if clause.link == "who" else ()
            if verb.form == "base" and verb.time == "present" and verb.base not in _CLIPPED_BASE:
                return ()
            if self.tokens[verb.begin].low in {"being", "been"}:
                return ()
            if verb.form == "ing" and (verb.base not in _CLIPPED_ING or self._is_gerund(clause)):
                return ()
            return () if self.mentions.is_about_others and verb.form != "ing" else (self.me,)
        out: list[Subject] = []
        for subject in clause.subjects:
            if subject.kind == "you":
                return ()
            if subject.kind == "pronoun":
                resolved = self.mentions.resolve(subject)
                if not resolved:
                    return ()
                out += resolved
            elif subject.kind == "self":
                out.append(
                    replace(self.me, start=subject.start, end=subject.end, plural=subject.plural)
                )
            else:
                out.append(subject)
        return tuple(out)

    def _is_gerund(self, clause: Clause) -> bool:
        """Reads "Living in Y costs a lot": the -ing form is the subject of another verb."""
        for token in self.tokens[clause.rest : clause.end]:
            if token.low in BE | MODALS:
                return True
            if any(form == "third" for _, form in readings(token.low)):
                return True
        return False

    def _antecedent(self, clause: Clause) -> tuple[Subject, ...]:
        """Who "who" is: a name or relation that ends just before the clause."""
        place = self.tokens[clause.begin].start
        for subject in reversed(self.mentions.people):
            if 0 <= place - subject.end <= 8:
                return (subject,)
        for begin in range(max(0, clause.begin - 6), clause.begin):
            found = read_subjects(self.tokens, begin, self.me.name)
            if (
                found
                and found.after in {clause.begin - 1, clause.begin - 2}
                and found.subjects[0].kind in {"name", "relation"}
            ):
                return found.subjects
        return ()

    def _dates(self, clauses: Sequence[Clause], number: int) -> list[DatePhrase]:
        """The dates of a clause: those inside it, and those that lead in to it."""
        clause = clauses[number]
        begin = self.tokens[clause.begin].start
        end = self.tokens[clause.end - 1].end if clause.end else begin
        lead = (
            0
            if number == 0
            else self.tokens[min(clauses[number - 1].end, len(self.tokens) - 1)].start
        )
        return [p for p in self.dates if lead <= p.start < begin or begin <= p.start < end]
