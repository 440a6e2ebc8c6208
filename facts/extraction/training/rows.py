"""One training text: its facts and where their words stand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
TIMESTAMP = "2026-06-10T09:00:00Z"
HELD_OUT = 10
SENSES = ("current", "past", "planned", "denied", "replaced")

Place = tuple[int, int]  # code-point offsets into the text: first character, behind the last


@dataclass(frozen=True, slots=True)
class Marked:
    """The words of one object in a text and what they are the object of.

    `object` and `subject` are what the fact says ("user" for the end user), `place` is where the
    object's words stand, `about` where the subject's do (None for the end user and the speaker of
    the line unmarked). `sense` is a tense, or "denied" (a plain denial), or "replaced" (the X of
    "from X to Y").
    """

    predicate: str
    object: str
    subject: str
    sense: str
    place: Place
    about: Place | None = None
    valid_from: str | None = None
    invalid_at: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Filler:
    """Words that others of the same kind may stand for ("city", "woman")."""

    place: Place
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """A text with everything that a careful reader marks in it."""

    id: str
    text: str
    tags: tuple[str, ...]
    marks: tuple[Marked, ...] = ()
    fillers: tuple[Filler, ...] = field(default=())

    @property
    def language(self) -> str:
        """The code of the tag `lang:xx`; "en" without one."""
        return next((tag[5:] for tag in self.tags if tag.startswith("lang:")), "en")

    def line(self) -> str:
        """The row as a line of JSON."""
        facts = [_fact(mark) for mark in self.marks if mark.sense in SENSES[:3]]
        told: dict[str, Any] = {
            "id": self.id,
            "text": self.text,
            "user_id": None,
            "timestamp": TIMESTAMP,
            "tags": list(self.tags),
            "expected": facts,
        }
        for sense in SENSES[3:]:
            others = [_fact(mark) for mark in self.marks if mark.sense == sense]
            if others:
                told[sense] = others
        if self.fillers:
            told["fillers"] = [[*filler.place, filler.kind] for filler in self.fillers]
        return json.dumps(told, ensure_ascii=False)


def _fact(mark: Marked) -> dict[str, Any]:
    told: dict[str, Any] = {
        "subject": mark.subject,
        "predicate": mark.predicate,
        "object": mark.object,
    }
    if mark.sense in SENSES[:3]:
        told["tense"] = mark.sense
    for name in ("valid_from", "invalid_at"):
        if getattr(mark, name):
            told[name] = getattr(mark, name)
    if mark.optional:
        told["optional"] = True
    told["span"] = list(mark.place)
    if mark.about is not None:
        told["about"] = list(mark.about)
    return told


def read_row(line: str) -> Row:
    """The row of a line that `Row.line` made."""
    told = json.loads(line)
    marks = [
        Marked(
            predicate=fact["predicate"],
            object=fact["object"],
            subject=fact["subject"],
            sense=fact.get("tense") or sense,
            place=(fact["span"][0], fact["span"][1]),
            about=tuple(fact["about"]) if "about" in fact else None,
            valid_from=fact.get("valid_from"),
            invalid_at=fact.get("invalid_at"),
            optional=fact.get("optional", False),
        )
        for sense in ("expected", *SENSES[3:])
        for fact in told.get(sense, ())
    ]
    fillers = [Filler((begin, end), kind) for begin, end, kind in told.get("fillers", ())]
    marks.sort(key=lambda mark: mark.place)
    return Row(told["id"], told["text"], tuple(told["tags"]), tuple(marks), tuple(fillers))


def read_rows(directory: Path = DATA) -> Iterator[Row]:
    """All rows, file by file in the order of their names."""
    for path in sorted(directory.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield read_row(line)


def split(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Rows to learn from, and every tenth to validate with. Variants are made after this."""
    return [row for at, row in enumerate(rows) if at % HELD_OUT], list(rows[::HELD_OUT])
