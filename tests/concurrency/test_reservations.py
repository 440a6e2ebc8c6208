"""Units of a month taken several at a time, as a batch does."""

from __future__ import annotations

from functools import partial
from typing import Any

from korely.kernel.errors import Refusal
from tests.api_client import Api, refused
from tests.concurrency.at_once import at_once


def caller_of(api: Api) -> Any:
    from accounts import authentication

    return authentication.authenticate(f"Bearer {api.key}")


def reserve(caller: Any, amount: int) -> Any:
    """The reservation, or the refusal. Each thread has a connection of its own to give back."""
    from django.db import connection

    from billing import services as billing

    try:
        return billing.reserve(caller, "writes", amount)
    except Refusal as refusal:
        return refusal
    finally:
        connection.close()


def used(organisation: object) -> int:
    from billing.models import Usage

    return Usage.objects.values_list("writes", flat=True).get(organisation=organisation)


def test_of_12_batches_of_4_with_10_left_exactly_two_fit_and_none_in_part(account):
    api, organisation = account(writes_per_month=10)
    caller = caller_of(api)
    got = at_once([partial(reserve, caller, 4) for _ in range(12)])
    refusals = [one for one in got if isinstance(one, Refusal)]
    assert len(refusals) == 10
    assert {one.code for one in refusals} == {"quota_exceeded"}
    assert used(organisation) == 8
    assert isinstance(reserve(caller, 3), Refusal)
    assert not isinstance(reserve(caller, 2), Refusal)
    told = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert (told["limit"], told["used"]) == (10, 10)


def test_a_batch_larger_than_what_is_left_is_refused_whole(account):
    api, organisation = account(writes_per_month=10)
    assert isinstance(reserve(caller_of(api), 11), Refusal)
    api.add("Nothing was taken.")
    assert used(organisation) == 1


def test_what_is_given_back_at_once_adds_up_and_never_goes_below_zero(account):
    from billing import services as billing

    api, organisation = account(writes_per_month=100)
    caller = caller_of(api)
    taken = [reserve(caller, 5) for _ in range(10)]

    def give_back(one: Any) -> None:
        from django.db import connection

        billing.release(caller, one, 2)  # two of its items failed
        connection.close()

    at_once([partial(give_back, one) for one in taken])
    assert used(organisation) == 30
    for one in taken:
        billing.release(caller, one, 3)
    assert used(organisation) == 0


def test_a_limit_of_zero_gives_nothing_to_anyone(account):
    from billing.models import Usage

    api, organisation = account(writes_per_month=0)
    caller = caller_of(api)
    got = at_once([partial(reserve, caller, 1) for _ in range(6)])
    assert all(isinstance(one, Refusal) and one.extra["used"] == 0 for one in got)
    assert not Usage.objects.filter(organisation=organisation).exists()
