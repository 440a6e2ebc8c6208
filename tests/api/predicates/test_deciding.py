"""What an operator adds to the built-in predicates, per project: what it decides, and whom for."""

from __future__ import annotations

from tests.api.predicates.acts import ends, objects, put, write
from tests.api_client import Box
from tests.fact_calls import correct


def test_one_value_at_a_time_holds_in_its_project_alone(fresh: Box, neighbour: Box) -> None:
    assert put(fresh, "badge_level", "--single", "--family", "work") == "badge_level  work  single"
    for api in (fresh.api, neighbour.api):
        write(api, "badge level", "gold")
        write(api, "badge_level", "silver")
    assert objects(fresh.api) == ["silver"]
    assert objects(neighbour.api) == ["gold", "silver"]
    assert ends(fresh.api)["gold"][1:] == ("superseded", "silver")
    assert {fact["predicate_family"] for fact in fresh.api.facts(predicate_family="work")} == {
        "work"
    }
    assert neighbour.api.facts(predicate_family="work") == []


def test_what_texts_state_is_decided_by_it_too(fresh: Box, neighbour: Box) -> None:
    put(fresh, "uses", "--single")
    for api in (fresh.api, neighbour.api):
        api.told("I use Vim.", "u")
        api.told("I use Emacs.", "u")
    assert objects(fresh.api, predicate="uses") == ["Emacs"]
    assert objects(neighbour.api, predicate="uses") == ["Emacs", "Vim"]
    # Said again after another value, it is the value again.
    fresh.api.told("I use Nano. I use Vim. I use Nano.", "v")
    assert objects(fresh.api, "v") == ["Nano"]


def test_a_single_predicate_of_the_table_can_add_up(fresh: Box, neighbour: Box) -> None:
    put(fresh, "has_manager", "--no-single")
    for api in (fresh.api, neighbour.api):
        write(api, "has_manager", "Ann")
        write(api, "reports to", "Bob")
    assert objects(fresh.api) == ["Ann", "Bob"]
    assert objects(neighbour.api) == ["Bob"]


def test_synonyms_are_one_predicate_and_keep_their_words(fresh: Box, neighbour: Box) -> None:
    put(fresh, "badge_level", "--single", "--synonym", "rank", "--synonym", "holds the badge")
    for api in (fresh.api, neighbour.api):
        for predicate, value in (("badge_level", "gold"), ("Rank", "silver")):
            write(api, predicate, value)
        write(api, "holds the badge", "bronze")
    (fact,) = fresh.api.facts(user_id="u")
    assert (fact["predicate"], fact["predicate_raw"]) == ("badge_level", "holds the badge")
    for asked in ("rank", "badge_level", "holding the badge"):
        assert [one["id"] for one in fresh.api.facts(predicate=asked)] == [fact["id"]]
    assert len(neighbour.api.facts(user_id="u")) == 3
    assert objects(neighbour.api, predicate="rank") == ["silver"]


def test_a_pair_of_opposites_ends_each_other_for_the_same_object(
    fresh: Box, neighbour: Box
) -> None:
    put(fresh, "trusts", "--opposite", "distrusts")
    for api in (fresh.api, neighbour.api):
        write(api, "trusts", "Ann")
        write(api, "trusts", "Bob")
        write(api, "distrusts", "Ann")
    assert [(one["predicate"], one["object"]) for one in fresh.api.facts(user_id="u")] == [
        ("distrusts", "Ann"),
        ("trusts", "Bob"),
    ]
    assert len(neighbour.api.facts(user_id="u")) == 3
    write(fresh.api, "trusts", "Ann")
    assert len(fresh.api.facts(user_id="u", predicate="distrusts")) == 0


def test_a_correction_is_decided_by_it_too(fresh: Box) -> None:
    put(fresh, "badge_level", "--single", "--synonym", "rank")
    write(fresh.api, "badge_level", "gold")
    other = write(fresh.api, "score", "silver")
    done = correct(fresh.api, other["id"], predicate="rank")
    assert (done["predicate"], done["predicate_raw"]) == ("badge_level", "rank")
    assert objects(fresh.api) == ["silver"]
    again = correct(fresh.api, done["id"], object="bronze")
    assert (again["predicate"], again["predicate_raw"]) == ("badge_level", "rank")
    assert objects(fresh.api) == ["bronze"]


def test_an_import_is_read_with_the_predicates_of_its_project(fresh: Box, neighbour: Box) -> None:
    write(neighbour.api, "rank", "gold", valid_from="2024-01-01")
    write(neighbour.api, "rank", "silver", valid_from="2025-01-01")
    put(fresh, "badge_level", "--single", "--synonym", "rank")
    lines = neighbour.api.get("/v1/export").text
    sent = fresh.api.http.post(
        "/v1/import", content=lines, headers={"content-type": "application/x-ndjson"}
    )
    assert sent.status_code == 200, sent.text
    assert objects(fresh.api, predicate="badge_level") == ["silver"]
    assert ends(fresh.api)["gold"] == ("2025-01-01", "superseded", "silver")
