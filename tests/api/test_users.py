"""GET /v1/users."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused


def users(api: Api, **query: Any) -> list[tuple[str, int, int]]:
    page = ok(api.get("/v1/users", **query))
    if "limit" not in query and "offset" not in query:
        assert page["total"] == len(page["users"])
    return [(one["user_id"], one["memories"], one["facts"]) for one in page["users"]]


def fact(api: Api, **fields: Any) -> dict[str, Any]:
    body = {"subject": "s", "predicate": "likes", "object": "tea", **fields}
    return ok(api.post("/v1/facts", body), 201)


def test_users_are_counted_most_recently_active_first(fresh: WatchedBox) -> None:
    api = fresh.api
    api.told("I live in Rome.", "a")
    api.add("What time is it?", user_id="b")
    fact(api, user_id="c")
    api.add("A memory of nobody.")
    api.add("Where are my keys?", user_id="a", agent_id="bot")
    api.settle()
    assert users(api) == [("a", 2, 1), ("c", 0, 1), ("b", 1, 0)]
    assert users(api, agent_id="bot") == [("a", 1, 0)]
    assert users(api, agent_id="nobody") == []


def test_pages_are_cut_after_the_order_and_total_counts_all(fresh: WatchedBox) -> None:
    for name in "abcde":
        fact(fresh.api, user_id=name)
    assert [u for u, *_ in users(fresh.api, limit=2, offset=1)] == ["d", "c"]
    for query in ({"limit": 2}, {"limit": 1, "offset": 4}, {"offset": 9}):
        assert ok(fresh.api.get("/v1/users", **query))["total"] == 5
    assert users(fresh.api, offset=9) == []


def test_facts_are_counted_as_the_default_read_lists_them(fresh: WatchedBox) -> None:
    api = fresh.api
    for n, place in enumerate(("Rome", "Oslo", "Bern")):
        fact(api, user_id="u", subject="u", predicate="lives_in", object=place,
             valid_from=f"2020-0{n + 1}-01")  # fmt: skip
    fact(api, user_id="u", predicate="lives_in", object="Lima", valid_from="2999-01-01")
    fact(api, user_id="u", predicate="plays", object="chess", tense="past")
    fact(api, user_id="u", predicate="visits", object="Paris", tense="planned")
    fact(api, user_id="u", predicate="likes", object="jazz")
    fact(api, user_id="u", predicate="likes", object="rock", agent_id="bot")
    fact(api, user_id="v", predicate="lives_in", object="Lima", valid_from="2999-01-01")
    for query in ({}, {"agent_id": "bot"}):
        listed = ok(api.get("/v1/facts", user_id="u", **query))["total"]
        assert users(api, **query) == [("u", 0, listed)]
    assert listed == 1


def test_the_newest_change_counts_as_activity(fresh: WatchedBox) -> None:
    api = fresh.api
    first = {name: api.add(f"A note of {name}.", user_id=name) for name in "abc"}
    spare = api.add("Another note of a.", user_id="a")
    api.settle()
    assert [u for u, *_ in users(api)] == ["a", "c", "b"]
    changed = ok(api.patch(f"/v1/memories/{first['b']['id']}", {"content": "A changed note."}))
    assert [u for u, *_ in users(api)] == ["b", "a", "c"]
    (row, *_) = ok(api.get("/v1/users"))["users"]
    assert row["last_active"] == changed["updated_at"]
    ok(api.delete(f"/v1/memories/{spare['id']}"))
    assert users(api)[0] == ("a", 1, 0)


def test_a_user_with_nothing_live_is_left_out(fresh: WatchedBox) -> None:
    made = fresh.api.told("I live in Rome.", "u")
    assert users(fresh.api) == [("u", 1, 1)]
    ok(fresh.api.delete(f"/v1/memories/{made['id']}"))
    assert users(fresh.api) == []
    assert ok(fresh.api.get("/v1/users"))["total"] == 0


def test_a_confined_key_sees_only_its_own(fresh: WatchedBox) -> None:
    for name in ("anna", "team-1", "team-2", "bob"):
        fact(fresh.api, user_id=name)
    assert users(fresh.key(users=["anna", "team-*"])) == [
        ("team-2", 0, 1),
        ("team-1", 0, 1),
        ("anna", 0, 1),
    ]
    assert users(fresh.key(users=["nobody"])) == []


@pytest.mark.parametrize("path", ["/v1/users", "/v1/agents"])
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "ten"}, "limit"),
        ({"offset": -1}, "offset"),
        ({"offset": 2_147_483_648}, "offset"),
    ],
)
def test_a_page_out_of_range_is_422(api: Api, path: str, query: dict[str, Any], field: str) -> None:
    refused(api.get(path, **query), 422, "invalid_request", field)
    ok(api.get(path, limit=200, offset=2_147_483_647))


def test_an_empty_agent_is_422_and_never_everyone(api: Api) -> None:
    refused(api.get("/v1/users", agent_id=""), 422, "invalid_request", "agent_id")


def test_each_list_costs_one_query_and_is_one_event(fresh: WatchedBox, on_plan: Any) -> None:
    small = on_plan(queries_per_month=2)
    ok(small.get("/v1/users"))
    ok(small.get("/v1/agents"))
    for path in ("/v1/users", "/v1/agents"):
        refused(small.get(path), 429, "quota_exceeded")
    fact(fresh.api, user_id="u", agent_id="bot")
    ok(fresh.api.get("/v1/users"))
    ok(fresh.api.get("/v1/agents"))
    from billing.models import AuditEvent
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    project = parse("prj", fresh.project["id"])
    assert project is not None
    with project_scope(project):
        reads = list(AuditEvent.objects.filter(action="read").order_by("ts", "id"))
    assert [row.meta for row in reads] == [
        {"call": "users", "returned": 1},
        {"call": "agents", "returned": 1},
    ]
    assert [(row.read_memories, row.read_facts) for row in reads] == [([], []), ([], [])]
