"""Earlier facts after a project's predicates changed."""

from __future__ import annotations

from tests.api.predicates.acts import STILL_OPEN, ends, objects, predicates, put, reread, write
from tests.api_client import Box, ok
from tests.fact_calls import all_of, declare


def test_what_becomes_single_keeps_the_last_started(fresh: Box) -> None:
    for user in ("u", "v"):
        for value, start in (
            ("silver", "2023-01-01"),
            ("gold", "2025-01-01"),
            ("tin", "2021-01-01"),
        ):
            write(fresh.api, "badge_level", value, user, valid_from=start)
    write(fresh.api, "badge_level", "jade", "u", agent_id="bot", valid_from="2020-01-01")
    write(fresh.api, "badge_level", "moon", "u", tense="planned", valid_from="2022-01-01")
    assert len(objects(fresh.api)) == 5
    put(fresh, "badge_level", "--single")
    expected = {
        "tin": ("2023-01-01", "superseded", "silver"),
        "silver": ("2025-01-01", "superseded", "gold"),
        "gold": STILL_OPEN,
    }
    assert ends(fresh.api, "v") == expected
    # Another agent's, and plans, are slots of their own.
    assert ends(fresh.api) == {**expected, "jade": STILL_OPEN, "moon": STILL_OPEN}
    assert objects(fresh.api, "v", as_of="2024-01-01") == ["silver"]
    write(fresh.api, "badge_level", "iron", "v")
    assert objects(fresh.api, "v") == ["iron"]


def test_what_adds_up_again_opens_nothing_that_ended(fresh: Box) -> None:
    write(fresh.api, "lives_in", "Rome", valid_from="2020-01-01")
    write(fresh.api, "lives_in", "Oslo", valid_from="2024-01-01")
    before = ends(fresh.api)
    put(fresh, "lives_in", "--no-single")
    assert ends(fresh.api) == before
    write(fresh.api, "lives_in", "Bonn")
    assert objects(fresh.api) == ["Bonn", "Oslo"]


def test_a_new_synonym_names_earlier_facts_anew_and_joins_what_says_the_same(fresh: Box) -> None:
    first = write(fresh.api, "rank", "gold", valid_from="2024-01-01")
    second = write(fresh.api, "badge_level", "gold", valid_from="2025-01-01")
    write(fresh.api, "rank", "silver", valid_from="2023-01-01")
    put(fresh, "badge_level", "--synonym", "rank", "--family", "work")
    rows = all_of(fresh.api, "u")
    assert {row["predicate"] for row in rows.values()} == {"badge_level"}
    assert {row["predicate_family"] for row in rows.values()} == {"work"}
    assert rows[first["id"]]["predicate_raw"] == "rank"
    assert objects(fresh.api, predicate="rank") == ["gold", "silver"]
    kept = [row for row in rows.values() if row["object"] == "gold" and not row["invalid_at"]]
    assert [row["observation_count"] for row in kept] == [2]
    assert kept[0]["id"] in {first["id"], second["id"]}


def test_without_the_synonym_facts_have_their_own_predicate_again(fresh: Box) -> None:
    put(fresh, "badge_level", "--single", "--synonym", "rank")
    write(fresh.api, "badge_level", "gold")
    write(fresh.api, "rank", "silver", "v")
    predicates(fresh, "remove", "badge_level")
    reread(fresh)
    assert objects(fresh.api, "v", predicate="rank") == ["silver"]
    assert objects(fresh.api, predicate="badge_level") == ["gold"]
    write(fresh.api, "badge_level", "tin")
    assert objects(fresh.api) == ["gold", "tin"]


def test_a_new_pair_of_opposites_ends_the_earlier_of_two(fresh: Box) -> None:
    write(fresh.api, "trusts", "Ann", valid_from="2024-01-01")
    write(fresh.api, "distrusts", "Ann", valid_from="2025-01-01")
    write(fresh.api, "trusts", "Bob", valid_from="2024-01-01")
    put(fresh, "trusts", "--opposite", "distrusts")
    assert [(one["predicate"], one["object"]) for one in fresh.api.facts(user_id="u")] == [
        ("distrusts", "Ann"),
        ("trusts", "Bob"),
    ]


def test_a_change_that_two_predicates_trade_places_in_is_carried_out(fresh: Box) -> None:
    """A slot passes from one open fact to another."""
    put(fresh, "level", "--single", "--synonym", "rank")
    write(fresh.api, "rank", "one")
    predicates(fresh, "set", "level", "--no-synonyms")
    predicates(fresh, "set", "level", "--synonym", "grade")
    write(fresh.api, "grade", "two")
    reread(fresh)
    assert objects(fresh.api, predicate="rank") == ["one"]
    assert objects(fresh.api, predicate="grade") == ["two"]


def test_facts_of_a_declared_name_are_read_with_it_too(fresh: Box) -> None:
    put(fresh, "badge_level", "--single")
    write(fresh.api, "badge_level", "gold", valid_from="2024-01-01")
    write(fresh.api, "badge_level", "silver", subject="Ulla", valid_from="2025-01-01")
    assert objects(fresh.api) == ["gold", "silver"]
    declare(fresh.api, "u", "Ulla")
    assert objects(fresh.api) == ["silver"]


def test_setting_the_same_again_changes_nothing(fresh: Box) -> None:
    put(fresh, "badge_level", "--single", "--synonym", "rank")
    write(fresh.api, "rank", "gold")
    before = all_of(fresh.api, "u")
    assert predicates(fresh, "set", "badge_level").split() == [
        *("badge_level", "other", "single", "synonyms:", "rank")
    ]
    assert "anew" not in predicates(fresh, "list")
    assert all_of(fresh.api, "u") == before
    told = [
        one for one in ok(fresh.api.get("/v1/audit"))["events"] if one["action"] == "predicate_set"
    ]
    assert [(one["actor"], one["meta"]) for one in told] == [
        ("manage", {"predicate": "badge_level"})
    ]


def test_ends_by_a_change_are_audited(fresh: Box) -> None:
    write(fresh.api, "badge_level", "gold")
    write(fresh.api, "badge_level", "silver")
    put(fresh, "badge_level", "--single")
    events = ok(fresh.api.get("/v1/audit"))["events"]
    (told,) = [one for one in events if one["action"] == "fact_invalidate"]
    assert (told["actor"], told["user_id"], told["meta"]) == ("worker", "u", {"closed": 1})
