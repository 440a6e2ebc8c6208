"""A row for every request of a known account: its route, never what was in it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from korely.embedded.stack import Stack
from tests.accounts import key_row_of, organisation_of
from tests.api_client import Api, Box, ok, refused, unique, wait_for

Rows = list[dict[str, Any]]


def rows_of(stack: Stack, organisation: uuid.UUID) -> Rows:
    """What is stored of an account's requests, oldest first."""
    with psycopg.connect(stack.env["DATABASE_URL"], row_factory=dict_row) as connection:
        return connection.execute(
            "SELECT * FROM billing_requestentry WHERE organisation_id = %s ORDER BY at, id",
            [organisation],
        ).fetchall()


def logged(stack: Stack, api: Api, count: int) -> Rows:
    """The rows of an account once there are so many of them."""
    organisation = organisation_of(api)

    def look() -> Rows | None:
        found = rows_of(stack, organisation)
        return found if len(found) >= count else None

    found = wait_for("the log of requests", look, 10)
    assert len(found) == count
    return found


@pytest.fixture
def alone(stack: Stack) -> Callable[..., Api]:
    """Makes a key of an account of its own, on a plan with these limits."""

    def make(**limits: int) -> Api:
        from accounts import services
        from billing.models import Plan

        plan = Plan.objects.create(slug=unique("plan"), **limits)
        organisation, project = services.create_organisation(name="Alone", plan=plan.slug)
        made = services.mint_key(
            organisation_id=organisation.id, project_id=project.id, name="alone"
        )
        return Api(stack.base_url, made.key)

    return make


def test_each_answer_has_its_row_and_none_of_its_words(
    stack: Stack, alone: Callable[..., Api]
) -> None:
    api, secret = alone(), unique("secret")
    api.http.headers["X-Korely-Client"] = "an-agent/3"
    made = ok(api.post("/v1/memories", {"content": secret, "user_id": secret}), 201)
    request_id = unique("req")
    api.request("GET", f"/v1/memories/{made['id']}", headers={"X-Request-Id": request_id})
    ok(api.delete(f"/v1/users/{secret}/memories"))
    refused(api.get(f"/v1/memories/mem_{uuid.uuid4().hex}"), 404, "not_found")
    refused(api.post("/v1/memories/search", {"query": secret, "limit": 0}), 422, "invalid_request")
    refused(api.get("/admin/keys", q=secret), 403, "forbidden")
    ok(api.get("/v1/ping"))
    found = logged(stack, api, 7)
    assert [(row["method"], row["route"], row["status"]) for row in found] == [
        ("POST", "/v1/memories", 201),
        ("GET", "/v1/memories/{memory_id}", 200),
        ("DELETE", "/v1/users/{user_id}/memories", 200),
        ("GET", "/v1/memories/{memory_id}", 404),
        ("POST", "/v1/memories/search", 422),
        ("GET", "/admin/keys", 403),
        ("GET", "/v1/ping", 200),
    ]
    key = key_row_of(api)
    assert {(row["key_id"], row["project_id"]) for row in found} == {(key.id, key.project_id)}
    assert {row["client"] for row in found} == {"an-agent/3"}
    assert found[1]["request_id"] == request_id
    assert all(0 <= row["ms"] < 60_000 for row in found)
    told = json.dumps(found, default=str)
    for word in (secret, made["id"], made["id"].removeprefix("mem_"), "127.0.0.1", api.key or ""):
        assert word not in told


def test_a_refused_one_has_its_429_and_a_stranger_no_row(
    stack: Stack, alone: Callable[..., Api]
) -> None:
    api = alone(per_minute=2)
    codes = [api.get("/v1/facts").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    refused(Api(stack.base_url, f"kor_self_{'0' * 32}").get("/v1/facts"), 401, "invalid_key")
    ok(api.get("/healthz"))
    assert [row["status"] for row in logged(stack, api, 3)] == [200, 200, 429]


def test_a_body_or_path_that_is_nothing_known_leaves_no_text(
    stack: Stack, alone: Callable[..., Api]
) -> None:
    api, secret = alone(), unique("secret")
    api.request("POST", f"/v1/{secret}", content=secret)
    api.request("POST", "/v1/memories", content=f'{{"{secret}"')
    found = logged(stack, api, 1)
    assert (found[0]["route"], found[0]["status"]) == ("/v1/memories", 422)
    assert secret not in json.dumps(found, default=str)


def test_a_deleted_account_leaves_no_rows(stack: Stack, alone: Callable[..., Api]) -> None:
    api, other = alone(), alone()
    organisation = organisation_of(api)
    api.add("I like soup.")
    ok(api.delete("/v1/account", confirm="true"))
    ok(other.get("/v1/ping"))
    logged(stack, other, 1)  # what was noted before it is stored by now
    assert rows_of(stack, organisation) == []


def test_rows_past_their_days_are_removed_and_younger_ones_stay(stack: Stack, boot: Api) -> None:
    from datetime import timedelta

    from billing.models import RequestEntry
    from billing.services import Noted, store_requests
    from billing.tasks import age_usage
    from korely.kernel.clock import now

    organisation, moment = organisation_of(boot), now()
    marks = {}
    for days in (15, 13):
        at = moment - timedelta(days=days)
        request_id = unique("req")
        row_id = uuid.UUID(int=(int(at.timestamp() * 1000) << 80) | uuid.uuid4().int >> 64)
        row = Noted(
            row_id, organisation, uuid.uuid4(), None, at, "GET", "/v1/ping", 200, 3, request_id, ""
        )
        assert store_requests(noted=[row]) == 1
        marks[days] = request_id
    age_usage.apply(throw=True)  # the setting's 14 days
    left = RequestEntry.objects.filter(organisation_id=organisation)
    assert not left.filter(request_id=marks[15]).exists()
    assert left.filter(request_id=marks[13]).exists()


def test_days_of_usage_are_kept_for_13_months(box: Box) -> None:
    from datetime import UTC, date, datetime

    from billing.models import UsageDay
    from billing.services import remove_aged_days

    organisation = organisation_of(box.api)
    project = uuid.uuid4()
    days = [date(2001, 1, 31), date(2001, 2, 1), date(2002, 3, 1)]
    for day in days:
        UsageDay.objects.create(organisation_id=organisation, day=day, project_id=project, writes=1)
    remove_aged_days(moment=datetime(2002, 3, 15, tzinfo=UTC))
    kept = UsageDay.objects.filter(project_id=project).order_by("day")
    assert list(kept.values_list("day", flat=True)) == days[1:]
    kept.delete()
