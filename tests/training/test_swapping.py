"""Variants of a training text."""

from __future__ import annotations

import random

from facts.extraction.training.marked import read_marked
from facts.extraction.training.swapping import fillers_of, variant

ROW = read_marked(
    "third :: My sister [Anna#woman|has_sibling] ate an [apple#food|likes|s:Anna] in {Rome#city}. "
    "{Anna#woman}'s son is [Bo#man|has_child|s:Anna].",
    name="one",
)


def test_the_same_words_are_swapped_together_and_every_place_moves_along() -> None:
    choice = {("woman", ""): ["Odette"], ("food", "en"): ["apple"], ("city", "en"): ["Rome"]}
    found = variant(ROW, choice, random.Random(1))
    assert found.text == ("My sister Odette ate an apple in Rome. Odette's son is Bo.")
    told = [
        (mark.subject, mark.predicate, mark.object, found.text[slice(*mark.place)])
        for mark in found.marks
    ]
    assert told == [
        ("user", "has_sibling", "Odette", "Odette"),
        ("Odette", "likes", "apple", "apple"),
        ("Odette", "has_child", "Bo", "Bo"),
    ]
    assert {found.text[slice(*mark.about)] for mark in found.marks if mark.about} == {"Odette"}
    assert [found.text[slice(*one.place)] for one in found.fillers] == [
        "Odette", "apple", "Rome", "Odette", "Bo",
    ]  # fmt: skip


def test_article_number_and_capital_stay_right() -> None:
    choice = {("food", "en"): ["plum", "olives", "Oreo", "egg"]}
    assert "an egg in" in variant(ROW, choice, random.Random(1)).text


def test_a_text_without_fillers_has_no_variant() -> None:
    plain = read_marked("none :: How are you?", name="two")
    assert variant(plain, fillers_of([ROW]), random.Random(1)) is plain


def test_names_are_shared_by_languages_and_other_words_are_not() -> None:
    italian = read_marked("lang:it :: {Anna#woman} ama la {pizza#food}", name="two")
    choice = fillers_of([ROW, italian])
    assert choice["woman", ""] == ["Anna"]
    assert choice["food", "en"] == ["apple"]
    assert ("food", "it") not in choice
    found = variant(italian, {**choice, ("food", "en"): ["rice"]}, random.Random(2))
    assert found.text == "Anna ama la pizza"
