"""The month's and days' writes and queries: exact under concurrency, taken before the work."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import structlog
from django.db import connection

from billing.models import UsageDay
from billing.months import month_of, months_from, next_month
from billing.services.audit import record
from billing.services.quota_statements import CARRY, CLAIM, RELEASE, WARN
from korely.kernel import errors, prepared
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import hold_project, project_scope
from korely.webhooks import events
from korely.webhooks import services as webhooks

log = structlog.get_logger(__name__)

Kind = Literal["writes", "queries"]

MONTHS_OF_DAYS = 13  # whole ones, beside the present month
WARNING_PERCENT = 80  # contract, section 4: quota.warning at the write that reaches it


def remove_aged_days(*, moment: datetime) -> int:
    """Remove the days of months that ended more than `MONTHS_OF_DAYS` ago; how many rows."""
    oldest_kept = months_from(month_of(moment), -MONTHS_OF_DAYS)
    return UsageDay.objects.filter(day__lt=oldest_kept).delete()[0]


@dataclass(frozen=True, slots=True)
class Payer:
    """Where units were taken: the month, and the day of a key in a project."""

    month: date
    day: date
    project_id: uuid.UUID
    key_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class Reservation:
    """Units taken at an instant from its month; `release` gives them back where they were taken."""

    kind: Kind
    amount: int
    month: date
    at: datetime
    used: int
    warned: bool


def _limit(caller: Caller, kind: Kind) -> int | None:
    return caller.allowance.writes if kind == "writes" else caller.allowance.queries


def reserve(caller: Caller, kind: Kind, amount: int = 1) -> Reservation:
    """Take units of the month, all of them or none.

    One short statement decides, so concurrent requests never pass the limit.

    Raises:
        Refusal: 429 `quota_exceeded` when fewer are left; nothing was taken.
    """
    moment, limit = now(), _limit(caller, kind)
    month = month_of(moment)
    values: dict[str, Any] = {
        "id": uuid7(),
        "organisation": caller.organisation_id,
        "month": month,
        "day": moment.date(),
        "project": caller.project_id,
        "key": caller.key_id,
        "limit": limit,
        "amount": amount,
        "alone": not connection.in_atomic_block,
    }
    taken = prepared.run(CLAIM[kind], values)
    if not taken:
        assert limit is not None
        resets = next_month(month).isoformat()
        raise errors.quota_exceeded(kind, limit, _used(caller, month, kind), resets)
    return Reservation(kind, amount, month, moment, used=taken[0][0], warned=taken[0][1])


def release(caller: Caller, taken: Reservation, amount: int | None = None) -> None:
    """Give units back: all of a reservation, or `amount` of them."""
    give_back(
        organisation_id=caller.organisation_id,
        kind=taken.kind,
        payer=Payer(taken.month, taken.at.date(), caller.project_id, caller.key_id),
        amount=taken.amount if amount is None else amount,
    )


def give_back(*, organisation_id: uuid.UUID, kind: Kind, payer: Payer, amount: int) -> None:
    """Give units back where they were taken. Where the work they paid for is undone in a
    transaction, call it last there: other writes of the account wait for its row.
    """
    with connection.cursor() as cursor:
        cursor.execute(RELEASE[kind], _named(organisation_id, payer, amount))


def give_back_writes(*, organisation_id: uuid.UUID, taken: Mapping[Payer, int]) -> None:
    """`give_back` of writes that several days paid for, in the order that everyone keeps to."""
    for payer, amount in sorted(taken.items(), key=_order):
        give_back(organisation_id=organisation_id, kind="writes", payer=payer, amount=amount)


def carry_writes(
    *, organisation_id: uuid.UUID, taken: Mapping[Payer, int], target: uuid.UUID
) -> None:
    """Count writes in another project of the account, where the work that they pay for has gone.

    The last act of a transaction, as `give_back` is.
    """
    for payer, amount in sorted(taken.items(), key=_order):
        values = _named(organisation_id, payer, amount)
        with connection.cursor() as cursor:
            cursor.execute(CARRY, {**values, "id": uuid7(), "target": target})


def _order(one: tuple[Payer, int]) -> tuple[date, date]:
    return one[0].month, one[0].day


def _named(organisation_id: uuid.UUID, payer: Payer, amount: int) -> dict[str, Any]:
    return {
        "organisation": organisation_id,
        "month": payer.month,
        "day": payer.day,
        "project": payer.project_id,
        "key": payer.key_id,
        "amount": amount,
    }


@contextmanager
def spending(
    caller: Caller, kind: Kind, *, spent: Callable[[], object] | None = None, amount: int = 1
) -> Iterator[None]:
    """Take one write or query of the month, or `amount` of them, before the work; give them back
    when the work fails.

    `spent` is called when nothing is left: what it raises is answered instead (an object that is
    not there is 404 whatever is left). A write that ends well with 80 % of the month's writes
    used is told once (`quota.warning`).

    Raises:
        Refusal: 429 `quota_exceeded` when the month's allowance is spent.
    """
    try:
        taken = reserve(caller, kind, amount)
    except Refusal:
        if spent is not None:
            spent()
        raise
    try:
        yield
    except BaseException:
        release(caller, taken)
        raise
    if kind == "writes" and not taken.warned:
        warn_at_80_percent(caller, taken)


def warn_at_80_percent(caller: Caller, taken: Reservation) -> None:
    """Once a month, when the writes have reached 80 % of their limit: an audit event, a webhook and
    a log line. Call it after the work that `taken` paid for.
    """
    limit = caller.allowance.writes
    if not limit or taken.used * 100 < limit * WARNING_PERCENT:
        return
    values: dict[str, Any] = {
        "at": now(),
        "organisation": caller.organisation_id,
        "month": taken.month,
        "limit": limit,
        "percent": WARNING_PERCENT,
    }
    with project_scope(caller.project_id):
        if not hold_project():
            return  # its write went with it: the next one tells
        with connection.cursor() as cursor:
            cursor.execute(WARN, values)
            row = cursor.fetchone()
        if row is None:
            return  # another write told it, or a failed one took the count below again
        told = {"used": row[0], "limit": limit, "percent": WARNING_PERCENT}
        record(caller, "quota_warning", meta=told)
        webhooks.tell(
            project_id=caller.project_id,
            event=events.QUOTA_WARNING,
            told=lambda: [webhooks.Told(told)],
        )
    log.info("quota.warning", organisation=caller.organisation_id.hex, **told)


def _used(caller: Caller, month: date, kind: Kind) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {kind} FROM billing_usage"  # noqa: S608 - two fixed column names
            " WHERE organisation_id = %s AND month = %s",
            [caller.organisation_id, month],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else 0
