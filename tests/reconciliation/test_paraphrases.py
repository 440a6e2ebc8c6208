"""Restatements: what the words decide, what likeness decides, and what neither may end."""

import json
from datetime import timedelta
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.reconciliation import NEAR, reconcile
from facts.reconciliation.paraphrase import compare_words
from facts.vocabulary import FAMILIES, family
from korely.embedding import load
from tests.reconciliation.ledger import Ledger

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parent / "paraphrases.jsonl").open(encoding="utf-8")
]
MODEL = lru_cache(load)
SUBJECTS = ("dana", "3f2c9a4e-77b1-4c8e-9a51-0d4be2f0c1aa")


def restated(pairs: list[dict[str, object]], subject: str) -> list[bool]:
    """Whether each pair is found to be a restatement, by words and the bundled model."""
    verdicts = [compare_words(str(pair["left"]), str(pair["right"])) for pair in pairs]
    asked = [pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict == "open"]
    sides = [
        MODEL().embed(
            [f"{subject} {str(p['predicate']).replace('_', ' ')} {p[side]}" for p in asked]
        )
        for side in ("left", "right")
    ]
    near = iter((np.sum(sides[0] * sides[1], axis=1) >= NEAR).tolist())
    return [verdict == "same" or (verdict == "open" and next(near)) for verdict in verdicts]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_pair_of_different_meaning_is_a_restatement(subject: str) -> None:
    found = restated(PAIRS, subject)
    wrong = [pair for pair, same in zip(PAIRS, found, strict=True) if same and not pair["same"]]
    assert wrong == []
    right = [pair for pair, same in zip(PAIRS, found, strict=True) if same and pair["same"]]
    assert len(right) > 0.55 * sum(pair["same"] for pair in PAIRS)


def test_the_labelled_pairs_are_of_every_family_and_mostly_different() -> None:
    assert {family(pair["predicate"]) for pair in PAIRS} == set(FAMILIES)
    assert len(PAIRS) > 400
    assert sum(not pair["same"] for pair in PAIRS) > 0.55 * len(PAIRS)


def test_the_order_of_two_objects_changes_no_verdict() -> None:
    for pair in PAIRS:
        left, right = pair["left"], pair["right"]
        assert compare_words(left, right) == compare_words(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("async standups", "asynchronous stand-up meetings"),
        ("running in the morning", "morning runs"),
        ("Async standups", "asynchronous standups"),
        ("a call with Anna on Mondays", "Monday calls with Anna"),
        ("working from home", "remote work"),
    ],
)
def test_the_same_words_turned_round_are_the_same(left: str, right: str) -> None:
    assert left.casefold() != right.casefold()
    assert compare_words(left, right) in {"same", "open"}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ann Lee", "Anna Lee"),
        ("J. Smith", "John Smith"),
        ("Postgres", "PostgreSQL"),
        ("the big apple", "New York City"),
        ("ASR1603", "ASR1605"),
        ("tea", "green tea"),
        ("coffee without sugar", "coffee with sugar"),
        ("meetings before noon", "meetings after noon"),
        ("two meetings of 30 minutes", "two meetings of 60 minutes"),
        ("2026-08-15", "2026-08-16"),
        ("red wine", "white wine"),
        ("light mode", "dark mode"),
        ("invoices to clients", "invoices from clients"),
        ("dogs chasing cats", "cats chasing dogs"),
        ("fish", "fishing"),
        ("a call with Anna on Mondays", "Monday calls with Hanna"),
        ("Kaffee ohne Zucker", "Zucker ohne Kaffee"),
        ("早上跑步", "晚上跑步"),
        ("", "?"),
    ],
)
def test_where_the_words_speak_against_it_likeness_is_not_asked(left: str, right: str) -> None:
    assert compare_words(left, right) == "different"
    assert compare_words(right, left) == "different"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_have_one_verdict(left: str, right: str) -> None:
    assert compare_words(left, right) == compare_words(right, left)


def ledger(*lines: str) -> Ledger:
    made = Ledger(alike=[frozenset({"crowded places", "places full of people"})])
    for line in lines:
        made.tell(line)
    return made


def test_a_restatement_of_a_value_that_adds_up_confirms_it() -> None:
    assert ledger(
        "2026-01-01 says dislikes crowded places",
        "2026-02-01 says dislikes places full of people",
        "2026-03-01 posts dislikes crowded places",
    ).lines() == ["dislikes crowded places 2026-01-01 .. x3"]


def test_a_restatement_in_a_single_slot_confirms_and_supersedes_nothing() -> None:
    assert ledger(
        "2026-01-01 says prefers_meeting async standups",
        "2026-02-01 says prefers_meeting asynchronous stand-up meetings",
    ).lines() == ["prefers_meeting async standups 2026-01-01 .. x2"]


def test_a_restatement_ends_what_it_restates() -> None:
    assert ledger(
        "2026-01-01 says does_exercise running in the morning",
        "2026-02-01 ends does_exercise morning runs",
    ).lines() == ["does_exercise running in the morning 2026-01-01 .. 2026-02-01 closed"]


