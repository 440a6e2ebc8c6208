"""The days of a month sum up to its row, whatever happens at once."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from tests.accounts import key_row_of
from tests.api_client import Api, ok, refused, unique, wait_for
from tests.concurrency.at_once import at_once, clients

Counts = tuple[int, int]


def month_of(organisation: object) -> Counts:
    from billing.models import Usage

    found = Usage.objects.filter(organisation=organisation).values_list("writes", "queries")
    return found[0] if found else (0, 0)


def days_of(organisation: object) -> dict[tuple[uuid.UUID, uuid.UUID | None], Counts]:
    """By project and key; the run of a test may last over midnight."""
    from django.db.models import Sum

    from billing.models import UsageDay

    rows = UsageDay.objects.filter(organisation=organisation).values_list("project_id", "key_id")
    sums = rows.annotate(w=Sum("writes"), q=Sum("queries"))
    return {(project, key): (writes, queries) for project, key, writes, queries in sums}


def summed(organisation: object) -> Counts:
    found = days_of(organisation).values()
    return sum(one[0] for one in found), sum(one[1] for one in found)


def another_key(api: Api) -> Api:
    from accounts import services

    row = key_row_of(api)
    made = services.mint_key(
        organisation_id=row.organisation_id, project_id=row.project_id, name=unique("key")
    )
    return Api(api.base_url, made.key)


def test_calls_of_two_keys_at_once_are_counted_by_key_and_sum_up_to_the_month(account: Any) -> None:
    api, organisation = account(writes_per_month=9, queries_per_month=7)
    other = another_key(api)
    body = {"content": "I like soup.", "user_id": "u"}
    calls: list[Any] = []
    for key in (api, other):
        calls += [partial(one.post, "/v1/memories", body) for one in clients(key, 8)]
        calls += [partial(one.get, "/v1/facts") for one in clients(key, 6)]
    answers = at_once(calls)
    codes = [answer.status_code for answer in answers]
    assert (codes.count(201), codes.count(200), codes.count(429)) == (9, 7, 12)
    assert month_of(organisation) == (9, 7) == summed(organisation)
    project, counted = key_row_of(api).project_id, days_of(organisation)
    for key, answered in ((api, codes[:14]), (other, codes[14:])):
        mine = counted[project, key_row_of(key).id]
        assert mine == (answered.count(201), answered.count(200))


def test_what_fails_at_once_is_taken_from_the_day_as_from_the_month(account: Any) -> None:
    api, organisation = account(writes_per_month=50)
    made = api.add("I like soup.", user_id="u")
    path, stale = f"/v1/memories/{made['id']}", "2020-01-01T00:00:00Z"
    failing = {"content": "I like tea.", "expected_updated_at": stale}
    storing = {"content": "I like plates.", "user_id": "u"}
    calls = [partial(one.patch, path, failing) for one in clients(api, 8)]
    calls += [partial(one.post, "/v1/memories", storing) for one in clients(api, 8)]
    codes = sorted(answer.status_code for answer in at_once(calls))
    assert codes == [201] * 8 + [409] * 8
    assert month_of(organisation) == (9, 0) == summed(organisation)


def test_items_of_a_batch_that_fail_are_given_back_to_the_day_that_paid(account: Any) -> None:
    api, organisation = account(writes_per_month=50)
    items = [{"content": "I like soup."}, {"content": " "}, {"content": ""}]
    job = ok(api.post("/v1/batch", {"memories": items}), 202)
    wait_for("the batch", lambda: ok(api.get(f"/v1/batch/{job['id']}"))["status"] == "completed")
    assert month_of(organisation) == (1, 0) == summed(organisation)


def test_writes_of_a_batch_follow_it_into_the_project_that_it_is_moved_to(account: Any) -> None:
    """What fails after the move is given back where it is counted now."""
    from billing import services as billing
    from billing.services import Payer
    from tests.concurrency.test_reservations import caller_of, reserve

    api, organisation = account(writes_per_month=50)
    caller, target = caller_of(api), uuid.uuid4()
    taken = reserve(caller, 5)
    payer = Payer(taken.month, taken.at.date(), caller.project_id, caller.key_id)
    billing.carry_writes(organisation_id=organisation, taken={payer: 3}, target=target)
    assert days_of(organisation) == {
        (caller.project_id, caller.key_id): (2, 0),
        (target, caller.key_id): (3, 0),
    }
    moved = Payer(taken.month, taken.at.date(), target, caller.key_id)
    billing.give_back_writes(organisation_id=organisation, taken={moved: 2, payer: 1})
    assert days_of(organisation) == {
        (caller.project_id, caller.key_id): (1, 0),
        (target, caller.key_id): (1, 0),
    }
    assert month_of(organisation) == (2, 0)


def test_days_of_a_deleted_project_stay(account: Any) -> None:
    from accounts import services
    from korely.kernel.caller import SCOPES

    api, organisation = account(writes_per_month=50)
    row = key_row_of(api)
    made = services.mint_key(
        organisation_id=organisation, project_id=row.project_id, name="root", scopes=SCOPES
    )
    root = Api(api.base_url, made.key)
    gone = ok(root.post("/admin/projects", {"name": unique("gone")}), 201)["id"]
    minted = ok(root.post("/admin/keys", {"name": unique("k"), "project_id": gone}), 201)
    Api(api.base_url, minted["key"]).add("I like soup.")
    ok(root.delete(f"/admin/projects/{gone}", erase="true"))
    assert month_of(organisation) == (1, 0) == summed(organisation)
    assert {project.hex for project, _ in days_of(organisation)} == {gone.removeprefix("prj_")}


def test_a_month_that_is_spent_adds_nothing_to_the_day(account: Any) -> None:
    api, organisation = account(writes_per_month=0)
    refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert days_of(organisation) == {}
