"""Documents to texts, without a server: bounds, headings, encodings."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.knowledge.blocks import Block, Unreadable
from memories.knowledge.chunks import LONGEST, MOST_PATH, cut
from memories.knowledge.plain import decoded, read_md
from memories.knowledge.reading import texts_of
from tests.openmem.knowledge.documents import docx


def test_a_text_carries_the_path_of_its_headings() -> None:
    blocks = [
        Block("Before."),
        Block("Guide", 1),
        Block("Boiler", 2),
        Block("Two bar."),
        Block("Hot."),
        Block("Pump", 2),
        Block("Notes", 1),
        Block("The end."),
    ]
    assert list(cut(blocks)) == [
        "Before.",
        "Guide > Boiler\nTwo bar.\nHot.",
        "Guide > Pump",
        "Notes\nThe end.",
    ]


def test_long_headings_leave_room_for_the_text() -> None:
    blocks = [Block("head " * 1_000, 1), Block("tail " * 1_000)]
    found = list(cut(blocks))
    assert all(len(text) <= LONGEST for text in found)
    assert {len(text.split("\n")[0]) for text in found} == {MOST_PATH}


@given(
    st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.integers(0, 6)), max_size=8),
    st.integers(400, 900),
)
def test_every_word_is_kept_whole_and_in_order(blocks: list[tuple[str, int]], most: int) -> None:
    found = list(cut([Block(text, level) for text, level in blocks], most))
    assert all(text.strip() and len(text) <= most for text in found)
    kept = "\n".join(found)
    for text, level in blocks:
        for word in text.replace("\x00", "").split():
            assert level or len(word) > 90 or word in kept


def test_words_are_cut_only_where_they_are_longer_than_a_text() -> None:
    words = [f"word{number}" for number in range(3_000)]
    found = list(cut([Block(" ".join(words))]))
    assert " ".join(found).split() == words
    long = "漢字" * 3_000 + "e\u0301" * 2_000
    pieces = list(cut([Block(long)]))
    assert "".join(pieces) == long
    assert not any(piece.startswith("\u0301") for piece in pieces)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_marked_encodings_are_read(mark: bytes, encoding: str) -> None:
    assert decoded(mark + "Übergröße 漢字\r\n".encode(encoding)) == "Übergröße 漢字\n"


@pytest.mark.parametrize("raw", ["Übergröße".encode("cp1252"), b"a\x00b", b"\xff\xfea"])
def test_an_encoding_is_never_guessed(raw: bytes) -> None:
    with pytest.raises(Unreadable):
        decoded(raw)


def test_code_of_markdown_has_no_headings(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Title\n=====\n```sh\n# no heading\n```\nPart\n----\ntext")
    assert list(cut(read_md(path))) == ["Title\n```sh\n# no heading\n```", "Title > Part\ntext"]


def test_a_document_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(docx(("", "text")))
    with pytest.raises(Unreadable, match="too long"):
        list(texts_of(path, "docx", tmp_path / "texts", seconds=0.001))
    assert list(texts_of(path, "docx", tmp_path / "texts")) == ["text"]
