"""From tags to drafts: whose line, whose sentence, which dates, which predicate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from facts.extraction import filters
from facts.extraction.candidate import Candidate, Move, Tense
from facts.extraction.clause_reading import ClauseReader
from facts.extraction.dates import find_dates
from facts.extraction.drafting import finish
from facts.extraction.grammar.referent import Subject
from facts.extraction.memory import Mentions
from facts.extraction.statements.draft import Draft
from facts.extraction.statements.frame import Frame
from facts.extraction.tagger.decoding import Tag
from facts.extraction.tagger.naming import predicate_of
from facts.extraction.text import Line, Sentence, split_sentences, tokenize
from facts.vocabulary import DATED_BY_OBJECT, ONE_TIME
from facts.vocabulary.words import words

OWN = re.compile(
    r"(?:my|our|mein\w*|unser\w*|mio|mia|miei|mie|mi|mis|mon|ma|mes|notre|nos|nuestr\w+|nostr\w+)\s+",
    re.I,
)
ARTICLE = re.compile(r"(?:the|a|an)\s+", re.I)
_SELF = words("user i me we my client customer im i'm us self the_user")
_PRONOUNS = words("he she they it her him his their them this that these those who you your")
_SENSES: dict[str, tuple[Tense, Move]] = {
    "current": ("current", "state"),
    "past": ("past", "end"),
    "planned": ("planned", "state"),
    "denied": ("current", "deny"),
    "replaced": ("past", "end"),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tag stands: its line, its sentence, and who says it."""

    line: Line
    sentence: Sentence
    me: Subject
    stamp: datetime


class TagReader:
    """Reads the tags of one text; `lines` are those of `read_lines`."""

    def __init__(
        self, text: str, lines: Sequence[Line], *, user: str, names: Sequence[str],
        timestamp: datetime,
    ) -> None:  # fmt: skip
        self._text, self._user, self._names = text, user, names
        self._places: list[_Place] = []
        for line in lines:
            sentences = split_sentences(line.text, line.start)
            if line.role == "assistant" or line.is_heading or _states_nothing(sentences):
                continue
            kind = "person" if line.speaker else "self"
            me = Subject("self", line.speaker or user, line.start, line.start, person_type=kind)
            stamp = (line.stamp or timestamp).astimezone(UTC)
            self._places += [_Place(line, sentence, me, stamp) for sentence in sentences]

    def read(self, tags: Sequence[Tag]) -> list[Candidate]:
        """What the tags state, in their order."""
        found: list[Candidate] = []
        for tag, draft, place in self._drafts(tags):
            replaced = [] if draft.move != "state" else self._replaced(tag, tags)
            found += finish(
                [replace(draft, replaces=tuple(replaced))], self._text, user=self._user,
                names=self._names, observed_at=place.stamp,
            )  # fmt: skip
        return found

    def _drafts(self, tags: Sequence[Tag]) -> list[tuple[Tag, Draft, _Place]]:
        found = []
        for tag in tags:
            place = self._place(tag)
            subject = None if place is None else self._subject(tag, place)
            if place is None or subject is None or tag.sense == "replaced":
                continue
            draft = self._draft(tag, place, subject)
            if draft is not None:
                found.append((tag, draft, place))
        return found

    def _place(self, tag: Tag) -> _Place | None:
        for place in self._places:
            begin = place.sentence.start
            if begin <= tag.place[0] < begin + len(place.sentence.text):
                return place
        return None

    def _subject(self, tag: Tag, place: _Place) -> Subject | None:
        if tag.about is None:
            return place.me
        written = self._text[tag.about[0] : tag.about[1]].strip()
        written = re.sub(r"['’]s$", "", written)
        own = OWN.match(written)
        if own and own.end() < len(written):
            name = f"{place.me.name}'s {written[own.end() :]}"
            return Subject("relation", name, *tag.about)
        low = ARTICLE.sub("", written.casefold())
        if low in _SELF or low == self._user.casefold():
            return place.me
        if low in _PRONOUNS or not low:
            return None
        named = written[:1].isupper() and not ARTICLE.match(written)
        name = written if named else ARTICLE.sub("", written)
        return Subject("name" if named else "thing", name, *tag.about)

    def _draft(self, tag: Tag, place: _Place, subject: Subject) -> Draft | None:
        sentence = place.sentence
        frame = _frame(sentence, place, tag)
        if frame is None:
            return None
        predicate = predicate_of(tag.predicate, frame, sentence.text, tag.place[0] - sentence.start)
        value = self._object(tag, predicate, frame)
        if predicate is None or not value:
            return None
        tense, move = _SENSES[tag.sense]
        if predicate in ONE_TIME and tense == "past":
            tense, move = "current", "state"
        frame.dates = [
            phrase
            for phrase in frame.dates
            if phrase.end <= tag.place[0] or tag.place[1] <= phrase.start
        ]
        start, end = (None, None) if predicate in DATED_BY_OBJECT else frame.times(tense, move)
        begin = min(tag.place[0], max(frame.verb.start, sentence.start))
        return Draft(
            subject, predicate, predicate, value, tense, move, start,
            None if predicate in ONE_TIME else end, (), tag.score, begin, tag.place[1],
        )  # fmt: skip

    def _object(self, tag: Tag, predicate: str | None, frame: Frame) -> str:
        value = self._text[tag.place[0] : tag.place[1]].strip()
        if predicate not in DATED_BY_OBJECT:
            return value
        for phrase in find_dates(value):
            day = phrase.day(frame.today, forward=predicate in {"scheduled_for", "deadline"})
            if day is not None and phrase.moment.is_full:
                return day.isoformat()
        return value

    def _replaced(self, tag: Tag, tags: Sequence[Tag]) -> list[str]:
        """The words that this value takes the place of: of the same predicate, close by."""
        return [
            self._text[other.place[0] : other.place[1]]
            for other in tags
            if other.sense == "replaced"
            and other.predicate == tag.predicate
            and abs(other.place[0] - tag.place[0]) < 120
        ]


def _states_nothing(sentences: Sequence[Sentence]) -> bool:
    """Whether a line hands over text to work on, or tries to instruct the reader."""
    return bool(sentences) and (
        filters.is_task(sentences[0].text)
        or any(filters.is_injection(sentence.text) for sentence in sentences)
    )


def _frame(sentence: Sentence, place: _Place, tag: Tag) -> Frame | None:
    if filters.is_joke(sentence.text) or filters.is_hearsay(sentence.text):
        return None
    tokens = tokenize(sentence.text, sentence.start)
    if not tokens:
        return None
    dates = find_dates(sentence.text, sentence.start)
    reader = ClauseReader(Mentions(), tokens, dates, place.me, place.stamp.date())
    return reader.frame_at(tag.place[0])
