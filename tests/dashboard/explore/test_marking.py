"""A text cut up for its marks is the text, whatever the marks are."""

from __future__ import annotations

import random

from korely.dashboard.explore.marking import EXCERPT, Piece, Span, compare, cut_up, excerpt
from memories import lexicon


def test_overlapping_spans_cut_the_text_where_one_begins_or_ends() -> None:
    text = "My sister Anna is allergic."
    pieces = cut_up(text, [Span(3, 14, 1), Span(10, 26, 2), Span(10, 26, 3)])
    assert pieces == [
        Piece("My "),
        Piece("sister ", (1,)),
        Piece("Anna", (1, 2, 3), (1,)),
        Piece(" is allergic", (2, 3), (2, 3)),
        Piece("."),
    ]


def test_no_span_loses_or_repeats_anything() -> None:
    chance = random.Random(6)
    for _ in range(200):
        text = "".join(chance.choice("ab 柏😀\n\u202e") for _ in range(chance.randrange(40)))
        spans = []
        for number in range(chance.randrange(6) if text else 0):
            start = chance.randrange(len(text))
            spans.append(Span(start, chance.randrange(start + 1, len(text) + 1), number))
        pieces = cut_up(text, spans)
        assert "".join(piece.text for piece in pieces) == text
        assert sorted(n for piece in pieces for n in piece.ends) == [one.number for one in spans]
        for span in spans:
            marked = "".join(piece.text for piece in pieces if span.number in piece.numbers)
            assert marked == text[span.start : span.end]


def test_an_excerpt_shows_the_first_word_that_was_asked_for() -> None:
    text = "weather " * 200 + "we hiked to Oslo " + "rain " * 200
    found = excerpt(text, lexicon.terms("hiking in oslo"))
    marked = [piece.text for piece in found.pieces if piece.numbers]
    assert marked == ["hiked", "Oslo"]
    assert found.cut_before
    assert found.cut_after
    assert sum(len(piece.text) for piece in found.pieces) == EXCERPT
    plain = excerpt("short", lexicon.terms("nothing"))
    assert plain.pieces == [Piece("short")]
    assert not plain.cut_before
    assert not plain.cut_after


def test_places_are_found_in_scripts_without_spaces() -> None:
    text = "我搬到了柏林。"
    wanted = frozenset(lexicon.terms("柏林"))
    assert [text[start:end] for start, end in lexicon.places(text, wanted)] == ["柏林"]
    assert list(lexicon.places(text, frozenset())) == []


def test_two_texts_differ_in_one_part() -> None:
    for before, after in [
        ("I live in Rome.", "I live in Oslo."), ("aaa", "aaaa"), ("aaaa", "aaa"), ("", "x"),
        ("same", "same"), ("abc", "xyz"), ("abab", "ab"),
    ]:  # fmt: skip
        found = compare(before, after)
        assert found.start + found.before + found.end == before
        assert found.start + found.after + found.end == after
    assert compare("I live in Rome.", "I live in Oslo.").before == "Rome"