def test_a_plan_in_other_words_is_one_plan_and_comes_true_in_either() -> None:
    assert ledger(
        "2026-01-01 plans does_exercise running in the morning from 2026-03",
        "2026-01-02 plans does_exercise morning runs from 2026-03",
        "2026-03-02 says does_exercise morning runs",
    ).lines() == [
        "plan does_exercise running in the morning 2026-03-01 .. 2026-03-02 fulfilled"
        " by morning runs x2",
        "does_exercise morning runs 2026-03-02 ..",
    ]


def test_a_plan_called_off_in_other_words_is_cancelled() -> None:
    (line,) = ledger(
        "2026-01-01 plans does_exercise running in the morning from 2026-03",
        "2026-02-01 ends does_exercise morning runs",
    ).lines()
    assert line.endswith("2026-02-01 cancelled")


def test_the_same_words_go_before_a_restatement() -> None:
    """Told on different days of the past, both were stored: each is confirmed by its own words."""
    made = ledger(
        "2026-05-01 says likes running in the morning until 2026-06-01",
        "2026-07-01 says likes morning runs",
        "2026-05-02 says likes running in the morning from 2026-05-02 until 2026-09-01",
    )
    before = made.find("morning runs")
    assert made.tell("2026-07-02 says likes morning runs").confirm == before.id


def test_what_opposes_is_never_confirmed_away() -> None:
    made = ledger(
        "2026-01-01 says likes running in the morning",
        "2026-02-01 says dislikes morning runs",
        "2026-03-01 says likes morning runs",
    )
    assert made.lines() == [
        "likes running in the morning 2026-01-01 ..",
        "dislikes morning runs 2026-02-01 .. 2026-03-01 superseded by morning runs",
        "likes morning runs 2026-03-01 ..",
    ]


def test_a_memory_read_again_confirms_what_it_restated_even_when_that_has_ended() -> None:
    made = ledger("2026-01-01 says prefers_meeting async standups")
    stored = made.find("async standups")
    made.tell("2026-02-01 says prefers_meeting asynchronous stand-up meetings")
    made.tell("2026-03-01 says prefers_meeting no meetings")
    again = made.parse("2026-02-01 says prefers_meeting asynchronous stand-up meetings")
    outcome = reconcile(
        again, list(made.rows.values()), same_meaning=lambda new, old: True, stated=[stored.id]
    )
    assert (outcome.confirm, outcome.insert, outcome.closes) == (stored.id, None, [])


def test_an_end_told_in_other_words_and_read_again_writes_no_row() -> None:
    made = ledger("2026-01-01 says does_exercise running in the morning")
    for _ in range(2):
        made.tell("2026-02-01 ends does_exercise morning runs")
    assert made.lines() == ["does_exercise running in the morning 2026-01-01 .. 2026-02-01 closed"]


def test_an_old_text_ends_where_its_restatement_is_known_to_have_ended() -> None:
    made = ledger(
        "2026-01-01 says does_exercise running in the morning",
        "2026-06-01 ends does_exercise running in the morning",
        "2025-11-01 says does_exercise morning runs",
    )
    assert made.find("morning runs").invalid_at == made.find("running in the morning").invalid_at


def test_without_likeness_nothing_is_looked_for_in_other_words() -> None:
    made = ledger("2026-01-01 says dislikes crowded places")
    said = made.parse("2026-02-01 says dislikes places full of people")
    assert reconcile(said, list(made.rows.values())).rule == "g"


# What may be told, in several wordings; which of them are alike is drawn, and need not be an
# equivalence: a model is not one.
WORDINGS = (
    "red apple pie",
    "pie of red apples",
    "red pie and apple sauce",
    "pie apple",
    "red tart",
)
STEPS = st.tuples(
    st.integers(0, 300),
    st.sampled_from(["says", "says", "past", "ends", "denies", "plans", "posts"]),
    st.sampled_from(["likes", "dislikes", "favorite_food", "owns"]),
    st.sampled_from(WORDINGS),
)


@given(
    st.lists(STEPS, max_size=14),
    st.sets(st.sampled_from([frozenset(pair) for pair in combinations(WORDINGS, 2)])),
)
def test_whatever_is_alike_a_slot_has_one_open_row_and_only_a_rival_supersedes(
    steps: list[tuple[int, str, str, str]], alike: set[frozenset[str]]
) -> None:
    made = Ledger(alike=sorted(alike, key=sorted))
    first = made.parse("2026-01-01 says x y").observed_at
    for offset, verb, predicate, value in steps:
        date = (first + timedelta(days=offset)).date().isoformat()
        outcome = made.tell(f"{date} {verb} {predicate} {value}")  # checks the table's rules
        for close in outcome.closes:
            if close.reason == "superseded" and not made.rows[close.id].is_plan:
                assert predicate in {"likes", "dislikes", "favorite_food"}
