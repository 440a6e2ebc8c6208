"""The sentences of a text that can state something, by the same rules as the pattern engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from facts.extraction import filters
from facts.extraction.pattern import LONGEST_SENTENCE, confirms
from facts.extraction.text import Line, Sentence, read_lines, split_sentences, tokenize
from facts.extraction.writer.words import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one sentence, with its line.

    `stamp` is what its dates count from. `told`: an assistant says it to the end user ("you"),
    whose next line confirms it.
    """

    text: str
    start: int
    line: Line
    stamp: datetime
    told: bool = False

    @property
    def span(self) -> Span:
        return self.start, self.start + len(self.text)


def read_passages(
    text: str, *, user_id: str | None, names: Sequence[str], timestamp: datetime
) -> list[Passage]:
    """The passages of `text`, in its order."""
    found: list[Passage] = []
    lines = read_lines(text, user_id=user_id, names=names)
    for number, line in enumerate(lines):
        if line.is_heading:
            continue
        told = line.role == "assistant"
        following = lines[number + 1] if number + 1 < len(lines) else None
        if told and not confirms(following):
            continue
        stamp = (line.stamp or timestamp).astimezone(UTC)
        found += [
            Passage(sentence.text, sentence.start, line, stamp, told)
            for sentence in _stating(split_sentences(line.text, line.start))
        ]
    return found


def _stating(sentences: Sequence[Sentence]) -> list[Sentence]:
    if sentences and filters.is_task(sentences[0].text):
        return []
    kept: list[Sentence] = []
    last: Sentence | None = None
    for sentence in sentences:
        text = sentence.text
        if filters.is_injection(text) and text.casefold().startswith(("system", "developer")):
            return []
        if filters.is_only_joke_mark(text):
            kept = [one for one in kept if one is not last]
            continue
        last = None if len(text) > LONGEST_SENTENCE else _part(sentence)
        if last is not None:
            kept.append(last)
    return kept


def _part(sentence: Sentence) -> Sentence | None:
    """What a sentence states: all of it, the part before a question or after a hypothesis."""
    text = sentence.text
    if any(says_nothing(text) for says_nothing in _NOTHING):
        return None
    tokens = tokenize(text, sentence.start)
    if filters.is_question(sentence, tokens):
        return None
    end = sentence.start + len(text)
    if sentence.mark == "?":
        asks = filters.question_start(tokens)
        if not asks:
            return None
        end = tokens[asks].start
    begin = sentence.start
    if filters.is_hypothetical(text):
        turn = next((token.end for token in tokens if token.low == "but"), None)
        if turn is None:
            return None
        begin = turn
    if begin >= end:
        return None
    return Sentence(text[begin - sentence.start : end - sentence.start], begin, sentence.mark)


_NOTHING = (filters.is_injection, filters.is_joke, filters.is_task, filters.is_hearsay)
