"""What an operator gives an account, and the warning before a month is spent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management.base import CommandError

from korely.embedded.stack import Stack
from tests.accounts import key_row_of, organisation_of
from tests.api_client import Api, ok, refused
from tests.operations import command, manage, run

OnPlan = Callable[..., Api]


def events(api: Api, action: str) -> list[dict[str, Any]]:
    from billing.models import AuditEvent
    from korely.kernel.tenancy import project_scope

    project = key_row_of(api).project_id
    with project_scope(project):
        rows = AuditEvent.objects.filter(action=action).order_by("ts")
        return [{"actor": row.actor, **row.meta} for row in rows]


def test_a_top_up_counts_on_the_next_request_for_its_month_only(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=1, queries_per_month=1)
    account = str(organisation_of(api))
    api.add("One.")
    later = (datetime.now(UTC).replace(day=1) + timedelta(days=40)).strftime("%Y-%m")
    command("top_up", account, "--writes", "9", "--month", later)
    refused(api.post("/v1/memories", {"content": "Two."}), 429, "quota_exceeded")
    command("top_up", account, "--writes", "1", "--queries", "2", "--note", "a gift")
    command("top_up", account, "--writes", "1")
    api.add("Two.")
    api.add("Three.")
    body = refused(api.post("/v1/memories", {"content": "Four."}), 429, "quota_exceeded")
    assert (body["limit"], body["used"]) == (3, 3)
    for _ in range(3):
        ok(api.get("/v1/memories"))
    assert refused(api.get("/v1/memories"), 429, "quota_exceeded")["limit"] == 3
    told = events(api, "top_up")
    assert [event["actor"] for event in told] == ["manage"] * 3
    assert [event["writes"] for event in told] == [9, 1, 1]


def test_a_top_up_that_adds_nothing_or_names_no_account_is_refused(on_plan: OnPlan) -> None:
    from billing.models import TopUp

    account = organisation_of(on_plan())
    for arguments in (["--writes", "0"], ["--writes", "-5"], ["--queries", "-1", "--writes", "2"]):
        with pytest.raises(CommandError, match="adds writes or queries"):
            command("top_up", str(account), *arguments)
    with pytest.raises(CommandError, match="no such account"):
        command("top_up", "00000000-0000-0000-0000-000000000000", "--writes", "1")
    assert not TopUp.objects.filter(organisation=account).exists()


def test_another_plan_holds_from_the_next_request_on_and_keeps_what_was_used(
    stack: Stack, on_plan: OnPlan
) -> None:
    api = on_plan(writes_per_month=1)
    account = str(organisation_of(api))
    api.add("One.")
    refused(api.post("/v1/memories", {"content": "Two."}), 429, "quota_exceeded")
    manage(stack, "set_plan", account, "hobby")
    assert ok(api.get("/v1/ping"))["tier"] == "hobby"
    answer = api.post("/v1/memories", {"content": "Two."})
    ok(answer, 201)
    assert answer.headers["ratelimit-limit"] == "60"
    told = events(api, "plan_change")
    assert [(event["actor"], event["to"]) for event in told] == [("manage", "hobby")]
    assert "no such plan; there are: " in run(stack, "set_plan", account, "golden").stderr
    assert ok(api.get("/v1/ping"))["tier"] == "hobby"
    listed = next(
        line for line in command("list_accounts").splitlines() if line.startswith(account)
    )
    assert "hobby  2 writes  0 queries" in listed


def test_the_write_that_reaches_80_percent_warns_once_a_month(on_plan: OnPlan) -> None:
    from billing.models import Usage

    api = on_plan(writes_per_month=5)
    for number in range(3):
        api.add(f"Number {number}.")
    assert events(api, "quota_warning") == []
    refused(api.patch("/v1/memories/mem_" + "0" * 32, {"content": "x"}), 404, "not_found")
    assert events(api, "quota_warning") == []
    api.add("Number 3.")
    expected = [{"actor": "rest", "used": 4, "limit": 5, "percent": 80}]
    assert events(api, "quota_warning") == expected
    api.add("Number 4.")
    refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert events(api, "quota_warning") == expected
    Usage.objects.filter(organisation=organisation_of(api)).update(writes=0, warned_at=None)
    for number in range(4):
        api.add(f"Again {number}.")
    assert len(events(api, "quota_warning")) == 2


def test_a_failed_write_at_80_percent_does_not_warn_and_the_next_good_one_does(
    on_plan: OnPlan,
) -> None:
    api = on_plan(writes_per_month=5)
    made = api.add("Kept.")
    for number in range(2):
        api.add(f"Number {number}.")
    stale = {"content": "x", "expected_updated_at": "2020-01-01"}
    refused(api.patch(f"/v1/memories/{made['id']}", stale), 409, "stale_write")
    assert events(api, "quota_warning") == []
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": "Changed."}))
    assert [event["used"] for event in events(api, "quota_warning")] == [4]


def test_queries_never_warn(on_plan: OnPlan) -> None:
    api = on_plan(queries_per_month=2, writes_per_month=100)
    ok(api.get("/v1/memories"))
    ok(api.get("/v1/memories"))
    assert events(api, "quota_warning") == []
