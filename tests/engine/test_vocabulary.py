"""The predicate table: one name per meaning, its family, whether it holds one value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.vocabulary import (
    FAMILIES,
    MANY,
    ONE_TIME,
    SINGLE,
    TABLE,
    canonical,
    family,
    family_alias,
    is_single,
    opposites,
)
from facts.vocabulary.synonyms import SYNONYMS
from facts.vocabulary.verbs import VERBS, readings, third_person

VARIANTS = {
    "lives_in": ["lives in", "Lives In", "LIVES-IN", "livesIn", "is living in", "resides in"],
    "works_at": ["works at", "employed_by", "is employed by", "works for", "currently works at"],
    "interested_in": ["is interested in", "is_interested_in", "has interest in"],
    "allergic_to": ["is allergic to", "allergic-to", "has allergy"],
    "has_pet": ["has pet", "pet", "Has_Pets"],
    "has_spouse": ["married to", "is married to", "wife", "husband"],
    "dislikes": ["hates", "does not like", "doesn't like", "cannot stand", "disliking"],
    "likes": ["like", "loves", "enjoys", "is fond of"],
    "born_in": ["was born in", "place of birth"],
    "time_zone": ["timezone", "has time zone"],
    "favorite_color": ["favourite colour", "Favorite Color", "favourite_color"],
    "has_sibling": ["sister", "has brother"],
    "is_a": ["is a", "is an"],
    "email": ["e-mail", "email address"],
    "works_as": ["job title", "works as a", "occupation"],
}  # fmt: skip

OPEN = {
    "orbits around": "orbits_around",
    "orbiting around": "orbiting_around",
    "playing": "plays",
    "is playing": "plays",
    "volunteers at": "volunteers_at",
    "has dentist": "has_dentist",
    "visits": "visits",
    "moved to": "moved_to",
    "not allergic to": "not_allergic_to",
    "居住地": "居住地",
    "प्रेम करता है": "प्रेम_करता_है",
    "живёт в": "живёт_в",
    "p": "p",
}


@pytest.mark.parametrize(
    ("written", "name"), [(w, name) for name, many in VARIANTS.items() for w in many]
)
def test_spelling_variants_are_one_predicate(written, name):
    assert canonical(written) == name


@pytest.mark.parametrize(("written", "name"), OPEN.items())
def test_an_open_predicate_keeps_its_own_name(written, name):
    assert canonical(written) == name


def test_different_meanings_stay_apart():
    names = ["works_at", "works_as", "works_on", "works_on_team", "works_in", "has_colleague"]
    assert len({canonical(name) for name in names}) == len(names)
    assert canonical("visited") != canonical("visits") != canonical("travels to")
    assert canonical("studies") != canonical("studies at")
    assert canonical("moved to") != canonical("lives in")


def test_the_table_stands_as_it_is():
    assert {canonical(name) for name in TABLE} == TABLE
    assert not SINGLE & MANY
    assert all(name in TABLE for name in SYNONYMS.values())
    assert not set(SYNONYMS) & TABLE


@given(st.text(min_size=1, max_size=300))
def test_canonical_is_total_bounded_and_stable(raw):
    name = canonical(raw)
    assert 1 <= len(name) <= 200
    assert not any(char.isspace() for char in name)
    assert canonical(name) == name


@given(st.text(max_size=60))
def test_every_predicate_has_a_family(raw):
    assert family(canonical(raw)) in FAMILIES


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("likes", "preferences"), ("favorite_tea", "preferences"), ("prefers_seat", "preferences"),
        ("prefers_contact", "preferences"), ("has_pet", "people"), ("has_dentist", "people"),
        ("lives_in", "places"), ("works_as", "work"), ("plan", "ownership"), ("diet", "health"),
        ("price", "financial"), ("deadline", "events"), ("has", "other"), ("has_name", "other"),
        ("has_goal", "preferences"), ("has_condition", "health"), ("has_limit", "other"),
        ("orbits_around", "other"),
    ],
)  # fmt: skip
def test_families_follow_the_table(name, group):
    assert family(name) == group


def test_queries_may_use_other_words_for_a_family():
    assert family_alias("location") == "places"
    assert family_alias(" Employment ") == "work"
    assert family_alias("preference") == "preferences"
    assert family_alias("people") == "people"
    assert family_alias("nonsense") is None


def test_slots_and_opposites():
    assert is_single("lives_in") and is_single("favorite_song") and is_single("prefers_seat")
    assert not is_single("likes") and not is_single("prefers") and not is_single("uses")
    assert opposites("likes") == {"dislikes"} and opposites("dislikes") == {"likes"}
    assert opposites("prefers") == frozenset() == opposites("avoids")
    assert ONE_TIME <= MANY


def test_verbs_know_their_forms():
    assert ("write", "past") in readings("wrote")
    assert ("study", "third") in readings("studies")
    assert ("swim", "ing") in readings("swimming")
    assert readings("tabletop") == []
    assert third_person("carry") == "carries" and third_person("zorch") == "zorches"
    assert all(readings(verb.third) for verb in VERBS.values())
