"""The month's allowance, the agent cap, and what is free."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from tests.api_client import Api, ok, refused

OnPlan = Callable[..., Api]


def next_month() -> str:
    today = datetime.now(UTC)
    return datetime(today.year + today.month // 12, today.month % 12 + 1, 1).date().isoformat()


def test_writes_past_the_limit_are_429_with_the_numbers_and_store_nothing(
    on_plan: OnPlan,
) -> None:
    api = on_plan(writes_per_month=2)
    made = api.add("One.")
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": "Two."}))
    for response in (
        api.post("/v1/memories", {"content": "Three."}),
        api.patch(f"/v1/memories/{made['id']}", {"content": "Three."}),
    ):
        body = refused(response, 429, "quota_exceeded")
        assert (body["limit"], body["used"], body["resets_at"]) == (2, 2, next_month())
        assert "retry-after" not in response.headers
    page = ok(api.get("/v1/memories"))
    assert [one["content"] for one in page["memories"]] == ["Two."]


def test_each_read_costs_one_query_whatever_it_finds(on_plan: OnPlan) -> None:
    api = on_plan(queries_per_month=7)
    made = api.add("I live in Rome.")
    api.settle()
    ok(api.get("/v1/memories"))
    ok(api.get(f"/v1/memories/{made['id']}"))
    ok(api.get(f"/v1/memories/{made['id']}/history"))
    ok(api.post("/v1/memories/search", {"query": "x", "types": ["memories", "facts"]}))
    ok(api.get("/v1/facts"))
    ok(api.get("/v1/context", query="x"))
    assert api.request("HEAD", "/v1/facts").status_code == 200
    body = refused(api.get("/v1/facts"), 429, "quota_exceeded")
    assert (body["limit"], body["used"]) == (7, 7)
    refused(api.post("/v1/memories/search", {"query": "x"}), 429, "quota_exceeded")
    refused(api.get(f"/v1/memories/{made['id']}"), 429, "quota_exceeded")
    refused(api.get("/v1/context", query="x"), 429, "quota_exceeded")


def test_what_is_free_stays_free_when_the_month_is_spent(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=1, queries_per_month=0)
    made = api.add("One.")
    refused(api.get("/v1/memories"), 429, "quota_exceeded")
    ok(api.get("/v1/ping"))
    ok(api.get("/v1/events"))
    ok(api.delete(f"/v1/memories/{made['id']}"))
    body = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert body["used"] == 1


def test_a_refused_request_costs_nothing(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=1, queries_per_month=1, agents=0)
    missing = f"/v1/memories/mem_{'0' * 32}"
    for _ in range(2):
        refused(api.post("/v1/memories", {"content": ""}), 422, "invalid_request")
        refused(
            api.post("/v1/memories", {"content": "x", "agent_id": "a"}), 403, "agent_cap_exceeded"
        )
        refused(api.patch(missing, {"content": "x"}), 404, "not_found")
        refused(api.get(missing), 404, "not_found")
        refused(api.get(f"{missing}/history"), 404, "not_found")
        refused(api.get("/v1/facts", as_of="soon"), 422, "invalid_request")
        refused(api.request("POST", "/v1/memories", content=b"{"), 422, "invalid_request")
    made = api.add("The one write.")
    refused(
        api.patch(
            f"/v1/memories/{made['id']}", {"content": "x", "expected_updated_at": "2020-01-01"}
        ),
        409,
        "stale_write",
    )
    assert ok(api.get("/v1/memories"))["total"] == 1


def test_a_limit_of_zero_lets_nothing_through(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=0, queries_per_month=0)
    body = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert (body["limit"], body["used"]) == (0, 0)
    body = refused(api.get("/v1/facts"), 429, "quota_exceeded")
    assert (body["limit"], body["used"]) == (0, 0)


def test_concurrent_writes_never_pass_the_limit(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=5)
    with ThreadPoolExecutor(8) as pool:
        codes = list(
            pool.map(lambda n: api.post("/v1/memories", {"content": f"{n}"}).status_code, range(12))
        )
    assert sorted(codes) == [201] * 5 + [429] * 7
    assert ok(api.get("/v1/memories"))["total"] == 5


def test_only_a_new_agent_past_the_cap_is_refused(on_plan: OnPlan) -> None:
    api = on_plan(agents=2)
    first = api.add("One.", agent_id="one")
    api.add("Two.", agent_id="two")
    api.add("No agent.")
    body = refused(
        api.post("/v1/memories", {"content": "x", "agent_id": "three"}), 403, "agent_cap_exceeded"
    )
    assert (body["cap"], body["used"]) == (2, 2)
    refused(
        api.post("/v1/memories", {"content": "x", "agent_id": "ONE"}), 403, "agent_cap_exceeded"
    )
    ok(api.delete(f"/v1/memories/{first['id']}"))
    refused(
        api.post("/v1/memories", {"content": "x", "agent_id": "three"}), 403, "agent_cap_exceeded"
    )
    api.add("One again.", agent_id="one")
    assert ok(api.get("/v1/memories", agent_id="three"))["total"] == 0
    assert ok(api.get("/v1/memories"))["total"] == 3


def test_concurrent_new_agents_never_pass_the_cap(on_plan: OnPlan) -> None:
    api = on_plan(agents=2)
    with ThreadPoolExecutor(6) as pool:
        codes = list(
            pool.map(
                lambda n: (
                    api.post("/v1/memories", {"content": "x", "agent_id": f"a{n}"}).status_code
                ),
                range(6),
            )
        )
    assert sorted(codes) == [201] * 2 + [403] * 4


def test_the_allowance_is_the_account_s_and_of_no_other(on_plan: OnPlan) -> None:
    spent, other = on_plan(writes_per_month=0), on_plan(writes_per_month=1)
    refused(spent.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    other.add("Mine.")
    refused(other.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
