"""What there is to attack, taken from the URL configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver

from korely.http.shapes import Shape
from korely.http.views import ApiView, Operation

_SEGMENT = re.compile(r"<(?:\w+:)?(\w+)>")

Entry = URLPattern | URLResolver


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one route of the API."""

    method: str
    pattern: str
    wanted: Operation

    def __str__(self) -> str:
        return f"{self.method} /" + _SEGMENT.sub(r"{\1}", self.pattern)

    @property
    def segments(self) -> tuple[str, ...]:
        """What its path names: `memory_id`, `user_id`…"""
        return tuple(_SEGMENT.findall(self.pattern))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of object its path names: `memory`, `user`…"""
        return tuple(segment.removesuffix("_id") for segment in self.segments)

    @property
    def where(self) -> str:
        """Where its values go: `body` or `query`."""
        return "body" if self.wanted.body is not None else "query"

    @property
    def shape(self) -> type[Shape] | None:
        """What it takes beside its path."""
        return self.wanted.body or self.wanted.query

    @property
    def reads(self) -> bool:
        """Whether it only reads: a GET, or a POST for those who may read."""
        return self.method == "GET" or self.wanted.scope == "memories:read"

    def path(self, objects: Mapping[str, str]) -> str:
        """Its path with the objects given by kind."""
        return "/" + _SEGMENT.sub(
            lambda found: quote(objects[found[1].removesuffix("_id")], safe=""), self.pattern
        )


def _entries(entries: Iterable[Entry], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in entries:
        if isinstance(entry, URLResolver):
            yield from _entries(entry.url_patterns, prefix + str(entry.pattern))
        else:
            yield prefix + str(entry.pattern), entry


def _api_view(entry: URLPattern) -> Any:
    view = getattr(entry.callback, "cls", None)
    return view if isinstance(view, type) and issubclass(view, ApiView) else None


def calls() -> list[Call]:
    """Every call that needs a key."""
    found = []
    for pattern, entry in _entries(get_resolver().url_patterns):
        view = _api_view(entry)
        for name in view.http_method_names if view else ():
            wanted = getattr(getattr(view, name, None), "operation", None)
            if wanted is not None and not wanted.public:
                found.append(Call(name.upper(), pattern, wanted))
    return found


def pages() -> list[str]:
    """The paths of everything else that is served under a fixed path: documents, people's pages."""
    paths = {
        f"/{pattern}"
        for pattern, entry in _entries(get_resolver().url_patterns)
        if _api_view(entry) is None and not re.search(r"[<(\\^$]", pattern)
    }
    return sorted(paths)
