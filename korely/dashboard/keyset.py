"""Lists a page at a time, newest first, by the moment and id of a row: as quick deep down as on
top, and steady while rows are added.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest

from korely.kernel import clock

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A row's place in a list; `backwards` asks for the rows newer than it, not the older ones."""

    at: datetime
    id: uuid.UUID
    backwards: bool = False

    def __str__(self) -> str:
        raw = f"{self.at.isoformat()}|{self.id.hex}".encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """A page of rows, newest first, and what asks for the page on either side of it."""

    rows: Sequence[Row]
    older: Cursor | None = None
    newer: Cursor | None = None


def read_cursor(request: HttpRequest) -> Cursor | None:
    """What `?after=` (older rows) or `?before=` (newer ones) says; None for the first page.

    Raises Http404 for what no page ever linked to.
    """
    for name in ("after", "before"):
        text = request.GET.get(name)
        if text:
            return _read(text, backwards=name == "before")
    return None


def slice_of(
    rows: QuerySet[Stored], cursor: Cursor | None, size: int, *, at: str = "created_at"
) -> Slice[Stored]:
    """The page of `rows` at a cursor: `size` of them by (`at`, id), newest first. One query."""
    backwards = cursor is not None and cursor.backwards
    if cursor is not None:
        side = "gt" if backwards else "lt"
        beyond = Q(**{f"{at}__{side}": cursor.at})
        beside = Q(**{at: cursor.at, f"id__{side}": cursor.id})
        # Both halves lie on one side of the moment, which an index on it can start from.
        rows = rows.filter(Q(**{f"{at}__{side}e": cursor.at}), beyond | beside)
    order = (at, "id") if backwards else (f"-{at}", "-id")

    def place(row: Stored, back: bool) -> Cursor:
        return Cursor(getattr(row, at), _id(row), back)

    return cut(list(rows.order_by(*order)[: size + 1]), cursor, size, place)


def cut(
    found: list[Row],
    cursor: Cursor | None,
    size: int,
    place: Callable[[Row, bool], Cursor],
) -> Slice[Row]:
    """A page out of up to `size` + 1 rows found from a cursor on, in the direction it asks for.

    `place(row, backwards)` makes the cursor that goes on from a row.
    """
    backwards = cursor is not None and cursor.backwards
    more, shown = len(found) > size, found[:size]
    if backwards:
        shown.reverse()
    if not shown:
        return Slice([])
    has_older = backwards or more
    has_newer = more if backwards else cursor is not None
    return Slice(
        shown,
        older=place(shown[-1], False) if has_older else None,
        newer=place(shown[0], True) if has_newer else None,
    )


def _id(row: Any) -> uuid.UUID:
    found: uuid.UUID = row.id
    return found


def _read(text: str, *, backwards: bool) -> Cursor:
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        moment, _, row = raw.partition("|")
        return Cursor(clock.read(moment), uuid.UUID(row), backwards)
    except ValueError:
        raise Http404 from None
