"""Lists of names a page at a time, in the order of the names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from django.http import HttpRequest

PAGE = 25


class Walk(Protocol):
    """The names after `beyond`, or before it, the nearest first."""

    def __call__(self, *, beyond: str | None, backwards: bool, limit: int) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Names:
    """A page of names, and the ones that `?before=` and `?after=` of its neighbours name."""

    rows: list[str]
    before: str | None
    after: str | None
    is_first: bool


def names_at(request: HttpRequest, walk: Walk) -> Names:
    """The page that an address asks for: one probe more than it shows tells whether more follow."""
    before, after = _mark(request, "before"), _mark(request, "after")
    backwards = before is not None and after is None
    beyond = before if backwards else after
    found = walk(beyond=beyond, backwards=backwards, limit=PAGE + 1)
    more, rows = len(found) > PAGE, found[:PAGE]
    if backwards:
        rows.reverse()
    if not rows:
        return Names([], None, None, is_first=beyond is None)
    has_before = more if backwards else beyond is not None
    return Names(
        rows,
        before=rows[0] if has_before else None,
        after=rows[-1] if backwards or more else None,
        is_first=not has_before,
    )


def _mark(request: HttpRequest, name: str) -> str | None:
    text = request.GET.get(name)
    return text if text and "\x00" not in text else None
