"""The core decides by the vocabulary it is given, and by no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from facts.reconciliation import Row, Statement, object_key, reconcile, related, settle, shown
from facts.vocabulary import BUILT_IN, Predicate, Vocabulary, extended
from korely.kernel.ids import uuid7
from tests.reconciliation.ledger import day

OWN = extended(
    [
        Predicate("badge_level", "work", single=True),
        Predicate("trusts", "people", single=False, opposite="distrusts"),
        Predicate("lives_in", "places", single=False),
    ]
)
NOW = day("2026-06-01")


def said(predicate: str, value: str, start: datetime) -> Statement:
    return Statement(
        id=uuid7(),
        subject_key="dana",
        predicate=predicate,
        object=value,
        object_key=object_key(value),
        tense="current",
        valid_from=start,
        invalid_at=None,
        observed_at=NOW,
        move="state",
        replaces=(),
        direct=True,
        now=NOW,
    )


def stored(predicate: str, value: str, start: str) -> Row:
    outcome = reconcile(said(predicate, value, day(start)), [])
    assert outcome.insert is not None
    return outcome.insert


@pytest.mark.parametrize(
    ("first", "second", "own", "built_in"),
    [
        (("badge_level", "gold"), ("badge_level", "tin"), "f", "g"),
        (("trusts", "Ann"), ("distrusts", "Ann"), "f", "g"),
        (("distrusts", "Ann"), ("trusts", "Ann"), "f", "g"),
        (("trusts", "Ann"), ("trusts", "Bob"), "g", "g"),
        (("lives_in", "Rome"), ("lives_in", "Oslo"), "g", "f"),
        (("likes", "tea"), ("dislikes", "tea"), "f", "f"),
    ],
)
def test_what_supersedes_is_up_to_the_vocabulary(
    first: tuple[str, str], second: tuple[str, str], own: str, built_in: str
) -> None:
    row = stored(*first, "2024")
    for vocabulary, rule in ((OWN, own), (BUILT_IN, built_in)):
        outcome = reconcile(said(*second, day("2025")), [row], vocabulary=vocabulary)
        assert outcome.rule == rule
        assert outcome.invalidated == ([row.id] if rule == "f" else [])


def test_an_earlier_value_is_history_where_there_is_one_at_a_time() -> None:
    row = stored("badge_level", "gold", "2025")
    outcome = reconcile(said("badge_level", "tin", day("2024")), [row], vocabulary=OWN)
    assert outcome.rule == "e" and outcome.insert is not None
    assert (outcome.insert.invalid_at, outcome.insert.invalidated_by) == (day("2025"), row.id)


@pytest.mark.parametrize(("vocabulary", "objects"), [(OWN, ["tin"]), (BUILT_IN, ["tin", "gold"])])
def test_a_read_shows_the_last_started_of_a_slot_of_the_vocabulary(
    vocabulary: Vocabulary, objects: list[str]
) -> None:
    rows = [stored("badge_level", "gold", "2024"), stored("badge_level", "tin", "2025")]
    assert [row.object for row in shown(rows, NOW, vocabulary=vocabulary)] == objects


def test_settling_leaves_what_began_last_of_a_slot_and_what_has_an_end() -> None:
    oldest, middle, last = (
        stored("badge_level", str(year), str(year)) for year in (2021, 2023, 2025)
    )
    ended = replace(
        stored("badge_level", "iron", "2022"),
        invalid_at=day("2024"),
        closed_reason="stated",
        closed_known_at=NOW,
    )
    assert settle([oldest, middle, last, ended], NOW) == []
    closes = settle([last, ended, middle, oldest], NOW, OWN)
    assert [(one.id, one.at, one.by, one.reason) for one in closes] == [
        (oldest.id, middle.valid_from, middle.id, "superseded"),
        (middle.id, last.valid_from, last.id, "superseded"),
    ]


def test_statements_meet_the_opposites_of_the_vocabulary() -> None:
    assert related("trusts", OWN) == {"trusts", "distrusts"} == related("distrusts", OWN)
    assert related("trusts") == {"trusts"}
    assert related("sold", OWN) == related("sold")
