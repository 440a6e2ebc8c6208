"""From the model's scores to tags: words, their predicate, whose they are, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facts.extraction.tagger.labels import BEGIN, INSIDE, OUTSIDE, PREDICATES, SENSES
from facts.extraction.tagger.windows import Window

Place = tuple[int, int]
Table = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scores:
    """What the model says of one window, special tokens included.

    objects, subjects: (tokens, 3); predicates: (tokens, labels); senses: (tokens, 5);
    pointers: (tokens, tokens), the first token standing for the end user.
    """

    objects: Table
    subjects: Table
    predicates: Table
    senses: Table
    pointers: Table


@dataclass(frozen=True, slots=True)
class Tag:
    """Words that the model takes for the object of a predicate.

    `place` and `about` are offsets into the text; `about` None is the end user or the speaker.
    `score` is the product of the model's probabilities, 0 to 1: not yet a confidence.
    """

    place: Place
    predicate: str
    sense: str
    about: Place | None
    score: float


def tags_of(text: str, window: Window, scores: Scores) -> Iterator[Tag]:
    """The tags of a window's own tokens, in the order of the text."""
    words = _words(text, window)
    chances = _softmax(scores.objects)
    subjects = scores.subjects.argmax(axis=1)
    for first, last in _spans(words, chances, window):
        tokens = slice(first + 1, last + 2)  # behind the special token
        predicate = _softmax(scores.predicates[tokens].mean(axis=0))
        sense = _softmax(scores.senses[tokens].mean(axis=0))
        pointer = _softmax(scores.pointers[tokens].mean(axis=0))
        whose = int(pointer[: len(window.ids) + 1].argmax())
        certain = float((1 - chances[tokens, OUTSIDE]).mean())
        yield Tag(
            (window.places[first][0], window.places[last][1]),
            PREDICATES[int(predicate.argmax())],
            SENSES[int(sense.argmax())],
            _mention(window, words, subjects, whose - 1) if whose else None,
            certain * float(predicate.max()) * float(sense.max()) * float(pointer[whose]),
        )


def _words(text: str, window: Window) -> list[int]:
    """For each token, the number of the first token of its word."""
    found: list[int] = []
    for number, (begin, _) in enumerate(window.places):
        joined = (
            number > 0
            and window.places[number - 1][1] == begin
            and text[begin - 1 : begin].isalnum()
            and text[begin : begin + 1].isalnum()
        )
        found.append(found[number - 1] if joined else number)
    return found


def _spans(words: Sequence[int], chances: Table, window: Window) -> Iterator[tuple[int, int]]:
    """First and last token of each object; a word is in or out as its first token is."""
    open_at: int | None = None
    for number, word in enumerate(words):
        if number < window.context or word != number:
            continue
        label = int(chances[number + 1].argmax())
        inside = label != OUTSIDE
        if open_at is not None and (not inside or label == BEGIN):
            yield open_at, number - 1
            open_at = None
        if inside and open_at is None:
            open_at = number
    if open_at is not None:
        yield open_at, len(words) - 1


def _mention(window: Window, words: Sequence[int], subjects: NDArray[np.int64], at: int) -> Place:
    """The words around the token that was pointed at."""
    first = words[at]
    while first > 0 and subjects[first + 1] == INSIDE and subjects[first] != OUTSIDE:
        first = words[first - 1]
    last = at
    while last + 1 < len(words) and (
        words[last + 1] <= at or words[last + 1] != last + 1 or subjects[last + 2] == INSIDE
    ):
        last += 1
    return window.places[first][0], window.places[last][1]


def _softmax(scores: Table) -> Table:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
