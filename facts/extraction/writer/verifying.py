"""From what a model states to what its text bears out: nothing is kept on its word alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from facts.extraction.candidate import Candidate
from facts.extraction.dates import DatePhrase, find_dates
from facts.extraction.drafting import finish
from facts.extraction.statements.draft import Draft
from facts.extraction.writer.answer import Stated
from facts.extraction.writer.dating import AHEAD, day_in_words, is_tense, move_of, tense_of, times
from facts.extraction.writer.passages import Passage
from facts.extraction.writer.subjects import Told, Who, subject_of
from facts.extraction.writer.words import Span, Words
from facts.vocabulary import DATED_BY_OBJECT, TABLE, canonical
from facts.vocabulary.verbs import readings

CONFIDENCE = 0.9
_MOST_QUOTES = 20  # places of one quotation that are looked at
_STEM = 5  # letters by which a form of a word is known
_OF_A_THING = ("favorite_", "prefers_", "has_")


class Unfounded(Exception):
    """The text does not bear a statement out; why, as a label of a metric."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement stands: the part of its quotation that is in `passage`, and the object's
    words in it; `day` in place of these, for a date.
    """

    passage: Passage
    quote: Span
    value: Span
    day: str | None = None


class Verifier:
    """Holds a text: composed, with what states nothing blanked out; and whose it is."""

    def __init__(self, masked: str, passages: Sequence[Passage], who: Who) -> None:
        self._masked = masked
        self._words = Words(masked)
        self._passages = passages
        self._who = who
        self._told = Told(self._words, masked, who)

    def candidate(self, stated: Stated) -> Candidate:
        """The candidate fact of a statement, in the text's own words, dated by our own rules.

        Raises:
            Unfounded: part of it is not in the text, or it is in what states nothing.
        """
        predicate = canonical(stated.predicate)
        if not is_tense(stated.tense):
            raise Unfounded("tense")
        place = self._place(stated, predicate)
        passage = place.passage
        if not self._bears(stated, predicate, passage):
            raise Unfounded("predicate")
        subject = subject_of(stated.subject, passage, place.value, self._told)
        if subject is None:
            raise Unfounded("subject")
        tense = tense_of(stated.tense, predicate, denied=stated.denied)
        move = move_of(tense, denied=stated.denied)
        begins, ends = times(
            self._dates(stated, passage), passage, predicate, tense=tense, move=move
        )
        draft = Draft(
            subject=subject,
            predicate=predicate,
            raw=self._copied(stated.verb, passage) or predicate.replace("_", " "),
            object=place.day or self._masked[slice(*place.value)],
            tense=tense,
            move=move,
            valid_from=begins,
            invalid_at=ends,
            replaces=tuple(text for one in stated.replaces if (text := self._copied(one, passage))),
            confidence=CONFIDENCE,
            start=min(place.quote[0], place.value[0]),
            end=max(place.quote[1], place.value[1]),
        )
        found = finish(
            [draft],
            self._masked,
            user=self._who.user,
            names=self._who.names,
            observed_at=passage.stamp,
        )
        if not found:
            raise Unfounded("bounds")
        return found[0]

    def _place(self, stated: Stated, predicate: str) -> _Place:
        """The first passage of the quotation that has the object.

        Raises:
            Unfounded: "quote" is not in the text, "silent" is in what states nothing, "object" is
                not in the quotation.
        """
        ahead = predicate in AHEAD and stated.tense != "past"
        quotes = list(islice(self._words.find(stated.quote), _MOST_QUOTES))
        if not quotes:
            raise Unfounded("quote")
        quoted = False
        for quote in quotes:
            for passage in self._passages:
                if quote[0] >= passage.span[1] or passage.span[0] >= quote[1]:
                    continue
                quoted = True
                part = max(quote[0], passage.start), min(quote[1], passage.span[1])
                value = self._words.find_value(stated.object, part)
                if predicate in DATED_BY_OBJECT:
                    dated = day_in_words(stated.object, value, part, passage, ahead=ahead)
                    if dated is not None:
                        return _Place(passage, part, *dated)
                if value is not None:
                    return _Place(passage, part, value)
        raise Unfounded("object" if quoted else "silent")

    def _bears(self, stated: Stated, predicate: str, passage: Passage) -> bool:
        """Whether the text can mean the predicate: one of our table can be meant by many words;
        of an open one some word has to be there.
        """
        if predicate in TABLE or predicate.startswith(_OF_A_THING):
            return True
        said = passage.text.casefold()
        for word in predicate.split("_"):
            bases = {base for base, _ in readings(word)} or {word}
            if any(len(base) > 2 and base[:_STEM] in said for base in bases):
                return True
        return False

    def _copied(self, given: str, passage: Passage) -> str:
        """The words as the passage has them, "" when it has not."""
        span = self._words.find_value(given, passage.span) if given else None
        return self._masked[slice(*span)] if span else ""

    def _dates(self, stated: Stated, passage: Passage) -> list[DatePhrase]:
        """The date phrases of the passage in the words that the model says date the statement."""
        when = next(self._words.find(stated.when, passage.span), None) if stated.when else None
        if when is None:
            return []
        phrases = find_dates(passage.text, passage.start)
        return [phrase for phrase in phrases if phrase.start < when[1] and when[0] < phrase.end]
