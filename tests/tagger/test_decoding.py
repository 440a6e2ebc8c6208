"""Scores as tags."""

from __future__ import annotations

import numpy as np
import pytest

from facts.extraction.tagger.decoding import Scores, Tag, tags_of
from facts.extraction.tagger.labels import BEGIN, INSIDE, OUTSIDE, PREDICATES, SENSES
from facts.extraction.tagger.windows import Window

TEXT = "Anna Berg likes green tea, coffee"
PLACES = ((0, 4), (5, 9), (10, 15), (16, 21), (22, 25), (25, 26), (27, 30), (30, 33))
SURE = 12.0


def window(context: int = 0) -> Window:
    return Window(tuple(range(8)), (0,) * 8, PLACES, context)


def table(rows: int, labels: dict[int, int], width: int) -> np.ndarray:
    found = np.zeros((rows, width), dtype=np.float32)
    for row in range(rows):
        found[row, labels.get(row, 0)] = SURE
    return found


def decoded(
    objects: dict[int, int], *, pointer: int = 1, context: int = 0, subjects: dict[int, int] | None
    = None,
) -> list[Tag]:  # fmt: skip
    likes, planned = PREDICATES.index("likes"), SENSES.index("planned")
    everywhere = range(10)
    scores = Scores(
        table(10, objects, 3),
        table(10, {1: BEGIN, 2: INSIDE} if subjects is None else subjects, 3),
        table(10, dict.fromkeys(everywhere, likes), len(PREDICATES)),
        table(10, dict.fromkeys(everywhere, planned), len(SENSES)),
        table(10, dict.fromkeys(everywhere, pointer), 10),
    )
    return list(tags_of(TEXT, window(context), scores))


def words(tag: Tag) -> str:
    return TEXT[slice(*tag.place)]


def test_spans_and_their_labels() -> None:
    green, coffee = decoded({4: BEGIN, 5: INSIDE, 7: BEGIN, 8: INSIDE})
    assert (words(green), words(coffee)) == ("green tea", "coffee")
    assert (green.predicate, green.sense) == ("likes", "planned")
    assert green.about is not None
    assert TEXT[slice(*green.about)] == "Anna Berg"
    assert green.score == pytest.approx(1, abs=0.01)


def test_a_word_is_in_or_out_as_its_first_piece_is() -> None:
    (half,) = decoded({7: BEGIN, 8: OUTSIDE})
    assert words(half) == "coffee"
    assert decoded({8: INSIDE}) == []


def test_two_objects_may_touch() -> None:
    assert [words(one) for one in decoded({4: BEGIN, 5: BEGIN})] == ["green", "tea"]


def test_an_object_may_lack_its_beginning() -> None:
    assert [words(one) for one in decoded({4: INSIDE, 5: INSIDE})] == ["green tea"]


def test_the_first_token_is_the_end_user() -> None:
    (one,) = decoded({4: BEGIN}, pointer=0)
    assert one.about is None


def test_a_mention_that_is_pointed_into_is_whole() -> None:
    (one,) = decoded({4: BEGIN}, pointer=2)
    assert one.about is not None
    assert TEXT[slice(*one.about)] == "Anna Berg"
    (other,) = decoded({4: BEGIN}, pointer=2, subjects={})
    assert other.about is not None
    assert TEXT[slice(*other.about)] == "Berg"


def test_what_an_earlier_window_has_read_is_not_read_again() -> None:
    assert [words(one) for one in decoded({4: BEGIN, 7: BEGIN}, context=5)] == ["coffee"]
