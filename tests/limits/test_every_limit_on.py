"""Each boundary, with all limits on at once: what is refused, in which order, and what is not."""

from __future__ import annotations

import time
from collections.abc import Callable

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, refused, wait_for
from tests.limits.conftest import sign_up

OnTinyPlan = Callable[..., Api]
UNKNOWN = "/v1/memories/mem_" + "0" * 32


def wait_out(api: Api, seconds: int) -> None:
    """Until the account's minute has that many seconds left or more."""
    response = api.get("/v1/events")
    left = int(response.headers["ratelimit-reset"])
    if response.status_code == 429 or left < seconds:
        due = time.monotonic() + left
        wait_for("the next minute", lambda: time.monotonic() >= due)


def test_the_first_account_has_the_minute_that_the_operator_set(limited: Stack) -> None:
    boot = Api(limited.base_url, limited.key)
    wait_out(boot, 20)
    got = [boot.get("/v1/events") for _ in range(31)]
    passed = [answer.status_code for answer in got].count(200)
    assert 28 <= passed <= 30  # `wait_out` used up to two
    assert [answer.status_code for answer in got[passed:]] == [429] * (31 - passed)
    over = got[-1]
    assert over.headers["ratelimit-limit"] == "30"
    assert over.headers["ratelimit-remaining"] == "0"
    assert over.headers["retry-after"] == over.headers["ratelimit-reset"]
    refused(over, 429, "rate_limit_exceeded", "minute")
    ok(boot.get("/v1/ping"))
    assert Api(limited.base_url, None).get("/healthz").status_code == 200
    assert Api(limited.base_url, None).get("/v1/openapi.json").status_code == 200


def test_the_limits_of_a_new_account_are_its_plan_s(limited: Stack) -> None:
    from_api = sign_up(limited, "198.51.100.7")
    answer = from_api.get("/v1/agents")
    assert answer.headers["ratelimit-limit"] == "60"
    assert (ok(answer)["cap"], ok(answer)["used"]) == (2, 0)
    from_api.add("One.", agent_id="a")
    from_api.add("Two.", agent_id="b")
    body = refused(
        from_api.post("/v1/memories", {"content": "Three.", "agent_id": "c"}),
        403,
        "agent_cap_exceeded",
    )
    assert (body["cap"], body["used"]) == (2, 2)
    from_api.add("A name that is known.", agent_id="a")
    freed = ok(from_api.delete("/v1/agents/b"))
    assert freed["slot_freed"] is True
    from_api.add("Room again.", agent_id="c")


def test_networks_have_their_own_number_of_accounts_a_day(limited: Stack) -> None:
    for _ in range(3):
        sign_up(limited, "2001:db8:1:2::1")
    response = Api(limited.base_url, None).request(
        "POST",
        "/v1/agents/init",
        json={},
        headers={"X-Forwarded-For": "2001:db8:1:2:ffff::9"},
    )
    refused(response, 429, "signup_rate_limited")
    assert response.headers["retry-after"] == "86400"
    sign_up(limited, "2001:db8:1:3::1")


def test_refusals_come_in_the_contract_s_order(on_tiny_plan: OnTinyPlan) -> None:
    api = on_tiny_plan(writes_per_month=1, queries_per_month=1, agents=0, per_hour=14)
    made = api.add("The one write.")
    ok(api.get("/v1/memories"))
    # Nothing is left of the month; each of these is refused for what comes before it.
    refused(api.get("/admin/keys"), 403, "forbidden")
    refused(api.post("/v1/memories", {"content": ""}), 422, "invalid_request", "content")
    refused(api.get("/v1/memories", limit=0), 422, "invalid_request", "limit")
    refused(api.get(UNKNOWN), 404, "not_found")
    refused(api.patch(UNKNOWN, {"content": "x"}), 404, "not_found")
    stale = {"content": "x", "expected_updated_at": "2020-01-01"}
    refused(api.patch(f"/v1/memories/{made['id']}", stale), 409, "stale_write")
    capped = {"content": "x", "agent_id": "new"}
    refused(api.post("/v1/memories", capped), 403, "agent_cap_exceeded")
    spent = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert (spent["limit"], spent["used"]) == (1, 1)
    refused(api.get(f"/v1/memories/{made['id']}"), 429, "quota_exceeded")
    refused(api.get(f"/v1/memories/{made['id']}/history"), 429, "quota_exceeded")
    # What is free stays free.
    ok(api.get("/v1/events"))
    ok(api.get("/v1/audit"))
    # And past the hour's requests the rate limit comes first, but for route, size and key.
    for response in (
        api.get("/admin/keys"),
        api.post("/v1/memories", {"content": ""}),
        api.get(UNKNOWN),
        api.post("/v1/memories", {"content": "x"}),
    ):
        body = refused(response, 429, "rate_limit_exceeded", "hour")
        assert "resets_at" not in body
        assert int(response.headers["retry-after"]) >= 1
    refused(api.get("/v1/nowhere"), 404, "not_found")
    refused(api.request("PUT", "/v1/memories"), 405, "method_not_allowed")
    refused(Api(api.base_url, "kor_self_" + "0" * 32).get("/v1/memories"), 401, "invalid_key")
    ok(api.get("/v1/ping"))


def test_with_one_embedding_at_a_time_all_of_a_burst_are_answered(
    on_tiny_plan: OnTinyPlan,
) -> None:
    from tests.concurrency.at_once import at_once, clients, statuses

    api = on_tiny_plan(queries_per_month=100)
    body = {"query": "where do I live"}
    answers = at_once([lambda c=c: c.post("/v1/memories/search", body) for c in clients(api, 20)])
    assert statuses(answers) == [200] * 20
