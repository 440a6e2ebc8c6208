"""The records of a file: JSON lines, a list, or lists under known keys of an object; streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Literal

import ijson

from korely.http import strict_json
from korely.rest.transfer.foreign.skips import Reason, Skip

MOST_LINE = 33_554_432  # bytes: a line may be a whole graph, with vectors
_MOST_ALONE = 1_048_576  # a longer object that is the only line is streamed

_PIECE = 65_536  # bytes
_MARK = b"\xef\xbb\xbf"  # of UTF-8, which some editors put at the beginning
_SCALARS = (str, int, float, bool)
_BROKEN = "the file is no JSON, or it ends too early"
_STARTS, _ENDS = ("start_map", "start_array"), ("end_map", "end_array")

Events = Iterator[tuple[str, Any]]


class Unreadable(Exception):
    """The file is no JSON that has records; nothing of it was stored. The text says why."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `number`: its line, or its place in the file from 1. `key`: the list it is in.

    `around`: the plain values of the objects it lies in, such as the user of a thread.
    """

    number: int
    value: Mapping[str, Any]
    key: str | None = None
    around: Mapping[str, Any] = field(default_factory=dict)


class Records:
    """The records of a file, as often as they are asked for.

    `keys` are the members whose lists are records, `wrappers` those that lie around such members.
    """

    def __init__(self, file: IO[bytes], *, keys: frozenset[str], wrappers: frozenset[str]) -> None:
        self._file, self._keys, self._wrappers = file, keys, wrappers
        self._top: dict[str, Any] = {}  # whole once the file was read through
        self._listed = False  # a list of records was found, if an empty one

    def __iter__(self) -> Iterator[Record | tuple[int, Skip]]:
        """Raises Unreadable, before the first record or later."""
        self._file.seek(0)
        kind = self._kind()
        self._file.seek(0)
        return self._of_document() if kind == "document" else self._of_lines(alone=kind == "line")

    def _kind(self) -> Literal["lines", "line", "document"]:
        """JSON lines: the first two lines with text both begin an object, as in no other JSON.

        An object that is the only line is read as a line as well, if it is short enough.
        """
        begin, length = self._next_line()
        if begin != b"{" or length > MOST_LINE:
            return "document"
        begin, _ = self._next_line()
        if not begin:
            return "line" if length <= _MOST_ALONE else "document"
        return "lines" if begin == b"{" else "document"

    def _next_line(self) -> tuple[bytes, int]:
        """How the next line with text begins, and its length, as far as that is worth reading."""
        while part := self._file.readline(_PIECE):
            begin, length = part.removeprefix(_MARK).lstrip()[:1], len(part)
            while part and not part.endswith(b"\n") and length <= MOST_LINE:
                part = self._file.readline(_PIECE)
                begin, length = begin or part.lstrip()[:1], length + len(part)
            if begin:
                return begin, length
        return b"", 0

    def _of_lines(self, *, alone: bool) -> Iterator[Record | tuple[int, Skip]]:
        """Records of lines; of an only line, numbered by their places in it."""
        number = 0
        while part := self._file.readline(MOST_LINE + 1):
            number += 1
            if len(part) > MOST_LINE and not part.endswith(b"\n"):
                while part and not part.endswith(b"\n"):
                    part = self._file.readline(MOST_LINE + 1)
                yield number, Skip(Reason.UNREADABLE, f"is longer than {MOST_LINE:,} bytes")
            elif part.strip():
                try:
                    value = strict_json.read(part.strip())
                except strict_json.Malformed as error:
                    if alone:
                        raise Unreadable(_BROKEN) from None
                    said = str(error).replace("the body", "the line")
                    yield number, Skip(Reason.UNREADABLE, said)
                    continue
                for place, record in enumerate(self._unfolded(value, None, {}), 1):
                    yield _numbered(record, place if alone else number)

    def _of_document(self) -> Iterator[Record | tuple[int, Skip]]:
        if self._file.read(len(_MARK)) != _MARK:
            self._file.seek(0)
        try:
            events: Events = ijson.basic_parse(self._file, use_float=True)
            found = False
            for number, record in enumerate(self._of_events(events), 1):
                found = True
                yield _numbered(record, number)
        except (ijson.JSONError, UnicodeDecodeError):
            # The parser's words quote the file.
            raise Unreadable(_BROKEN) from None
        if not found and not self._listed:
            keys = ", ".join(sorted(self._keys))
            raise Unreadable(f"the file has no list of records; it may be under: {keys}")

    def _of_events(self, events: Events) -> Iterator[Record | Skip]:
        event, _ = next(events)
        if event == "start_map":
            yield from self._members(events, self._top)
        elif event == "start_array":
            self._listed = True
            yield from self._items(events, None, {})
        for _ in events:
            pass  # to the end, where a file that was cut short shows

    def _members(self, events: Events, around: dict[str, Any]) -> Iterator[Record | Skip]:
        for kind, key in events:
            if kind == "end_map":
                return
            event, value = next(events)
            if event == "start_array" and key in self._keys:
                self._listed = True
                yield from self._items(events, key, around)
            elif event == "start_map" and key in self._wrappers:
                yield from self._members(events, around)
            elif event in _STARTS:
                _pass_over(events)
            elif isinstance(value, _SCALARS):
                around[key] = value

    def _items(
        self, events: Events, key: str | None, around: Mapping[str, Any]
    ) -> Iterator[Record | Skip]:
        for event, value in events:
            if event == "end_array":
                return
            yield from self._unfolded(_built(events, event, value), key, around)

    def _unfolded(
        self, value: Any, key: str | None, around: Mapping[str, Any]
    ) -> Iterator[Record | Skip]:
        """A value as the record it is, or as the records in the lists that it has."""
        if isinstance(value, list) and key is None:
            for one in value:
                yield from self._unfolded(one, key, around)
            return
        if not isinstance(value, dict):
            yield Skip(Reason.UNKNOWN_KIND, "is no JSON object")
            return
        inner = {name: one for name, one in value.items() if isinstance(one, _SCALARS)}
        lists = self._lists(value)
        if not lists:
            yield Record(0, value, key, around)
        for name, found in lists:
            for one in found:
                yield from self._unfolded(one, name, {**around, **inner})

    def _lists(self, value: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
        """Its lists of objects under known keys; an empty one is a field of what has an id."""
        found = []
        named = "uuid" in value or "id" in value
        for name, one in value.items():
            if name in self._keys and isinstance(one, list):
                if all(isinstance(item, dict) for item in one) and (one or not named):
                    found.append((name, one))
            elif name in self._wrappers and isinstance(one, dict):
                found += self._lists(one)
        return found


def _numbered(found: Record | Skip, number: int) -> Record | tuple[int, Skip]:
    if isinstance(found, Skip):
        return number, found
    return Record(number, found.value, found.key, found.around)


def _built(events: Events, event: str, value: Any) -> Any:
    if event not in _STARTS:
        return value
    builder = ijson.ObjectBuilder()
    builder.event(event, value)
    depth = 1
    while depth:
        event, value = next(events)
        depth += (event in _STARTS) - (event in _ENDS)
        builder.event(event, value)
    return builder.value


def _pass_over(events: Events) -> None:
    depth = 1
    while depth:
        event, _ = next(events)
        depth += (event in _STARTS) - (event in _ENDS)
