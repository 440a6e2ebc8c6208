"""Requests counted per account in windows of a minute, an hour and a day."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx

from tests.api_client import Api, ok, refused, wait_for

OnPlan = Callable[..., Api]


def standing(response: httpx.Response) -> tuple[int, int, int]:
    """Limit, remaining, reset of an answer."""
    names = ("limit", "remaining", "reset")
    return tuple(int(response.headers[f"ratelimit-{name}"]) for name in names)


def unhurried(make: Callable[[], Api], *, least: int = 15, most: int = 60) -> Api:
    """An account whose first request leaves that many seconds of its minute.

    Accounts' minutes end at different seconds, so that one in the right place is soon found.
    """
    for _ in range(200):
        api = make()
        if least <= standing(api.get("/v1/events"))[2] <= most:
            return api
    raise AssertionError("no account's minute ended at a fitting second")


def test_the_request_past_the_minute_is_429_and_says_how_long_to_wait(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=5))
    for left in (3, 2, 1, 0):
        assert standing(api.get("/v1/events"))[:2] == (5, left)
    over = api.get("/v1/events")
    body = refused(over, 429, "rate_limit_exceeded", "minute")
    limit, remaining, reset = standing(over)
    assert (limit, remaining) == (5, 0)
    assert over.headers["retry-after"] == str(reset)
    assert 1 <= reset <= 60
    assert f"{reset} second" in body["message"]
    assert "limit" not in body  # these belong to a quota's refusal


def test_waiting_as_long_as_told_is_enough(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=2), least=2, most=6)
    ok(api.get("/v1/events"))
    over = api.get("/v1/events")
    refused(over, 429, "rate_limit_exceeded")
    due = time.monotonic() + int(over.headers["retry-after"])
    wait_for("the end of the window", lambda: time.monotonic() >= due)
    assert standing(api.get("/v1/events"))[:2] == (2, 1)


def test_the_tightest_window_wins_and_is_named(on_plan: OnPlan) -> None:
    hourly = on_plan(per_minute=50, per_hour=2, per_day=90)
    assert standing(hourly.get("/v1/events"))[:2] == (2, 1)
    ok(hourly.get("/v1/events"))
    refused(hourly.get("/v1/events"), 429, "rate_limit_exceeded", "hour")
    daily = on_plan(per_minute=50, per_hour=40, per_day=1)
    ok(daily.get("/v1/events"))
    over = daily.get("/v1/events")
    refused(over, 429, "rate_limit_exceeded", "day")
    assert 1 <= int(over.headers["retry-after"]) <= 86_400
    assert standing(over)[:2] == (1, 0)


def test_a_wait_that_ends_one_window_but_not_another_is_not_told(on_plan: OnPlan) -> None:
    api = on_plan(per_minute=1, per_hour=1)
    ok(api.get("/v1/events"))
    refused(api.get("/v1/events"), 429, "rate_limit_exceeded", "hour")


def test_refused_requests_count_and_carry_the_headers_too(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=20))
    for number, (response, status) in enumerate(
        [
            (api.post("/v1/memories", {"content": ""}), 422),
            (api.get("/v1/memories/mem_" + "0" * 32), 404),
            (api.get("/admin/keys"), 403),
            (api.request("POST", "/v1/memories", content=b"x"), 422),
            (api.request("HEAD", "/v1/events"), 200),
        ]
    ):
        assert response.status_code == status
        assert standing(response)[:2] == (20, 18 - number)


def test_ping_health_docs_and_unknown_routes_are_not_counted(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=3))
    for path in ("/v1/ping", "/healthz", "/v1/openapi.json", "/v1/nowhere"):
        for _ in range(3):
            response = api.get(path)
            assert response.status_code in (200, 404)
            assert "ratelimit-limit" not in response.headers
    assert api.request("DELETE", "/v1/events").status_code == 405
    assert api.request("OPTIONS", "/v1/events").status_code == 204
    assert standing(api.get("/v1/events"))[:2] == (3, 1)


def test_ping_answers_when_the_minute_is_spent(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=1))
    refused(api.get("/v1/events"), 429, "rate_limit_exceeded")
    ok(api.get("/v1/ping"))


def test_a_refused_request_takes_nothing_of_the_month_and_changes_nothing(
    on_plan: OnPlan,
) -> None:
    from billing.models import Usage
    from tests.accounts import organisation_of

    api = unhurried(lambda: on_plan(per_minute=2))
    made = api.add("Kept.")
    for response in (
        api.post("/v1/memories", {"content": "Not stored."}),
        api.delete(f"/v1/memories/{made['id']}"),
        api.get("/v1/memories"),
    ):
        refused(response, 429, "rate_limit_exceeded")
    used = Usage.objects.get(organisation=organisation_of(api))
    assert (used.writes, used.queries) == (1, 0)


def test_an_account_without_ceilings_gets_no_headers(on_plan: OnPlan) -> None:
    response = on_plan().get("/v1/memories")
    assert response.status_code == 200
    assert not [name for name in response.headers if name.startswith("ratelimit")]


def test_all_keys_of_an_account_share_its_windows_and_other_accounts_have_their_own(
    on_plan: OnPlan,
) -> None:
    from accounts import services
    from tests.accounts import key_row_of

    api = unhurried(lambda: on_plan(per_minute=4))
    row = key_row_of(api)
    second = Api(
        api.base_url,
        services.mint_key(
            organisation_id=row.organisation_id, project_id=row.project_id, name="second"
        ).key,
    )
    assert standing(second.get("/v1/events"))[1] == 2
    assert standing(api.get("/v1/events"))[1] == 1
    assert standing(on_plan(per_minute=4).get("/v1/events"))[1] == 3


def test_an_unknown_key_is_401_and_counts_for_nobody(on_plan: OnPlan) -> None:
    api = unhurried(lambda: on_plan(per_minute=3))
    for _ in range(5):
        response = Api(api.base_url, "kor_self_" + "0" * 32).get("/v1/events")
        refused(response, 401, "invalid_key")
        assert "ratelimit-limit" not in response.headers
    assert standing(api.get("/v1/events"))[1] == 1
