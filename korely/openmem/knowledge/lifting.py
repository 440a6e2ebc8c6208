"""A JSON document with long strings, read without having these in memory.

Each long string goes to a file of its own, as it comes, and the document has a word in its place
that nobody can guess; what is left is small, and is read as strictly as every body.
"""

from __future__ import annotations

import io
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO

from korely.http.marks import MAX_BODY
from korely.kernel.errors import Refusal

LONG = 65_536  # bytes of a string that is lifted out
MOST_LIFTED = 64  # strings: more than files that may be sent
_PIECE = 262_144
_QUOTE = b'"'
_SPECIAL = re.compile(rb'["\\]')


@dataclass(slots=True)
class Lifted:
    """What is left of a document, and the strings that were lifted out of it, as they were spelled;
    only an escaped slash is written plain.
    """

    document: bytes = b""
    files: dict[str, IO[bytes]] = field(default_factory=dict)

    def text(self, value: str) -> IO[bytes]:
        """A string of the document as a file, from its start."""
        found = self.files.get(value)
        return io.BytesIO(value.encode("utf-8", "replace")) if found is None else found


def lift(read: Callable[[int], bytes], kept: ExitStack) -> Lifted:
    """Read a document; its files are closed by `kept`.

    Raises:
        Refusal: 413 when what is left is larger than any other body may be.
    """
    return _Lifting(read, kept).run()


class _Lifting:
    def __init__(self, read: Callable[[int], bytes], kept: ExitStack) -> None:
        self._read, self._kept = read, kept
        self._lifted = Lifted()
        self._secret = secrets.token_hex(16)
        self._document = bytearray()
        self._string = bytearray()
        self._file: IO[bytes] | None = None
        self._inside = self._escaped = False

    def run(self) -> Lifted:
        while piece := self._read(_PIECE):
            self._take(piece)
        self._document += self._string  # of a string that does not end
        self._require_small()
        self._lifted.document = bytes(self._document)
        for file in self._lifted.files.values():
            file.seek(0)
        return self._lifted

    def _take(self, piece: bytes) -> None:
        at = 0
        while at < len(piece):
            if self._escaped:
                self._escape(piece[at : at + 1])
                at += 1
            elif self._inside:
                found = _SPECIAL.search(piece, at)
                end = len(piece) if found is None else found.start()
                self._keep(piece[at:end])
                at = end + 1
                if found is not None and found[0] == _QUOTE:
                    self._end()
                elif found is not None:
                    self._escaped = True
            else:
                end = piece.find(_QUOTE, at)
                end = len(piece) if end < 0 else end + 1
                self._document += piece[at:end]
                self._inside = piece[end - 1 : end] == _QUOTE
                at = end
        self._require_small()

    def _escape(self, character: bytes) -> None:
        self._escaped = False
        self._keep(character if character == b"/" else b"\\" + character)

    def _keep(self, data: bytes) -> None:
        if self._file is not None:
            self._file.write(data)
            return
        self._string += data
        if len(self._string) > LONG and len(self._lifted.files) < MOST_LIFTED:
            file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `kept`
            self._file = self._kept.enter_context(file)
            self._file.write(self._string)
            self._string.clear()

    def _end(self) -> None:
        self._inside = False
        if self._file is not None:
            name = f"{self._secret}:{len(self._lifted.files)}"
            self._lifted.files[name] = self._file
            self._file = None
            self._string += name.encode()
        self._document += self._string + _QUOTE
        self._string.clear()

    def _require_small(self) -> None:
        if len(self._document) + len(self._string) > MAX_BODY:
            message = f"The body without its files is larger than {MAX_BODY:,} bytes"
            raise Refusal(413, "payload_too_large", message)
