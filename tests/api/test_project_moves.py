"""DELETE /admin/projects/{id} without `erase`: everything moves to the default project."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import Oracle, WatchedBox
from tests.api.rows import left_in
from tests.api.test_erasure import fill
from tests.api_client import Api, ok, refused, unique

Account = Callable[[], "Home"]


class Home(WatchedBox):
    """An account of its own: `boot` is a key with all scopes in its default project, `project` and
    `api` a second project and a key of it.
    """

    @property
    def default(self) -> str:
        (found,) = [one for one in self.projects() if one["is_default"]]
        return str(found["id"])

    def projects(self) -> list[dict[str, Any]]:
        return list(ok(self.boot.get("/admin/projects"))["projects"])

    def delete(self, **query: Any) -> dict[str, Any]:
        return ok(self.boot.delete(f"/admin/projects/{self.project['id']}", **query))


@pytest.fixture
def home(stack: Stack, oracle: Oracle) -> Iterator[Home]:
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Home", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="admin", scopes=SCOPES
    )
    yield Home(oracle.watch(Api(stack.base_url, made.key)), oracle)


def fact(api: Api, **fields: Any) -> dict[str, Any]:
    body = {"subject": "u", "predicate": "likes", "object": "tea", "user_id": "u", **fields}
    return ok(api.post("/v1/facts", body), 201)


METADATA: dict[str, Any] = {
    "huge": 10**300,
    "exponent": 1e300,
    "fraction": 1.5,
    "whole": 15.0,
    "long": int("9" * 900),
    "text": "quote \" back\\slash ' \u2028 \x7f é 🙂",
    "nested": {"a": [1, 2, {"b": None}], "": "", "{}": "[]"},
    "flags": [True, False, None, 0, -0.0, 1],
    "looks": "2026-01-01T00:00:00Z",
}


def test_all_that_a_project_holds_is_in_the_default_one_as_it_was(home: Home, stack: Stack) -> None:
    api = home.api
    told = api.told("I live in Rome.", "u", agent_id="bot", run_id="r", metadata=METADATA,
                    timestamp="2026-01-10T01:02:03.000456+02:00")  # fmt: skip
    long = api.add("Kept word for word. " * 700, user_id="v", kind="session")
    gone = api.add("Forgotten before.", user_id="v")
    ok(api.delete(f"/v1/memories/{gone['id']}"))
    fact(api, valid_from="2020-01-01", object="jazz", confidence=0.123456789)
    fact(api, predicate="lives_in", object="Bern", valid_from="0001-01-01")
    fact(api, predicate="lives_in", object="Oslo", valid_from="2024-02-29T23:59:59.999999")
    ok(api.post("/v1/users/u/names", {"name": "Ursula"}), 201)
    api.settle()
    clocks: tuple[dict[str, Any], ...] = (
        {"include_invalidated": True},
        {"as_of": "2021-01-01"},
        {"known_as_of": "2030-01-01"},
    )
    before = [ok(api.get("/v1/facts", limit=200, **clock)) for clock in clocks]
    memories = ok(api.get("/v1/memories"))
    histories = {
        one: api.get(f"/v1/memories/{one}/history").text for one in (told["id"], gone["id"])
    }
    hits = api.search("Kept word for word", full_text=True)
    users, agents = ok(api.get("/v1/users")), ok(api.get("/v1/agents"))
    receipt = home.delete()
    assert (receipt["memories_moved"], receipt["facts_moved"]) == (3, 4)
    assert (receipt["memories_deleted"], receipt["facts_deleted"]) == (0, 0)
    assert receipt["keys_moved"] == 1
    for reader in (api, home.boot):
        assert [ok(reader.get("/v1/facts", limit=200, **clock)) for clock in clocks] == before
        assert ok(reader.get("/v1/memories")) == memories
        assert ok(reader.get(f"/v1/memories/{told['id']}"))["metadata"] == METADATA
        assert ok(reader.get(f"/v1/memories/{long['id']}"))["content"] == long["content"]
        refused(reader.get(f"/v1/memories/{gone['id']}"), 404, "not_found")
        for one, history in histories.items():
            assert reader.get(f"/v1/memories/{one}/history").text == history
        assert reader.search("Kept word for word", full_text=True) == hits
        assert (ok(reader.get("/v1/users")), ok(reader.get("/v1/agents"))) == (users, agents)
        assert "Rome" in reader.context("where does the user live", user_id="u")["context"]
    assert fact(api, subject="Ursula", object="opera")["subject_canonical"] == "u"
    assert left_in(stack, home.project["id"]) == {}
    assert home.project["id"] not in [one["id"] for one in home.projects()]
    refused(home.boot.delete(f"/admin/projects/{home.project['id']}"), 404, "not_found")


def test_metadata_is_kept_to_the_letter(home: Home) -> None:
    """Numbers keep their spelling, which a reader of JSON cannot see."""
    from django.db import connection

    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    def spelled() -> str:
        project = parse("prj", home.default)
        assert project is not None
        with project_scope(project), connection.cursor() as cursor:
            cursor.execute("SELECT metadata::text FROM memories_memory")
            return str(cursor.fetchone()[0])

    home.api.add("With numbers.", metadata=METADATA)
    home.api.settle()
    spelling = home.api.get("/v1/memories").text
    home.delete()
    assert home.boot.get("/v1/memories").text == spelling
    assert '"exponent":1e+300' in spelled().replace(" ", "")


def test_of_a_single_value_that_joins_the_one_that_began_last_stays(home: Home) -> None:
    api, boot = home.api, home.boot
    older = fact(boot, predicate="lives_in", object="Rome", valid_from="2020-01-01")
    newer = fact(api, predicate="lives_in", object="Oslo", valid_from="2022-01-01")
    mine = fact(boot, predicate="works_at", object="Acme", valid_from="2023-01-01")
    theirs = fact(api, predicate="works_at", object="Globex", valid_from="2021-01-01")
    alone = fact(api, predicate="lives_in", object="Lima", user_id="v", valid_from="2019-01-01")
    other = fact(api, predicate="lives_in", object="Bonn", agent_id="bot", valid_from="2025-01-01")
    likes = [fact(one, object=drink)["id"] for one, drink in ((boot, "tea"), (api, "cocoa"))]
    assert home.delete()["facts_moved"] == 5
    open_now = {one["id"] for one in boot.facts(limit=200)}
    assert open_now == {newer["id"], mine["id"], alone["id"], other["id"], *likes}
    ended = {one["id"]: one for one in boot.facts(limit=200, include_invalidated=True)}
    for old, new in ((older, newer), (theirs, mine)):
        row = ended[old["id"]]
        assert (row["invalidated_by"], row["invalid_at"]) == (new["id"], new["valid_from"])
        assert row["closed_reason"] == "superseded"
    (was,) = boot.facts(user_id="u", predicate="lives_in", as_of="2021-01-01")
    assert was["id"] == older["id"]


def test_names_of_both_projects_read_the_facts_of_both(home: Home) -> None:
    api, boot = home.api, home.boot
    ok(boot.post("/v1/users/u/names", {"name": "Ursula"}), 201)
    ok(api.post("/v1/users/u/names", {"name": "Uschi"}), 201)
    there = fact(
        api, subject="Ursula", predicate="lives_in", object="Oslo", valid_from="2022-01-01"
    )
    here = fact(boot, subject="Uschi", object="tea")
    own = fact(boot, subject="u", predicate="lives_in", object="Rome", valid_from="2020-01-01")
    assert there["subject_canonical"] == "Ursula"
    home.delete()
    rows = {one["id"]: one for one in boot.facts(user_id="u", include_invalidated=True)}
    assert {one["subject_canonical"] for one in rows.values()} == {"u"}
    assert {one["id"] for one in boot.facts(subject="u")} == {there["id"], here["id"]}
    assert rows[own["id"]]["invalidated_by"] == there["id"]


def test_a_name_that_the_default_project_holds_for_another_stays_that_one_s(home: Home) -> None:
    api, boot = home.api, home.boot
    ok(boot.post("/v1/users/v/names", {"name": "Ursula"}), 201)
    ok(api.post("/v1/users/u/names", {"name": "ursula"}), 201)
    known = fact(api, subject="Ursula", object="opera")
    assert known["subject_canonical"] == "u"
    home.delete()
    assert [one["id"] for one in boot.facts(subject="u")] == [known["id"]]
    assert fact(boot, subject="Ursula", object="ballet")["subject_canonical"] == "Ursula"
    assert fact(boot, subject="Ursula", object="jazz", user_id="v")["subject_canonical"] == "v"
    refused(boot.post("/v1/users/u/names", {"name": "Ursula"}), 409, "conflict")


def test_an_id_that_is_in_both_projects_stops_the_move(home: Home) -> None:
    from django.db import connection

    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    kept = home.api.told("I live in Rome.", "u")
    home.boot.told("I live in Oslo.", "u")
    project, memory = parse("prj", home.default), parse("mem", kept["id"])
    assert project is not None
    with project_scope(project), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memories_memory (project_id, id, kind, content, metadata, status,"
            " revision, created_at, updated_at, update_times) VALUES (%s, %s, 'note', 'Here.',"
            " '{}', 'ready', 1, now(), now(), '{}')",
            [project, memory],
        )
    before = [
        one.get(path).text
        for one in (home.api, home.boot)
        for path in ("/v1/memories", "/v1/facts")
    ]
    path = f"/admin/projects/{home.project['id']}"
    refused(home.boot.delete(path), 409, "conflict", "nothing was moved")
    after = [
        one.get(path).text
        for one in (home.api, home.boot)
        for path in ("/v1/memories", "/v1/facts")
    ]
    assert after == before
    assert home.delete(erase=True)["memories_deleted"] == 1
    assert ok(home.boot.get(f"/v1/memories/{kept['id']}"))["content"] == "Here."


def test_texts_still_to_be_extracted_are_extracted_where_they_are_now(
    home: Home, stack: Stack
) -> None:
    """Some are done, some are under way, some wait: none is lost, none writes into the old one."""
    for n in range(24):
        home.api.add(f"I like thing{n}.", user_id=f"u{n % 3}")
    receipt = home.delete()
    assert receipt["memories_moved"] == 24
    home.boot.settle()
    liked = {one["object"] for one in home.boot.facts(predicate="likes", limit=200)}
    assert liked == {f"thing{n}" for n in range(24)}
    assert ok(home.boot.get("/v1/facts"))["total"] == 24
    assert left_in(stack, home.project["id"]) == {}


def test_agents_keep_their_slots(stack: Stack, oracle: Oracle) -> None:
    from accounts import services
    from billing.models import Plan
    from korely.kernel.caller import SCOPES

    plan = Plan.objects.create(slug=unique("plan"), agents=3)
    organisation, project = services.create_organisation(name="Slots", plan=plan.slug)
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="admin", scopes=SCOPES
    )
    home = Home(oracle.watch(Api(stack.base_url, made.key)), oracle)
    for api, names in ((home.api, "ab"), (home.boot, "bc")):
        for name in names:
            api.add("A note.", user_id="u", agent_id=name)
    home.delete()
    page = ok(home.boot.get("/v1/agents"))
    assert sorted(one["agent_id"] for one in page["agents"]) == ["a", "b", "c"]
    assert (page["total"], page["used"], page["cap"]) == (3, 3, 3)
    assert ok(home.boot.delete("/v1/agents/b"))["slot_freed"] is True
    home.boot.add("A note.", agent_id="d")
    refused(home.boot.post("/v1/memories", {"content": "x", "agent_id": "e"}), 403,
            "agent_cap_exceeded")  # fmt: skip


def test_the_act_is_told_in_the_default_project_with_its_counts(home: Home) -> None:
    home.api.told("I live in Rome.", "u")
    receipt = home.delete()
    (event,) = ok(home.boot.get("/v1/audit", action="project_delete"))["events"]
    assert (event["id"], event["target_id"]) == (receipt["audit_id"], home.project["id"])
    counts = {"memories_moved": 1, "facts_moved": 1, "memories_deleted": 0, "facts_deleted": 0}
    assert event["meta"] == {**counts, "keys_moved": 1}


def test_3000_memories_move_while_both_projects_are_written_to(home: Home, stack: Stack) -> None:
    fill(home, "u", 3_000, terms=8)
    stop, kept, answers = threading.Event(), [], set()  # type: ignore[var-annotated]

    def write(api: Api, user: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            made = api.post("/v1/memories", {"content": f"Note {number}.", "user_id": user})
            answers.add(made.status_code)
            if made.status_code == 201:
                kept.append(made.json()["id"])
            else:
                refused(made, 503, "unavailable")

    writers = [
        (home.key(), "there"),
        (home.key(), "u"),
        (Api(home.boot.base_url, home.boot.key), "here"),
    ]
    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(write, *one) for one in writers]
        try:
            receipt = home.delete()
        finally:
            stop.set()
        for one in running:
            one.result()
    assert receipt["memories_moved"] >= 3_000
    assert receipt["facts_moved"] >= 3_000
    home.boot.settle()
    total = ok(home.boot.get("/v1/memories", limit=1))["total"]
    assert total == 3_000 + len(kept)
    for made in kept:
        ok(home.boot.get(f"/v1/memories/{made}"))
    assert ok(home.boot.get("/v1/facts", limit=1))["total"] == receipt["facts_moved"]
    assert left_in(stack, home.project["id"]) == {}
    assert answers <= {201, 503}


def test_two_deletions_at_once_are_one(home: Home) -> None:
    home.api.told("I live in Rome.", "u")
    path = f"/admin/projects/{home.project['id']}"
    twins = [Api(home.boot.base_url, home.boot.key) for _ in range(4)]
    gate = threading.Barrier(len(twins))

    def delete(api: Api) -> int:
        gate.wait()
        return api.delete(path).status_code

    with ThreadPoolExecutor(len(twins)) as pool:
        assert sorted(pool.map(delete, twins)) == [200, 404, 404, 404]
    assert ok(home.boot.get("/v1/memories"))["total"] == 1
    assert ok(home.boot.get("/v1/facts"))["total"] == 1


def test_two_projects_that_move_at_once_both_arrive(home: Home) -> None:
    other = WatchedBox(home.boot, home.oracle)
    for number, api in enumerate((home.api, other.api)):
        fact(api, predicate="lives_in", object=f"Town{number}", valid_from=f"202{number}-01-01")
        api.add(f"Note {number}.", user_id="u", agent_id="bot")
    gate = threading.Barrier(2)

    def delete(project: str) -> int:
        api = Api(home.boot.base_url, home.boot.key)
        gate.wait()
        return api.delete(f"/admin/projects/{project}").status_code

    with ThreadPoolExecutor(2) as pool:
        projects = [home.project["id"], other.project["id"]]
        assert list(pool.map(delete, projects)) == [200, 200]
    home.boot.settle()
    assert ok(home.boot.get("/v1/memories"))["total"] == 2
    assert [one["object"] for one in home.boot.facts(user_id="u", predicate="lives_in")] == [
        "Town1"
    ]
    assert ok(home.boot.get("/v1/facts", include_invalidated=True))["total"] == 2
