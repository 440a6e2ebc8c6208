"""Any string gives a list of sound candidates; nothing raises and nothing runs away."""

import string
import time
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facts.extraction import engine
from facts.vocabulary import canonical

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
ENGINE = engine()

WORDS = (
    """I i we my our his her their the a an user User she he they it you Joan Mona Lyon
    Brightly live lives lived living moved move work works worked at in on to from with
    for as by of like likes love hate prefer want wants use used uses switched replaced
    sold bought have has had is are was were am be been not no never longer anymore any
    more don't can't I'm I've and or but , , . . ? ! ; : ( ) - -- " ' since until last
    next week month year yesterday May March 2019 2026 would could might will going to
    want joined started quit became teaches manages takes 3 14th 9.50 euros sister
    brother dog cat called named born allergic vegan married if when who which that
    because so please assistant: user: ## ``` kim@post.example +44205550123 yoga tea
    \u6211\u4f4f\u5728 \u304c\u597d\u304d\u3067\u3059 \U0001f600"""
).split()  # fmt: skip

HOSTILE = [
    "",
    " ",
    "\x00",
    "I live in \x00 Lyon.",
    "\ud800",
    "\ufeffI live in Lyon.",
    "\u202eI live in Lyon.\u202c",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 I live in Lyon \U0001f600\U0001f600",
    "I live in " + "a" * 15_000,
    "I like " + "tea, " * 3_000,
    "I like " + "tea and " * 2_000,
    "my sister's " * 1_300,
    "Joan " * 3_000,
    "I " * 8_000,
    "'s" * 8_000,
    "a@" * 8_000,
    "a.a" * 5_000 + "@",
    "1.1" * 5_000,
    "2019-" * 3_000,
    "since " * 2_600,
    "the end of " * 1_400,
    "((((((((((" * 1_600,
    "{" * 16_000,
    "<" * 16_000,
    "<!--" * 4_000,
    '"' * 16_000,
    "```\n" * 4_000,
    "\n" * 16_000,
    "- " * 8_000,
    "x: " * 5_000,
    "user: " * 2_600,
    "user: I live in Lyon.\n" * 700,
    "I moved to Lyon. " * 900,
    "\u6211\u4f4f\u5728" * 5_000,
    "[" * 16_000,
    "+1 " * 5_000,
    "\u0130" * 5_000,
    "\ufb03" * 5_000,
]


def sound(text: str) -> None:
    for fact in ENGINE.extract(text, user_id="kim", names=("Kimberly",), timestamp=NOW):
        assert 0 < len(fact.subject) <= 200
        assert 0 < len(fact.object) <= 500
        assert 0 < len(fact.predicate) <= 200 and fact.predicate == canonical(fact.predicate)
        assert 0 < len(fact.predicate_raw) <= 200
        assert "\x00" not in fact.subject + fact.object + fact.predicate + fact.predicate_raw
        assert fact.tense in {"current", "past", "planned"} and fact.move in {
            "state",
            "end",
            "deny",
        }
        assert 0.0 <= fact.confidence <= 1.0
        assert 0 <= fact.span[0] <= fact.span[1] <= len(text)
        for when in (fact.valid_from, fact.invalid_at):
            assert when is None or when.tzinfo == UTC
        if fact.valid_from and fact.invalid_at:
            assert fact.valid_from <= fact.invalid_at
        assert fact.observed_at.tzinfo == UTC


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_read_in_bounded_work(text):
    begun = time.process_time()
    sound(text[:16_000])
    # A runaway pattern takes minutes; the bound leaves room for a loaded machine.
    assert time.process_time() - begun < 5


@given(st.text(max_size=400))
def test_any_text_gives_sound_candidates(text):
    sound(text)


@given(st.text(alphabet=string.printable, max_size=400))
def test_any_printable_text_gives_sound_candidates(text):
    sound(text)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_order_of_ordinary_words_gives_sound_candidates(parts):
    sound(" ".join(parts))
    sound("\n".join(parts))


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_any_timestamp_is_fine(when):
    text = (
        "I moved to Lyon last March. I lived in Perm for ten years. We're going to Peru next week."
    )
    found = ENGINE.extract(text, user_id=None, names=(), timestamp=when.replace(tzinfo=UTC))
    assert {fact.observed_at for fact in found} == {when.replace(tzinfo=UTC)}


def test_the_same_text_gives_the_same_candidates():
    text = "My sister Mona lives in Lyon. She likes opera and I hate it."
    first = ENGINE.extract(text, user_id="kim", names=(), timestamp=NOW)
    assert ENGINE.extract(text, user_id="kim", names=(), timestamp=NOW) == first


def test_a_statement_said_twice_is_one_candidate():
    found = ENGINE.extract("I like tea. I like tea!", user_id="kim", names=(), timestamp=NOW)
    assert len(found) == 1
