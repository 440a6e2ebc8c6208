"""Reader of DOCX: the body's paragraphs, rows of tables, and headings by their styles."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO
from xml.parsers import expat

from memories.knowledge.blocks import TEXT, Block, Unreadable
from memories.knowledge.markup import parse_xml

MOST_UNPACKED = 209_715_200  # bytes of one part: a compressed bomb has far more than any book
_PART, _STYLES = "word/document.xml", "word/styles.xml"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main "
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)


class _Bounded:
    """What expat reads a part from; Unreadable once it unpacks to too much."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._left = source, MOST_UNPACKED

    def read(self, size: int = -1) -> bytes:
        piece = self._source.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise Unreadable("unpacks to too much")
        return piece


def read_docx(path: Path) -> Iterator[Block]:
    try:
        with zipfile.ZipFile(path) as packed:
            names = set(packed.namelist())
            if _PART not in names:
                raise Unreadable("is no DOCX")
            styles = _Styles()
            if _STYLES in names:
                with packed.open(_STYLES) as part:
                    parse_xml(_Bounded(part), styles.parser)  # type: ignore[arg-type]
            body = _Body(styles.levels)
            with packed.open(_PART) as part:
                parse_xml(_Bounded(part), body.parser)  # type: ignore[arg-type]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        # Not a ZIP, cut off, packed in a way that is not known, or with a password.
        raise Unreadable("is no DOCX") from None
    return iter(body.found)


def _local(name: str) -> str:
    return name.removeprefix(_W).removeprefix(_STRICT)


def _attribute(attributes: Mapping[str, str], name: str) -> str:
    return attributes.get(_W + name) or attributes.get(_STRICT + name) or ""


class _Styles:
    """Levels of the styles that are headings: named so in every language of the editor."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        match _local(name):
            case "style":
                self._style = _attribute(attributes, "styleId")
            case "name":
                named = _attribute(attributes, "val")
                heading = _HEADING.fullmatch(named)
                if heading is not None:
                    self.levels[self._style] = min(int(heading[1]), 6)
                elif named.lower() == "title":
                    self.levels[self._style] = 1


class _Body:
    def __init__(self, levels: Mapping[str, int]) -> None:
        self.found: list[Block] = []
        self._levels = levels
        self._held: list[str] = []
        self._cells: list[str] = []
        self._level, self._rows, self._in_text = TEXT, 0, False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        match _local(name):
            case "p":
                self._level = TEXT
            case "pStyle":
                style = _attribute(attributes, "val")
                self._level = self._levels.get(style, TEXT)
            case "tr":
                self._rows += 1
            case "t":
                self._in_text = True
            case "tab":
                self._held.append("\t")
            case "br" | "cr":
                self._held.append("\n")

    def _end(self, name: str) -> None:
        match _local(name):
            case "t":
                self._in_text = False
            case "p":
                text = "".join(self._held).strip()
                self._held.clear()
                if text and self._rows:
                    self._cells.append(text)
                elif text:
                    self.found.append(Block(text, self._level))
            case "tr":
                self._rows -= 1
                if not self._rows and self._cells:
                    self.found.append(Block(" | ".join(self._cells)))
                    self._cells = []

    def _text(self, data: str) -> None:
        if self._in_text:
            self._held.append(data)
