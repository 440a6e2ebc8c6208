"""Reader of PDF: the text of each page, below the headings of the document's outline."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from memories.knowledge.blocks import Block, Unreadable

MOST_PAGES = 5_000
_DEEPEST = 6  # level of headings

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its notes quote the document


def read_pdf(path: Path) -> Iterator[Block]:
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("needs a password")
        if len(reader.pages) > MOST_PAGES:
            raise Unreadable("has too many pages")
        headings = _headings(reader)
        for number, page in enumerate(reader.pages):
            yield from headings.get(number, ())
            yield Block(page.extract_text())
    except Unreadable:
        raise
    except (PyPdfError, RecursionError, ValueError, KeyError, TypeError, AttributeError) as error:
        # A document may be broken in any place that the library reads.
        raise Unreadable(f"is no PDF that can be read ({type(error).__name__})") from None


def _headings(reader: PdfReader) -> dict[int, list[Block]]:
    """Headings by the number of the page they are on; none of an outline that is broken."""
    found: defaultdict[int, list[Block]] = defaultdict(list)

    def walk(entries: list[Any], level: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                walk(entry, min(level + 1, _DEEPEST))
            else:
                number = reader.get_destination_page_number(entry)
                if number is not None:
                    found[number].append(Block(str(entry.title), level))

    try:
        walk(reader.outline, 1)
    except (PyPdfError, RecursionError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return found
