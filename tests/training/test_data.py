"""The training texts of the repository."""

from __future__ import annotations

from collections import Counter

import pytest

from facts.extraction.training.rows import SENSES, Row, read_row, read_rows
from facts.vocabulary import TABLE, canonical

LANGUAGES = {"de", "en", "es", "fr", "it"}


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(read_rows())


def test_every_text_stands_once_and_survives_its_line(rows: list[Row]) -> None:
    assert len({row.id for row in rows}) == len(rows)
    assert len({row.text for row in rows}) == len(rows)
    assert all(read_row(row.line()) == row for row in rows)


def test_every_mark_lies_in_its_text(rows: list[Row]) -> None:
    for row in rows:
        end = 0
        for mark in row.marks:
            begin, after = mark.place
            assert end <= begin < after <= len(row.text), row.id
            words = row.text[begin:after]
            assert words == words.strip(), row.id
            end = after
            if mark.about is not None:
                assert 0 <= mark.about[0] < mark.about[1] <= len(row.text), row.id
            else:
                assert mark.subject == "user", row.id


def test_predicates_are_written_in_one_way(rows: list[Row]) -> None:
    """A spelling variant of a predicate of the table would teach two names for one meaning."""
    for row in rows:
        for mark in row.marks:
            if canonical(mark.predicate) in TABLE:
                assert canonical(mark.predicate) == mark.predicate, row.id


def test_a_text_is_tagged_none_exactly_when_it_states_nothing(rows: list[Row]) -> None:
    for row in rows:
        stated = any(mark.sense in SENSES[:3] and not mark.optional for mark in row.marks)
        assert not (stated and "none" in row.tags), row.id


def test_a_good_part_states_nothing_and_a_part_is_in_other_languages(rows: list[Row]) -> None:
    free = sum(not row.marks for row in rows) / len(rows)
    assert 0.15 < free < 0.35
    languages = Counter(row.language for row in rows)
    assert set(languages) >= LANGUAGES
    assert 0.10 < 1 - languages["en"] / len(rows) < 0.30


def test_every_predicate_of_the_table_is_taught(rows: list[Row]) -> None:
    taught = Counter(mark.predicate for row in rows for mark in row.marks)
    assert [predicate for predicate in TABLE if taught[predicate] < 3] == []
