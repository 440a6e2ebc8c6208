"""The pattern engine: rules of language, no model, no network."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from facts.extraction.candidate import Candidate
from facts.extraction.drafting import finish
from facts.extraction.grammar.referent import Subject
from facts.extraction.sentence import SentenceReader
from facts.extraction.statements.draft import Draft
from facts.extraction.text import Composed, Line, read_lines, split_sentences
from facts.vocabulary import BUILT_IN, Vocabulary

MAX_SENTENCES = 600
LONGEST_SENTENCE = 1200
MOST_CONFIRMED = 8
_YES = re.compile(
    r"\s*(?:yes|yep|yeah|yup|correct|right|exactly|true|that's right|indeed|sure is)\b", re.I
)


class PatternEngine:
    """Reads plain statements; says nothing where it is not sure."""

    name = "pattern"

    def extract(
        self,
        text: str,
        *,
        user_id: str | None,
        names: Sequence[str],
        timestamp: datetime,
        vocabulary: Vocabulary = BUILT_IN,
    ) -> list[Candidate]:
        """See `Engine.extract`; sentences past the first 600 of a text are not read."""
        composed = Composed(text)
        read = self._read(composed.text, user_id=user_id, names=names, timestamp=timestamp)
        return [
            replace(one, span=(composed.origin(one.span[0]), composed.origin(one.span[1])))
            for one in unique(read, vocabulary)
        ]

    def _read(
        self, text: str, *, user_id: str | None, names: Sequence[str], timestamp: datetime
    ) -> list[Candidate]:
        user = user_id or "user"
        reader = SentenceReader()
        found: list[Candidate] = []
        budget = MAX_SENTENCES
        lines = read_lines(text, user_id=user_id, names=names)
        for number, line in enumerate(lines):
            stamp = (line.stamp or timestamp).astimezone(UTC)
            today = stamp.date()
            if line.role == "assistant":
                following = lines[number + 1] if number + 1 < len(lines) else None
                drafts, used = self._confirmed(reader, line, following, user, today)
            else:
                drafts, used = self._line(reader, line, user, today, budget)
            budget -= used
            found += finish(drafts, text, user=user, names=names, observed_at=stamp)
            if budget <= 0:
                break
        return found

    def _confirmed(
        self, reader: SentenceReader, line: Line, following: Line | None, user: str, today: date
    ) -> tuple[list[Draft], int]:
        if not confirms(following):
            return [], 0
        me = Subject("self", user, line.start, line.start, person_type="self")
        sentences = split_sentences(line.text, line.start)[:MOST_CONFIRMED]
        return reader.read_confirmed(sentences, me, today), len(sentences)

    def _line(
        self, reader: SentenceReader, line: Line, user: str, today: date, budget: int
    ) -> tuple[list[Draft], int]:
        me = (
            Subject("self", line.speaker, line.start, line.start, person_type="person")
            if line.speaker
            else Subject("self", user, line.start, line.start, person_type="self")
        )
        sentences = [
            s for s in split_sentences(line.text, line.start) if len(s.text) <= LONGEST_SENTENCE
        ][:budget]
        return reader.read_line(line, sentences, me, today), len(sentences)


def confirms(following: Line | None) -> bool:
    """Whether the line after an assistant's says that it is so."""
    return (
        following is not None
        and following.role == "user"
        and _YES.match(following.text) is not None
    )


def unique(candidates: list[Candidate], vocabulary: Vocabulary) -> list[Candidate]:
    """One candidate per statement: the first of equal ones, a dated one before an undated.

    Where one value holds at a time, a value said again after another one is a new statement.
    """
    kept: list[Candidate] = []
    places: dict[tuple[str, ...], int] = {}
    latest: dict[tuple[str, str], str] = {}
    for candidate in candidates:
        subject, value = candidate.subject.casefold(), candidate.object.casefold()
        key = (subject, candidate.predicate, value, candidate.tense, candidate.move)
        slot = (subject, candidate.predicate)
        single = vocabulary.is_single(vocabulary.name(candidate.predicate))
        returns = single and latest.get(slot, value) != value
        latest[slot] = value
        place = places.get(key)
        if place is None or returns:
            places[key] = len(kept)
            kept.append(candidate)
        elif kept[place].valid_from is None and candidate.valid_from is not None:
            kept[place] = candidate
    return kept


def engine() -> "PatternEngine":
    """The local default engine."""
    return PatternEngine()
