"""A document's blocks cut into texts of bounded length, each with the headings it stands below."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from memories.knowledge.blocks import TEXT, Block

LONGEST = 2_000  # characters of a text, headings included; contract, section 8
MOST_PATH = 300  # characters of headings
_BETWEEN = " > "
_MOST_MARKS = 64  # combining marks that are kept with the character before them
_JOINERS = "\u200d\ufe0e\ufe0f"
_ENDS = (". ", "! ", "? ", "。", "！", "？")  # of sentences


def cut(blocks: Iterable[Block], longest: int = LONGEST) -> Iterator[str]:
    """Texts of at most `longest` characters, in order; none is blank.

    The first line of a text is the path of its headings, if it has any. Texts end between
    paragraphs, else lines, sentences, words; a word is cut only where it is longer than a text.
    A heading that nothing stands below is a text by itself.
    """
    path: list[Block] = []
    held: list[str] = []
    size, told = 0, True

    for block in blocks:
        text = _plain(block.text)
        if not text:
            continue
        if block.level != TEXT:
            if held:
                yield _with_path(path, held)
                held, size, told = [], 0, True
            if not told and path[-1].level >= block.level:
                yield _shown(path)
            path = [one for one in path if one.level < block.level]
            path.append(Block(" ".join(text.split()), block.level))
            told = False
            continue
        room = longest - len(_shown(path)) - 1
        for piece in _pieces(text, room):
            if held and size + 1 + len(piece) > room:
                yield _with_path(path, held)
                held, size = [], 0
            held.append(piece)
            size += len(piece) + 1
            told = True
    if held:
        yield _with_path(path, held)
    elif not told:
        yield _shown(path)


def _plain(text: str) -> str:
    """What the database can keep: no NUL, no lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()


def _shown(path: list[Block]) -> str:
    """The headings in one line; of a long path the last ones."""
    shown = _BETWEEN.join(one.text for one in path)
    return shown if len(shown) <= MOST_PATH else "…" + shown[1 - MOST_PATH :]


def _with_path(path: list[Block], held: list[str]) -> str:
    return "\n".join([_shown(path), *held] if path else held)


def _pieces(text: str, room: int) -> Iterator[str]:
    start = 0
    while len(text) - start > room:
        end = start + _boundary(text[start : start + room + 1])
        piece = text[start:end].strip()
        if piece:
            yield piece
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
    rest = text[start:].strip()
    if rest:
        yield rest


def _boundary(window: str) -> int:
    """Where to cut before the window's last character, as late as it is natural."""
    most = len(window) - 1
    for ends in (("\n",), _ENDS):
        found = max(window.rfind(one, 0, most) + len(one.rstrip()) for one in ends)
        if found > most // 2:
            return found
    for at in range(most, 0, -1):
        if window[at].isspace():
            return at
    for at in range(most, max(most - _MOST_MARKS, 0), -1):
        if not _joined(window[at - 1], window[at]):
            return at
    return most


def _joined(before: str, after: str) -> bool:
    return unicodedata.combining(after) != 0 or after in _JOINERS or before == "\u200d"
