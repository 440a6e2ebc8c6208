"""Base64 of any length to bytes, a piece at a time."""

from __future__ import annotations

import binascii
import tempfile
from contextlib import ExitStack
from typing import IO

_PIECE = 262_144  # characters
_IN_MEMORY = 1_048_576
_SPACE = b" \t\r\n"


class BadBase64(ValueError):
    """It is not base64 of RFC 4648, section 4, with its padding."""


def decode(source: IO[bytes], most: int, kept: ExitStack) -> tuple[IO[bytes], int]:
    """A file with the bytes, from its start, and how many there are: of more than `most` the rest
    is not decoded. White space is passed over.

    Raises:
        BadBase64: a character or a padding that does not belong.
    """
    spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed by `kept`
    into = kept.enter_context(spool)
    size, rest, ended = 0, b"", False
    while size <= most:
        piece = source.read(_PIECE)
        rest += piece.translate(None, _SPACE)
        whole = len(rest) if not piece else len(rest) - len(rest) % 4
        part, rest = rest[:whole], rest[whole:]
        if part and ended:
            raise BadBase64
        try:
            found = binascii.a2b_base64(part, strict_mode=True)
        except binascii.Error:
            raise BadBase64 from None
        size += into.write(found)
        ended = ended or b"=" in part
        if not piece:
            break
    into.seek(0)
    return into, size
