"""Rows as the numbers that the model is taught: one example a window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from facts.extraction.tagger.labels import BEGIN, INSIDE, OUTSIDE, PREDICATES, SENSES, label_of
from facts.extraction.tagger.windows import Window, windows_of
from facts.extraction.text.masking import mask
from facts.extraction.training.rows import Place, Row

UNTAUGHT = -100  # the target of a token that says nothing (PyTorch's `ignore_index`)


@dataclass(frozen=True, slots=True)
class Example:
    """A window with, for each token, what the model should say. Token 0 is the special first one,
    which also stands for the end user as a subject.
    """

    window: Window
    objects: tuple[int, ...]
    subjects: tuple[int, ...]
    predicates: tuple[int, ...]
    senses: tuple[int, ...]
    pointers: tuple[int, ...]


def examples_of(row: Row, tokenizer: Tokenizer) -> Iterator[Example]:
    """The examples of a row, read as the engine reads a text."""
    text = mask(row.text)
    for window in windows_of(text, tokenizer.encode(text, add_special_tokens=False)):
        yield _example(row, window)


def _example(row: Row, window: Window) -> Example:
    width = len(window.ids) + 2
    objects, subjects = [OUTSIDE] * width, [OUTSIDE] * width
    predicates, senses, pointers = ([UNTAUGHT] * width for _ in range(3))
    for mark in row.marks:
        tokens = _tokens(window.places, mark.place)
        if mark.about is not None:
            _put(subjects, _tokens(window.places, mark.about))
        if not tokens:
            continue
        _put(objects, tokens)
        about = [0] if mark.about is None else _tokens(window.places, mark.about)
        for token in tokens:
            predicates[token] = PREDICATES.index(label_of(mark.predicate))
            senses[token] = SENSES.index(mark.sense)
            pointers[token] = about[0] if about else UNTAUGHT
    for number in (0, *range(1, window.context + 1), width - 1):
        objects[number] = subjects[number] = UNTAUGHT
        predicates[number] = senses[number] = pointers[number] = UNTAUGHT
    return Example(
        window, tuple(objects), tuple(subjects), tuple(predicates), tuple(senses), tuple(pointers)
    )


def _tokens(places: Sequence[Place], wanted: Place) -> list[int]:
    """Numbers, in the model's input, of the tokens that overlap a place."""
    return [
        number + 1
        for number, (begin, end) in enumerate(places)
        if begin < wanted[1] and wanted[0] < end
    ]


def _put(labels: list[int], tokens: Sequence[int]) -> None:
    for number, token in enumerate(tokens):
        labels[token] = INSIDE if number else BEGIN
