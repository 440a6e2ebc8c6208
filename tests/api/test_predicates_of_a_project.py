"""What an operator adds to the built-in predicates, per project: what it decides, and whom for."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest
from django.core.management.base import CommandError

from korely.embedded.stack import Stack
from tests.api.rows import left_in
from tests.api_client import Api, Box, ok, wait_for
from tests.fact_calls import all_of, correct, declare
from tests.operations import command, manage


def predicates(box: Box, *words: str) -> str:
    return command("predicates", "--project", box.project["id"], *words)


def put(box: Box, *words: str) -> str:
    """Set a predicate, and wait until earlier facts are read anew."""
    said = predicates(box, "set", *words)
    reread(box)
    return said.strip()


def reread(box: Box) -> None:
    wait_for("reading anew", lambda: "anew" not in predicates(box, "list"))


def write(api: Api, predicate: str, value: str, user: str = "u", **more: Any) -> dict[str, Any]:
    body = {"user_id": user, "subject": user, "predicate": predicate, "object": value, **more}
    return ok(api.post("/v1/facts", body), 201)


def objects(api: Api, user: str = "u", **query: Any) -> list[str]:
    return sorted(fact["object"] for fact in api.facts(user_id=user, **query))


def ends(api: Api, user: str = "u") -> dict[str, tuple[str | None, str | None, str | None]]:
    """By object: the date of its end, why, and the object of the fact that ended it."""
    rows = all_of(api, user)
    named = {id_: row["object"] for id_, row in rows.items()}
    return {
        row["object"]: (
            row["invalid_at"] and row["invalid_at"][:10],
            row["closed_reason"],
            named.get(row["invalidated_by"]),
        )
        for row in rows.values()
    }


STILL_OPEN = (None, None, None)


@pytest.fixture
def neighbour(boot: Api) -> Box:
    """Another project of the same account."""
    return Box(boot)


# --- what an entry decides -----------------------------------------------------------------------


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


# --- what a change means for facts that are there already ----------------------------------------


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


# --- beside others -------------------------------------------------------------------------------


def test_writers_beside_changes_leave_one_value_a_slot(stack: Stack, fresh: Box) -> None:
    stop = threading.Event()
    failed: list[str] = []

    def writer(number: int) -> None:
        api, turn = fresh.key(), 0
        while not stop.is_set():
            turn += 1
            body = {
                "user_id": f"u{turn % 3}",
                "subject": f"u{turn % 3}",
                "predicate": ("badge_level", "rank")[turn % 2],
                "object": f"{number}-{turn}",
            }
            answer = api.post("/v1/facts", body)
            if answer.status_code != 201:
                failed.append(answer.text)

    threads = [threading.Thread(target=writer, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    try:
        for words in (
            ["set", "badge_level", "--single"],
            ["set", "badge_level", "--synonym", "rank"],
            ["set", "badge_level", "--no-single"],
            ["remove", "badge_level"],
            ["set", "badge_level", "--single", "--synonym", "rank"],
        ):
            predicates(fresh, *words)
            reread(fresh)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []
    reread(fresh)
    rows = fresh.api.facts(include_invalidated=True, limit=200)
    assert {row["predicate"] for row in rows} == {"badge_level"}
    for user in ("u0", "u1", "u2"):
        assert len(objects(fresh.api, user)) == 1
    with psycopg.connect(stack.env["DATABASE_OPS_URL"]) as connection:
        (unslotted,) = connection.execute(
            "SELECT count(*) FROM facts_fact WHERE project_id = %s AND slot IS NULL",
            [fresh.project["id"][4:]],
        ).fetchone()
    assert unslotted == 0


def test_a_worker_that_died_at_it_is_followed_by_another_that_ends_it(
    stack: Stack, fresh: Box
) -> None:
    """Half of the end users were read anew, and the row of work is still there."""
    from facts.services.rereading import reread_user
    from facts.vocabulary import Predicate, extended
    from korely.kernel.clock import now
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    for user in ("u", "v"):
        write(fresh.api, "badge_level", "gold", user, valid_from="2024-01-01")
        write(fresh.api, "badge_level", "silver", user, valid_from="2025-01-01")
    project = parse("prj", fresh.project["id"])
    assert project is not None
    entry = Predicate("badge_level", "other", single=True)
    with project_scope(project):
        done = [
            reread_user(project_id=project, user_id="u", vocabulary=extended([entry]), now=now())
            for _ in range(2)
        ]
    assert [(one.facts, len(one.closed)) for one in done] == [(2, 1), (0, 0)]
    half = all_of(fresh.api, "u")
    put(fresh, "badge_level", "--single")
    assert all_of(fresh.api, "u") == half
    assert objects(fresh.api, "v") == ["silver"]


def test_ends_by_a_change_are_audited(fresh: Box) -> None:
    write(fresh.api, "badge_level", "gold")
    write(fresh.api, "badge_level", "silver")
    put(fresh, "badge_level", "--single")
    events = ok(fresh.api.get("/v1/audit"))["events"]
    (told,) = [one for one in events if one["action"] == "fact_invalidate"]
    assert (told["actor"], told["user_id"], told["meta"]) == ("worker", "u", {"closed": 1})


def test_a_project_moved_away_is_read_with_the_predicates_of_the_other(stack: Stack) -> None:
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Moved", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="admin", scopes=SCOPES
    )
    box = Box(Api(stack.base_url, made.key))
    put(box, "badge_level", "--single", "--synonym", "rank")
    write(box.api, "rank", "gold")
    home = command("predicates", "--project", f"prj_{project.id.hex}", "set", "rank", "--single")
    assert home.split() == ["rank", "other", "single"]
    write(box.boot, "rank", "tin", valid_from="2020-01-01")
    ok(box.boot.delete(f"/admin/projects/{box.project['id']}"))
    assert objects(box.boot, predicate="rank") == ["gold"]
    assert objects(box.boot, predicate="badge_level") == []
    assert ends(box.boot)["tin"][1:] == ("superseded", "gold")
    listed = command("predicates", "--project", f"prj_{project.id.hex}", "list")
    assert "badge_level" not in listed
    assert left_in(stack, box.project["id"], kept=()) == {}


def test_predicates_go_with_their_project(stack: Stack, fresh: Box) -> None:
    put(fresh, "badge_level", "--single")
    assert left_in(stack, fresh.project["id"])["facts_projectpredicate"] == 1
    predicates(fresh, "set", "badge_level", "--no-single")
    ok(fresh.boot.delete(f"/admin/projects/{fresh.project['id']}", erase="true"))
    assert left_in(stack, fresh.project["id"], kept=()) == {}


# --- the command ---------------------------------------------------------------------------------


def test_the_command_lists_sets_what_is_given_and_removes(stack: Stack, fresh: Box) -> None:
    assert predicates(fresh, "list") == ""
    put(fresh, "trusts", "--family", "people", "--opposite", "distrusts", "--synonym", "relies on")
    line = "trusts  people  many  opposite: distrusts  synonyms: relies_on"
    assert manage(stack, "predicates", "--project", fresh.project["id"], "list").strip() == line
    assert put(fresh, "trusts") == line
    assert put(fresh, "distrusts", "--family", "people") == (
        "distrusts  people  many  opposite: trusts"
    )
    assert put(fresh, "trusts", "--no-opposite", "--no-synonyms") == "trusts  people  many"
    assert predicates(fresh, "list").splitlines() == [
        "distrusts  people  many",
        "trusts  people  many",
    ]
    predicates(fresh, "remove", "trusts")
    reread(fresh)
    assert predicates(fresh, "list").strip() == "distrusts  people  many"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["set", "employer"], "name: is read as works_at"),
        (["set", "two words"], "name: must be snake_case"),
        (["set", "x", "--opposite", "likes"], "opposite: likes is the opposite of dislikes"),
        (
            ["set", "x", "--single", "--opposite", "y"],
            "opposite: a predicate of one value",
        ),
        (["set", "x", "--synonym", "enjoys"], "synonyms: one of them means likes"),
        (["remove", "x"], "the project says nothing of this predicate"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    fresh: Box, words: list[str], why: str
) -> None:
    with pytest.raises(CommandError, match=why):
        predicates(fresh, *words)
    assert predicates(fresh, "list") == ""
    assert write(fresh.api, "likes", "tea")["predicate"] == "likes"


@pytest.mark.parametrize("project", ["x", "prj_" + "0" * 32])
def test_an_unknown_project_is_refused(stack: Stack, project: str) -> None:
    with pytest.raises(CommandError, match="no such project"):
        command("predicates", "--project", project, "list")
