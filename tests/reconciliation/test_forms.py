"""Comparison forms: what is one value and what is not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.reconciliation import object_key, same_object, slot, text_key
from facts.reconciliation.meaning import is_one_value


@given(st.text(max_size=60))
def test_forms_are_total_and_applying_them_twice_changes_nothing(text: str) -> None:
    assert text_key(text_key(text)) == text_key(text)
    assert object_key(object_key(text)) == object_key(text)
    assert same_object(text, text)


@given(st.text(max_size=40))
def test_case_normal_form_and_white_space_do_not_tell_subjects_apart(text: str) -> None:
    assert text_key(unicodedata.normalize("NFD", text)) == text_key(text)
    assert text_key(f"  {text}\t") == text_key(text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jürgen Müller", "JÜRGEN  MÜLLER"),
        ("Straße", "STRASSE"),
        ("Rome", "rome."),
        ("the coffee", "coffee"),
        ("my own car", "own car"),
        ("“Dune”", '"Dune"'),
        ("peanuts", "peanut"),
        ("Peanuts", "peanut"),
        ("strawberries", "strawberry"),
        ("boxes", "box"),
        ("80k euros", "80,000 EUR"),
        ("$49", "49 dollars"),
        ("49.00 dollars", "49 USD"),
        ("1.500 EUR", "1,500 €"),
        ("€3.5 million", "3500000 eur"),
        ("52,000 a year", "52000 per year"),
        ("50 euro per month", "50 euros monthly"),
        ("+49 170 5550101", "0049-170-5550101"),
    ],
)
def test_one_value_in_two_spellings(left: str, right: str) -> None:
    assert same_object(left, right)
    assert same_object(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ann Lee", "Anna Lee"),
        ("ASR1603", "ASR1605"),
        ("J. Smith", "John Smith"),
        ("Robert Steven", "Robert Stevens"),
        ("300 euros", "3000 euros"),
        ("49 dollars", "49 euros"),
        ("49 dollars", "49 dollars a month"),
        ("3.10", "3.1"),
        ("007", "7"),
        ("C", "C++"),
        ("2026-08-15", "2026-08-16"),
        ("tea", "green tea"),
        ("news", "new"),
        ("gas", "ga"),
    ],
)
def test_two_values_that_look_alike(left: str, right: str) -> None:
    assert not same_object(left, right)
    assert not same_object(right, left)


def test_the_initials_of_a_long_name_are_the_name() -> None:
    assert is_one_value("NYC", "New York City")
    assert is_one_value("New York City", "NYC")
    assert not is_one_value("AL", "Ann Lee")
    assert not is_one_value("NYT", "New York City")
    assert not is_one_value("nyc", "new york city")


def test_a_slot_is_one_value_of_one_subject() -> None:
    assert slot("dana", "lives_in", "rome", "current") == slot("dana", "lives_in", "oslo", "past")
    assert slot("dana", "lives_in", "rome", "current") != slot(
        "mira", "lives_in", "rome", "current"
    )
    assert slot("dana", "lives_in", "rome", "current") != slot(
        "dana", "works_at", "rome", "current"
    )
    assert slot("dana", "likes", "tea", "current") == slot("dana", "dislikes", "tea", "current")
    assert slot("dana", "likes", "tea", "current") != slot("dana", "likes", "jazz", "current")
    assert slot("dana", "lives_in", "x", "planned") not in {
        None,
        slot("dana", "lives_in", "x", "current"),
    }
    assert slot("dana", "uses", "npm", "current") is None
    assert slot("dana", "drinks", "tea", "planned") is None
