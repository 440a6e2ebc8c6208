"""Which format a document has: by what it is said to be, by its name, by its first bytes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

TXT, MD, JSON, XML, HTML, PDF, DOCX = FORMATS = (
    "txt",
    "md",
    "json",
    "xml",
    "html",
    "pdf",
    "docx",
)
HEAD: Final = 4_096  # bytes that `sniffed` looks at

_ALSO = {"text": TXT, "markdown": MD, "htm": HTML, "xhtml": HTML}
_MEDIA = {
    "text/plain": TXT,
    "text/markdown": MD,
    "text/x-markdown": MD,
    "application/json": JSON,
    "text/json": JSON,
    "application/xml": XML,
    "text/xml": XML,
    "text/html": HTML,
    "application/xhtml+xml": HTML,
    "application/pdf": PDF,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": DOCX,
}
_BOMS = (b"\xff\xfe", b"\xfe\xff")


def named(word: str) -> str | None:
    """The format of its name, its extension or its media type, in any case."""
    plain = word.strip().lower()
    if plain in _MEDIA:
        return _MEDIA[plain]
    plain = plain.removeprefix(".")
    return plain if plain in FORMATS else _ALSO.get(plain)


def extension(name: str) -> str:
    """What stands behind a file name's last dot; "" for nothing."""
    return PurePosixPath(name).suffix.removeprefix(".")


def sniffed(head: bytes) -> str | None:
    """The format that a document's first bytes tell; None for what is no text."""
    if head.startswith(b"%PDF-"):
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return DOCX
    if b"\x00" in head and not head.startswith(_BOMS):
        return None
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:64].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return HTML
    if start.startswith(b"<?xml"):
        return XML
    if start.startswith((b"{", b"[")):
        return JSON
    return TXT
