"""GET /v1/agents, DELETE /v1/agents/{agent_id}."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import Oracle, WatchedBox
from tests.api.rows import left_in
from tests.api_client import Api, ok, refused, unique

OnAgents = Callable[[int | None], WatchedBox]


@pytest.fixture
def on_agents(stack: Stack, oracle: Oracle) -> OnAgents:
    """An account of its own whose plan has so many agents: `boot` in its default project, `api` in
    a second one.
    """
    from accounts import services
    from billing.models import Plan
    from korely.kernel.caller import SCOPES

    def make(cap: int | None) -> WatchedBox:
        plan = Plan.objects.create(slug=unique("plan"), agents=cap)
        organisation, project = services.create_organisation(name=plan.slug, plan=plan.slug)
        made = services.mint_key(
            organisation_id=organisation.id, project_id=project.id, name="admin", scopes=SCOPES
        )
        return WatchedBox(oracle.watch(Api(stack.base_url, made.key)), oracle)

    return make


def agents(api: Api, **query: Any) -> list[tuple[str, int, int]]:
    page = ok(api.get("/v1/agents", **query))
    return [(one["agent_id"], one["memories"], one["facts"]) for one in page["agents"]]


def slots(api: Api) -> tuple[int, int, int]:
    page = ok(api.get("/v1/agents"))
    return page["total"], page["used"], page["cap"]


def fact(api: Api, **fields: Any) -> dict[str, Any]:
    body = {"subject": "s", "predicate": "likes", "object": "tea", **fields}
    return ok(api.post("/v1/facts", body), 201)


def purge(api: Api, agent: str) -> dict[str, Any]:
    return ok(api.delete(f"/v1/agents/{quote(agent, safe='')}"))


def test_agents_are_counted_most_recently_active_first(fresh: WatchedBox) -> None:
    api = fresh.api
    made = api.add("What is this?", user_id="u", agent_id="a")
    api.add("Nobody's agent.", user_id="u")
    fact(api, agent_id="b")
    assert agents(api) == [("b", 0, 1), ("a", 1, 0)]
    assert agents(api, limit=1) == [("b", 0, 1)]
    assert agents(api, limit=1, offset=1) == [("a", 1, 0)]
    assert agents(api, offset=2) == []
    assert ok(api.get("/v1/agents", offset=2))["total"] == 2
    ok(api.delete(f"/v1/memories/{made['id']}"))
    assert agents(api) == [("a", 0, 0), ("b", 0, 1)]


def test_used_counts_names_of_the_account_and_total_those_of_the_project(
    on_agents: OnAgents,
) -> None:
    home = on_agents(3)
    assert slots(home.api) == (0, 0, 3)
    home.api.add("A note.", agent_id="a")
    home.boot.add("A note.", agent_id="a")
    home.boot.add("A note.", agent_id="b")
    assert (slots(home.api), slots(home.boot)) == ((1, 2, 3), (2, 2, 3))
    home.api.add("A note.", agent_id="c")
    refused(
        home.api.post("/v1/memories", {"content": "x", "agent_id": "d"}), 403, "agent_cap_exceeded"
    )
    assert (slots(home.api), slots(home.boot)) == ((2, 3, 3), (2, 3, 3))
    assert [name for name, *_ in agents(home.api)] == ["c", "a"]


def test_a_plan_without_a_cap_has_cap_0(on_agents: OnAgents) -> None:
    home = on_agents(None)
    home.api.add("A note.", agent_id="a")
    assert slots(home.api) == (1, 1, 0)
    assert purge(home.api, "a")["slot_freed"] is None
    assert slots(home.api) == (0, 0, 0)


def test_a_confined_key_sees_the_agents_of_its_own(fresh: WatchedBox) -> None:
    for user, agent in (("anna", "a"), ("bob", "b"), ("anna", "both"), ("bob", "both")):
        fact(fresh.api, user_id=user, agent_id=agent)
    key = fresh.key(users=["ann*"])
    assert agents(key) == [("both", 0, 1), ("a", 0, 1)]
    assert ok(key.get("/v1/agents"))["total"] == 2


def test_purging_an_agent_takes_all_of_it_and_only_it(
    fresh: WatchedBox, api: Api, stranger: Api, stack: Stack
) -> None:
    mine = fresh.api
    other_project = api.add("Elsewhere.", user_id="u", agent_id="bot")
    other_account = stranger.add("Elsewhere.", user_id="u", agent_id="bot")
    for user in ("u", "v"):
        for agent in ("bot", "bot#1", "Bot"):
            mine.add("I live in Rome.", user_id=user, agent_id=agent)
        mine.add("I live in Rome.", user_id=user)
    mine.add("I live in Rome.", agent_id="bot")
    forgotten = mine.add("Forgotten.", user_id="u", agent_id="bot")
    fact(mine, user_id="w", agent_id="bot", tense="past")
    ok(mine.post("/v1/users/u/names", {"name": "Ursula", "agent_id": "bot"}), 201)
    ok(mine.post("/v1/users/u/names", {"name": "Ursula"}), 201)
    mine.settle()
    ok(mine.delete(f"/v1/memories/{forgotten['id']}"))
    before = {one: mine.facts(agent_id=one) for one in ("bot#1", "Bot")}
    gone = len(mine.facts(agent_id="bot", include_invalidated=True))
    whole = left_in(stack, fresh.project["id"])
    receipt = purge(mine, "bot")
    assert receipt == {
        "agent_id": "bot",
        "memories_deleted": 4,
        "facts_deleted": gone,
        "audit_id": receipt["audit_id"],
        "slot_freed": None,
    }
    assert gone == 4
    assert {one: mine.facts(agent_id=one) for one in before} == before
    left = left_in(stack, fresh.project["id"])
    assert left["memories_memory"] == whole["memories_memory"] - 4 == 6
    assert left["facts_fact"] == whole["facts_fact"] - 4
    assert left["facts_declaredname"] == 1
    assert sorted(name for name, *_ in agents(mine)) == ["Bot", "bot#1"]
    assert ok(mine.get("/v1/memories", agent_id="bot"))["total"] == 0
    refused(mine.get(f"/v1/memories/{forgotten['id']}/history"), 404, "not_found")
    for one, kept in ((api, other_project), (stranger, other_account)):
        ok(one.get(f"/v1/memories/{kept['id']}"))
        purge(one, "bot")
    (event,) = ok(mine.get("/v1/audit", action="erase"))["events"]
    assert event["id"] == receipt["audit_id"]
    assert event["meta"] == {"agent_id": "bot", "memories": 4, "facts": 4, "names": 1}


def test_a_name_not_used_here_is_404(fresh: WatchedBox, api: Api) -> None:
    name = unique("bot")
    kept = api.add("Elsewhere.", agent_id=name)
    body = refused(fresh.api.delete(f"/v1/agents/{name}"), 404, "not_found")
    assert body["message"] == f"No agent namespace '{name}' in this project."
    ok(api.get(f"/v1/memories/{kept['id']}"))
    purge(api, name)
    refused(api.delete(f"/v1/agents/{name}"), 404, "not_found")


@pytest.mark.parametrize(
    "suffix", ["", "#1", "?x=1", " space", "%2f", "🙂", "+&=", "é", "'--", "%"]
)
def test_any_name_that_is_stored_can_be_purged_by_its_path(api: Api, suffix: str) -> None:
    name = unique("bot") + suffix
    near = api.add("Kept.", agent_id=name + "x")
    api.add("Gone.", agent_id=name)
    receipt = purge(api, name)
    assert (receipt["agent_id"], receipt["memories_deleted"]) == (name, 1)
    ok(api.get(f"/v1/memories/{near['id']}"))


@pytest.mark.parametrize("segment", ["a%2Fb", "%00", "a%0Ab", "%20", "%2E", "x" * 256])
def test_a_name_that_could_never_be_stored_is_422(api: Api, segment: str) -> None:
    refused(api.delete(f"/v1/agents/{segment}"), 422, "invalid_request", "agent_id")


def test_a_confined_key_purges_no_agent_whoever_s_it_is(fresh: WatchedBox) -> None:
    kept = fresh.api.add("Kept.", user_id="anna", agent_id="bot")
    key = fresh.key(users=["anna"])
    for name in ("bot", "unknown"):
        refused(key.delete(f"/v1/agents/{name}"), 403, "forbidden", "confined")
    refused(fresh.key("memories:read").delete("/v1/agents/bot"), 403, "forbidden")
    ok(fresh.api.get(f"/v1/memories/{kept['id']}"))
    assert agents(fresh.api) == [("bot", 1, 0)]


def test_a_purge_frees_the_slot_once_no_project_uses_the_name(on_agents: OnAgents) -> None:
    home = on_agents(1)
    for api in (home.api, home.boot):
        api.add("A note.", agent_id="a")
    other = {"content": "x", "agent_id": "b"}
    assert purge(home.api, "a")["slot_freed"] is False
    assert (slots(home.api), slots(home.boot)) == ((0, 1, 1), (1, 1, 1))
    refused(home.api.post("/v1/memories", other), 403, "agent_cap_exceeded")
    assert purge(home.boot, "a")["slot_freed"] is True
    assert slots(home.boot) == (0, 0, 1)
    ok(home.api.post("/v1/memories", other), 201)
    refused(home.boot.post("/v1/memories", {**other, "agent_id": "a"}), 403, "agent_cap_exceeded")


def test_forgetting_keeps_the_slot_and_erasing_the_last_row_frees_it(on_agents: OnAgents) -> None:
    home = on_agents(1)
    made = home.api.add("A note.", user_id="u", agent_id="a")
    ok(home.api.delete(f"/v1/memories/{made['id']}"))
    assert slots(home.api) == (1, 1, 1)
    fact(home.api, user_id="v", agent_id="a")
    ok(home.api.delete("/v1/users/u/memories"))
    assert slots(home.api) == (1, 1, 1)
    ok(home.api.delete("/v1/users/v/memories"))
    assert slots(home.api) == (0, 0, 1)
    ok(home.api.post("/v1/memories", {"content": "x", "agent_id": "b"}), 201)


def test_erasing_a_project_frees_its_slots(on_agents: OnAgents) -> None:
    home = on_agents(1)
    home.api.add("A note.", agent_id="a")
    ok(home.boot.delete(f"/admin/projects/{home.project['id']}", erase=True))
    assert slots(home.boot) == (0, 0, 1)
    ok(home.boot.post("/v1/memories", {"content": "x", "agent_id": "b"}), 201)
