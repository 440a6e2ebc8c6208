"""The vocabulary of a project: its entries over the built-in table, and what may be one."""

import pytest

from facts.vocabulary import (
    BUILT_IN,
    FAMILIES,
    TABLE,
    Fault,
    Predicate,
    Vocabulary,
    canonical,
    check,
    extended,
    family,
    is_single,
    opposites,
    plain_synonyms,
)

RANK = Predicate("badge_level", "work", True, None, plain_synonyms("badge_level", ("Rank",)))
FOND = Predicate("trusts", "people", False, "distrusts")


def entry(name: str, **parts: object) -> Predicate:
    values = {"family": "other", "single": False, "opposite": None, "synonyms": (), **parts}
    values["synonyms"] = plain_synonyms(name, values["synonyms"])
    return Predicate(name, **values)


def test_without_entries_it_is_the_built_in_table() -> None:
    assert extended([]) is BUILT_IN
    for name in [*TABLE, "favorite_color", "prefers_seat", "has_dentist", "orbits"]:
        assert BUILT_IN.canonical(name) == canonical(name) == name
        assert BUILT_IN.family(name) == family(name)
        assert BUILT_IN.is_single(name) == is_single(name)
        assert BUILT_IN.opposites(name) == opposites(name)


def test_an_entry_says_what_its_name_means_and_nothing_else_changes() -> None:
    own = extended([RANK])
    assert own.is_single("badge_level") and not BUILT_IN.is_single("badge_level")
    assert (own.family("badge_level"), BUILT_IN.family("badge_level")) == ("work", "other")
    for name in [*TABLE, "favorite_color", "badge"]:
        assert own.entry(name) == BUILT_IN.entry(name)


@pytest.mark.parametrize("written", ["rank", "Rank", "has been rank", "badge level", "Badge-Level"])
def test_every_wording_of_a_synonym_is_the_predicate(written: str) -> None:
    own = extended([RANK])
    assert own.canonical(written) == "badge_level"
    assert own.canonical(own.canonical(written)) == "badge_level"
    assert own.name(canonical(written)) == "badge_level"
    assert "rank" in own.forms(["badge_level"])


def test_a_table_entry_can_be_replaced() -> None:
    own = extended([entry("uses", family="work", single=True), entry("lives_in", family="places")])
    assert own.is_single("uses") and not own.is_single("lives_in")
    prefixed = extended([entry("favorite_song", family="preferences")])
    assert not prefixed.is_single("favorite_song") and prefixed.is_single("favorite_book")


def test_opposites_are_symmetric_whichever_names_the_other() -> None:
    for own in (extended([FOND]), extended([FOND, entry("distrusts", opposite="trusts")])):
        assert own.opposites("trusts") == {"distrusts"}
        assert own.opposites("distrusts") == {"trusts"}
    assert extended([FOND]).opposites("likes") == {"dislikes"}


def test_an_entry_without_an_opposite_ends_the_pair_of_the_table() -> None:
    own = extended([entry("likes", family="preferences")])
    assert own.opposites("likes") == own.opposites("dislikes") == frozenset()


def refused(wrong: Predicate, within: Vocabulary = BUILT_IN) -> str:
    with pytest.raises(Fault) as caught:
        check(wrong, within)
    return str(caught.value)


@pytest.mark.parametrize("name", ["", "_", "x" * 201, "a b", "a\x00b", "!!!", "a-b"])
def test_a_name_is_snake_case_of_1_to_200_characters(name: str) -> None:
    assert refused(entry(name)).startswith("name: must be snake_case")


@pytest.mark.parametrize(
    ("name", "read"), [("employer", "works_at"), ("play_style", "plays_style"), ("Badge", "badge")]
)
def test_a_name_that_is_read_as_another_is_refused_with_that(name: str, read: str) -> None:
    assert refused(entry(name)) == f"name: is read as {read}"


@pytest.mark.parametrize("name", ["badge_level", "lives_in", "rôle", "职位", "x"])
def test_names_of_any_script_may_be_set(name: str) -> None:
    check(entry(name), BUILT_IN)


def test_other_refusals_name_the_part() -> None:
    own = extended([RANK, FOND])
    assert refused(entry("rank"), own) == "name: is a synonym of badge_level"
    assert refused(entry("x", family="fun")) == f"family: must be one of: {', '.join(FAMILIES)}"
    assert refused(entry("x", opposite="x")) == "opposite: must be another predicate"
    assert refused(entry("x", opposite="employer")) == "opposite: must be the name of a predicate"
    assert refused(entry("x", opposite="!")) == "opposite: must be the name of a predicate"
    assert "one value" in refused(entry("x", single=True, opposite="y"))
    assert "lives_in has one value" in refused(entry("x", opposite="lives_in"))
    assert "opposite of dislikes" in refused(entry("x", opposite="likes"))
    assert "opposite of trusts" in refused(entry("x", opposite="distrusts"), own)
    assert "synonym of the predicate" in refused(entry("x", opposite="y", synonyms=("y",)))
    assert "one of them means likes already" in refused(entry("x", synonyms=("fond of",)))
    assert "synonym of badge_level" in refused(entry("x", synonyms=("rank",)), own)
    assert "predicate of its own" in refused(entry("x", synonyms=("badge_level",)), own)
    assert "opposite of trusts" in refused(entry("x", synonyms=("distrusts",)), own)
    assert "letter or a digit" in refused(entry("x", synonyms=("!",)))
    many = tuple(f"word {number}" for number in range(101))
    assert "at most 100" in refused(entry("x", synonyms=many))
    for wrong in ("", "x" * 201):
        with pytest.raises(Fault, match="1 to 200"):
            plain_synonyms("x", (wrong,))
    full = extended([entry(f"p{number}") for number in range(500)])
    assert "at most 500" in refused(entry("x"), full)
    check(entry("p7", family="work"), full)


def test_an_entry_does_not_clash_with_itself() -> None:
    check(RANK, extended([RANK, FOND]))
    check(FOND, extended([RANK, FOND]))
    assert plain_synonyms("badge_level", ("rank", "Rank", "badge level")) == ("rank",)
