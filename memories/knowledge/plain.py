"""Readers of TXT, Markdown and JSON."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memories.knowledge.blocks import Block, Unreadable

MOST_DEPTH = 64  # of JSON

# Longer marks first: that of UTF-32 begins with that of UTF-16.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def decoded(raw: bytes, encoding: str = "utf-8") -> str:
    """Text in the encoding that its byte-order mark tells, else in `encoding`.

    Guessing a legacy encoding would store wrong words without a notice, so that such a text is
    Unreadable; so is one with NUL, which is no text.
    """
    told = next((name for bom, name in _BOMS if raw.startswith(bom)), encoding)
    try:
        text = raw.decode(told)
    except (UnicodeDecodeError, LookupError):
        raise Unreadable("neither UTF-8 nor marked as another encoding") from None
    if "\x00" in text:
        raise Unreadable("has NUL characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_txt(path: Path) -> Iterator[Block]:
    return _paragraphs(decoded(path.read_bytes()))


def _paragraphs(text: str) -> Iterator[Block]:
    start = 0
    for blank in _BLANK_LINE.finditer(text):
        yield Block(text[start : blank.start()])
        start = blank.end()
    yield Block(text[start:])


def read_md(path: Path) -> Iterator[Block]:
    """Headings of both styles, outside fenced code; all else as it is written."""
    held: list[str] = []
    fenced: str | None = None
    for line in decoded(path.read_bytes()).split("\n"):
        fence = _FENCE.match(line)
        if fence is not None and fenced in (None, fence[1]):
            fenced = None if fenced else fence[1]
        heading = None if fenced or fence else _HEADING.fullmatch(line)
        under = None if fenced or fence else _UNDERLINE.fullmatch(line)
        if heading is not None:
            yield Block("\n".join(held))
            held = []
            yield Block(heading[2], len(heading[1]))
        elif under is not None and held and held[-1].strip():
            title = held.pop()
            yield Block("\n".join(held))
            held = []
            yield Block(title, 1 if under[1].startswith("=") else 2)
        elif line.strip() or fenced:
            held.append(line)
        else:
            yield Block("\n".join(held))
            held = []
    yield Block("\n".join(held))


def read_json(path: Path) -> Iterator[Block]:
    """A line `path.to.value: value` for each value; an object's members and a list's items apart.

    A member that holds more than one value is a heading.
    """
    try:
        value = json.loads(decoded(path.read_bytes()))
    except (ValueError, RecursionError):
        raise Unreadable("is not JSON") from None
    if isinstance(value, dict):
        for name, member in value.items():
            if isinstance(member, dict | list):
                yield Block(name, 1)
                yield Block("\n".join(_lines(member, "")))
            else:
                yield Block("\n".join(_lines(member, name)))
    elif isinstance(value, list):
        for item in value:
            yield Block("\n".join(_lines(item, "")))
    else:
        yield Block("\n".join(_lines(value, "")))


def _lines(value: Any, where: str, depth: int = 0) -> Iterator[str]:
    if depth > MOST_DEPTH:
        raise Unreadable("is nested too deeply")
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _lines(member, f"{where}.{name}" if where else name, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, where, depth + 1)
    else:
        shown = value if isinstance(value, str) else json.dumps(value)
        yield f"{where}: {shown}" if where else shown
