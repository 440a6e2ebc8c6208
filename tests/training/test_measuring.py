"""Figures of an engine on marked texts, and what a score is worth."""

from __future__ import annotations

import random

import pytest

from facts.extraction.pattern import PatternEngine
from facts.extraction.training.calibrate import calibration, least, log_odds
from facts.extraction.training.marked import read_marked
from facts.extraction.training.measure import measure, reliability
from facts.extraction.training.rows import split


def test_found_missed_and_wrong_facts_are_counted_by_tag() -> None:
    rows = [
        read_marked("a :: I live in [Rome|lives_in].", name="1"),
        read_marked("a b :: I live in [Rome|likes].", name="2"),
        read_marked("none :: I live in Rome.", name="3"),
        read_marked("none :: How are you?", name="4"),
        read_marked("b :: Grumbling, he went home to [Bo|has_child].", name="5"),
    ]
    found = measure(PatternEngine(), rows)
    assert (found.counts.right, found.counts.missed, found.counts.wrong) == (1, 2, 2)
    assert (found.by_tag["b"].right, found.by_tag["b"].missed, found.by_tag["b"].wrong) == (0, 2, 1)
    assert (found.silent, found.fact_free) == (1, 2)
    assert found.counts.precision == pytest.approx(1 / 3)
    assert found.counts.f1 == pytest.approx(1 / 3)
    assert len(found.errors) == 4
    assert "F1 0.333" in found.line()


def test_optional_and_replaced_facts_count_neither_way() -> None:
    rows = [
        read_marked("a :: I live in [Rome|lives_in|optional].", name="1"),
        read_marked("a :: My [car|owns|optional] is red.", name="2"),
        read_marked("a :: I switched from [Vim|uses|replaced] to [Emacs|uses].", name="3"),
    ]
    found = measure(PatternEngine(), rows)
    assert (found.counts.right, found.counts.missed, found.counts.wrong) == (1, 0, 0)


def test_a_wrong_tense_is_found_and_told_apart() -> None:
    found = measure(
        PatternEngine(), [read_marked("a :: I live in [Rome|lives_in|past].", name="1")]
    )
    assert found.counts.right == 1
    assert (found.tenses[True], found.tenses[False]) == (0, 1)


def test_every_tenth_text_is_held_out() -> None:
    rows = [read_marked("none :: Hello?", name=str(number)) for number in range(25)]
    learnt, held_out = split(rows)
    assert [row.id for row in held_out] == ["0", "10", "20"]
    assert len(learnt) == 22


def test_calibration_finds_the_line_behind_the_verdicts() -> None:
    chance = random.Random(5)
    verdicts = []
    for _ in range(20_000):
        score = chance.random()
        odds = 2.0 * log_odds(score) - 1.0
        verdicts.append((score, chance.random() < 1 / (1 + 2.718281828**-odds)))
    slope, shift = calibration(verdicts)
    assert slope == pytest.approx(2.0, abs=0.1)
    assert shift == pytest.approx(-1.0, abs=0.1)


def test_the_threshold_keeps_the_precision_and_takes_the_best_f1() -> None:
    verdicts = [(0.9, True), (0.8, True), (0.7, False), (0.6, True), (0.5, False), (0.4, True)]
    assert least(verdicts, 0, precision=0.75) == 0.6
    assert least(verdicts, 0, precision=0.9) == 0.8
    assert least([(0.9, False)], 3, precision=0.85) == 1.0


def test_reliability_tells_each_tenth() -> None:
    told = list(reliability([(0.95, True), (0.99, False), (1.0, True), (0.12, False)]))
    assert [(round(mean, 2), round(right, 2), count) for mean, right, count in told] == [
        (0.12, 0.0, 1), (0.98, 0.67, 3),
    ]  # fmt: skip
