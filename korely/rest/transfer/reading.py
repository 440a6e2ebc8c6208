"""The lines of an import, read strictly: a bad one fails alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from facts.services import ImportedFact, ImportedName
from korely.http import strict_json
from korely.http.marks import MAX_BODY, MAX_LINES
from korely.http.shapes import Shape, check, unreadable
from korely.kernel import errors
from korely.kernel.errors import Refusal
from korely.rest.transfer import FORMAT, VERSION
from korely.rest.transfer.shapes import End, Fact, Header, Memory, Name
from memories.services import Entry, ImportedMemory, Line

ReadLine = Callable[[int], bytes]

MOST_LINE = MAX_BODY  # bytes

# The shortest line that says anything, a name, has 61 bytes: a body has no more of them.
MOST_LINES = MAX_LINES // 61

_SHAPES: dict[Any, type[Shape]] = {"memory": Memory, "fact": Fact, "name": Name, "end": End}


class Lines:
    """The lines of a file after its header, numbered from 1, which is the header's.

    Blank lines say nothing. `complete`, once they are all read: the last one was an end line whose
    counts agree with the lines before it.
    """

    def __init__(self, read_line: ReadLine, *, most: int | None = None) -> None:
        """`most`: so many lines are read, blank ones too, and the rest is one that fails.

        Raises:
            Refusal: 422 when the first line is no header of this format and version.
        """
        self._read_line = read_line
        self._most = most
        self._number = 0
        self._counts: Counter[str] = Counter()
        self._ended = False
        self.complete = False
        _require_header(next(self._raw(), None))

    def __iter__(self) -> Iterator[Line]:
        for raw in self._raw():
            entry = self._entry(raw)
            if entry is not None:
                yield self._number, entry
        if self._number == self._most and self._read_line(1):
            self.complete = False
            yield self._number + 1, f"lines past the first {self._most:,} are not read"

    def _raw(self) -> Iterator[bytes | None]:
        """Lines that are not blank; None for one that is too long to be read."""
        while self._number != self._most and (part := self._read_line(MOST_LINE + 1)):
            self._number += 1
            if len(part) > MOST_LINE and not part.endswith(b"\n"):
                while part and not part.endswith(b"\n"):
                    part = self._read_line(MOST_LINE + 1)
                yield None
            elif part.strip():
                yield part

    def _entry(self, raw: bytes | None) -> Entry | str | None:
        """What a line says, why it cannot be taken, or None for the end line."""
        if self._ended:
            self.complete = False
            return "stands after the end line"
        if raw is None:
            return f"is longer than {MOST_LINE:,} bytes"
        try:
            value = strict_json.read(raw)
        except strict_json.Malformed as error:
            return str(error).replace("the body", "the line")
        if not isinstance(value, dict):
            return "the line must be a JSON object"
        kind = value.get("type")
        shape = _SHAPES.get(kind) if isinstance(kind, str) else None
        if shape is None:
            return f"type must be one of: {', '.join(_SHAPES)}"
        try:
            if shape is End:
                self._end(check(End, value, "body"))
                return None
            self._counts[str(kind)] += 1
            return entry_of(value)
        except Refusal as refusal:
            return refusal.message

    def _end(self, found: Mapping[str, int]) -> None:
        self._ended = True
        said = (found["memories"], found["facts"], found["names"])
        self.complete = said == tuple(self._counts[one] for one in ("memory", "fact", "name"))


def entry_of(line: Mapping[str, Any]) -> Entry:
    """What the line of a memory, a fact or a name says.

    Raises:
        Refusal: 422 whose message names the field that is wrong.
    """
    shape = _SHAPES[line["type"]]
    found = check(shape, line, "body")
    del found["type"]
    return _of(shape, found)


def _require_header(raw: bytes | None) -> None:
    if raw is None:
        raise errors.invalid("format", "is required: the first line has to be the header")
    try:
        value = strict_json.read(raw)
    except strict_json.Malformed as error:
        raise unreadable(f"line 1, the header: {error}") from None
    if not isinstance(value, Mapping):
        raise unreadable("line 1, the header, must be a JSON object")
    found = check(Header, value, "body")
    if found["format"] != FORMAT:
        raise errors.invalid("format", f"must be {FORMAT}")
    if found["version"] != VERSION:
        raise errors.invalid("version", f"must be {VERSION}")


def _of(shape: type[Shape], found: dict[str, Any]) -> Entry:
    if shape is Name:
        return ImportedName(**found)
    if shape is Memory:
        found.pop("status", None)  # an imported memory is ready
        return ImportedMemory(**{"updated_at": found["created_at"], **found})
    for name in ("predicate_family", "source_memory_id"):
        found.pop(name, None)  # told by the others
    return ImportedFact(sources=found.pop("source_memory_ids", ()), **found)
