"""Readers of XML and HTML. Nothing outside the document is ever opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, NoReturn
from xml.parsers import expat

from memories.knowledge.blocks import TEXT, Block, Unreadable
from memories.knowledge.plain import decoded

_PIECE = 65_536
_SPACE = re.compile(r"[ \t\n\r\f]+")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SILENT = frozenset({"script", "style", "template", "noscript", "svg", "math"})
_INLINE = frozenset(
    "a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span"
    " strong sub sup time tt u var wbr".split()
)


def parse_xml(source: IO[bytes], parser: expat.XMLParserType) -> None:
    """Run a document through a parser that has its handlers.

    Entities that a document declares are refused: they are what expands without bounds and what
    reads other files. Elements may be nested as deeply as they like; expat does not recurse.
    """
    parser.EntityDeclHandler = _refuse_entity
    parser.ExternalEntityRefHandler = _refuse_entity
    parser.buffer_text = True
    try:
        parser.ParseFile(source)
    except expat.ExpatError:
        raise Unreadable("is not well-formed XML") from None


def _refuse_entity(*_: object) -> NoReturn:
    raise Unreadable("declares entities")


def read_xml(path: Path) -> Iterator[Block]:
    """The text of each element, apart from what is in elements within it."""
    found: list[Block] = []
    held: list[str] = []

    def end(*_: object) -> None:
        text = _SPACE.sub(" ", "".join(held)).strip()
        held.clear()
        if text:
            found.append(Block(text))

    parser = expat.ParserCreate()
    parser.StartElementHandler = parser.EndElementHandler = end
    parser.CharacterDataHandler = held.append
    with path.open("rb") as source:
        parse_xml(source, parser)
    return iter(found)


def read_html(path: Path) -> Iterator[Block]:
    raw = path.read_bytes()
    charset = _CHARSET.search(raw[:4_096])
    text = decoded(raw, charset[1].decode("ascii") if charset else "utf-8")
    page = _Page()
    for at in range(0, len(text), _PIECE):
        page.feed(text[at : at + _PIECE])
        yield from page.taken()
    page.close()
    page.flush()
    yield from page.taken()


class _Page(HTMLParser):
    """Headings and texts of a page; inline elements do not end a text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._found: list[Block] = []
        self._held: list[str] = []
        self._level = TEXT
        self._silent: str | None = None

    def taken(self) -> list[Block]:
        found, self._found = self._found, []
        return found

    def flush(self) -> None:
        text = _SPACE.sub(" ", "".join(self._held)).strip()
        self._held.clear()
        if text:
            self._found.append(Block(text, self._level))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent is not None or tag in _INLINE:
            return
        self.flush()
        if tag in _SILENT:
            self._silent = tag
        if tag in _HEADINGS:
            self._level = _HEADINGS[tag]

    def handle_endtag(self, tag: str) -> None:
        if self._silent is not None:
            if tag == self._silent:
                self._silent = None
            return
        if tag in _INLINE:
            return
        self.flush()
        if tag in _HEADINGS:
            self._level = TEXT

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _INLINE and self._silent is None:
            self.flush()

    def handle_data(self, data: str) -> None:
        if self._silent is None:
            self._held.append(data)
