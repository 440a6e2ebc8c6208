"""The terms by which context finds a memory's words again."""

from __future__ import annotations

import pytest

from memories.lexicon import terms, words


@pytest.mark.parametrize(
    "forms",
    [
        "plan plans planned planning",
        "hike hikes hiked hiking",
        "study studies studied studying",
        "call calls called calling",
        "city cities",
        "class classes",
    ],
)
def test_the_forms_of_an_english_word_are_one_term(forms: str) -> None:
    assert len(terms(forms)) == 1


@pytest.mark.parametrize("text", ["thing", "spring", "speed", "bus", "glass", "Ring"])
def test_a_word_that_only_looks_inflected_stays_apart_from_its_front(text: str) -> None:
    [whole] = words(text)
    assert len(whole) >= 3


def test_words_of_other_alphabets_and_accents_are_kept_whole() -> None:
    assert list(words("Cafés планируют Übung")) == ["cafés", "планируют", "übung"]


def test_scripts_without_spaces_become_bigrams() -> None:
    assert set(terms("柏林")) < set(terms("我搬到了柏林"))
    assert list(words("我")) == ["我"]


def test_function_words_say_nothing() -> None:
    assert not terms("what is it that you have")
