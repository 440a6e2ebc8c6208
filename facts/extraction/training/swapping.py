"""Variants of a row: other words of the same kind in the places that are marked for it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from facts.extraction.training.rows import Filler, Marked, Place, Row

# Words of these kinds are names, the same in every language.
_NAMES = frozenset(
    {
        "woman", "man", "surname", "company", "product", "tool", "proglang", "pet_name", "band",
        "project",
    }
)  # fmt: skip
_VOWELS = frozenset("aeiou")
Choice = Mapping[tuple[str, str], Sequence[str]]


def fillers_of(rows: Iterable[Row]) -> Choice:
    """By kind and language, the words that rows have in such places; names by kind and "".

    Only names are swapped in other languages than English: an article there goes by the noun's
    gender.
    """
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        for filler in row.fillers:
            shelf = _shelf(filler.kind, row.language)
            if shelf[1] in {"", "en"}:
                found[shelf].add(_words(row.text, filler.place))
    return {shelf: sorted(words) for shelf, words in found.items()}


def variant(row: Row, choice: Choice, chance: random.Random) -> Row:
    """The row with other fillers; the row itself when nothing can be swapped."""
    swaps: dict[str, str] = {}
    for filler in row.fillers:
        words = _words(row.text, filler.place)
        if words not in swaps:
            others = _alike(words, choice.get(_shelf(filler.kind, row.language), ()))
            swaps[words] = chance.choice(others) if others else words
    changed = [
        (filler, swaps[_words(row.text, filler.place)])
        for filler in sorted(row.fillers, key=lambda one: one.place)
    ]
    text, moved, at = "", [], 0
    for filler, words in changed:
        begin, end = filler.place
        if begin < at:
            return row
        text += row.text[at:begin]
        moved.append((filler.place, (len(text), len(text) + len(words))))
        text += words
        at = end
    text += row.text[at:]
    if text == row.text:
        return row
    marks = tuple(
        replace(_moved(mark, row.text, text, moved), subject=_named(mark.subject, swaps))
        for mark in row.marks
    )
    fillers = tuple(
        Filler(new, filler.kind) for (filler, _), (_, new) in zip(changed, moved, strict=True)
    )
    return replace(row, text=text, marks=marks, fillers=fillers)


def _named(subject: str, swaps: Mapping[str, str]) -> str:
    """A subject with the words of its name swapped."""
    for old, new in swaps.items():
        if old in subject:
            return subject.replace(old, new, 1)
    return subject


def _shelf(kind: str, language: str) -> tuple[str, str]:
    return kind, "" if kind in _NAMES else language


def _words(text: str, place: Place) -> str:
    return text[place[0] : place[1]]


def _alike(words: str, others: Sequence[str]) -> list[str]:
    """Those that leave article, number and spelling around them right."""

    def form(one: str) -> tuple[bool, bool, bool]:
        return one[:1].casefold() in _VOWELS, one[-1:] == "s", one[:1].isupper()

    return [other for other in others if form(other) == form(words)]


def _moved(mark: Marked, old: str, new: str, moved: Sequence[tuple[Place, Place]]) -> Marked:
    place = _shifted(mark.place, moved)
    about = _shifted(mark.about, moved) if mark.about else None
    said = _words(new, place) if mark.object == _words(old, mark.place) else mark.object
    return replace(mark, place=place, about=about, object=said)


def _shifted(place: Place, moved: Sequence[tuple[Place, Place]]) -> Place:
    """A place of the old text in the new one."""

    def shift(at: int, *, is_end: bool) -> int:
        by = 0
        for (begin, end), (new_begin, new_end) in moved:
            if at >= end:
                by = new_end - end
            elif at > begin:
                return new_end if is_end else new_begin
        return at + by

    return shift(place[0], is_end=False), shift(place[1], is_end=True)
