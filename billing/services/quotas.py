"""The month's writes and queries: exact under concurrency, taken before the work."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import structlog
from django.db import connection

from billing.services.audit import record
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

WARNING_PERCENT = 80  # contract, section 4: quota.warning at the write that reaches it

# A claim outside a transaction does not wait for the disk: a write that it pays for is committed
# later in the same log and takes it along. A crash of PostgreSQL can lose those of failed requests
# and of reads (`kernel.tenancy.reading_scope`) in its last 0.6 s.
_CLAIM = {
    kind: f"""
        INSERT INTO billing_usage AS u (id, organisation_id, month, writes, queries)
        SELECT %(id)s, %(organisation)s, %(month)s, {first}
        WHERE %(limit)s::bigint IS NULL OR %(limit)s::bigint >= %(amount)s::bigint
        ON CONFLICT (organisation_id, month) DO UPDATE SET {kind} = u.{kind} + %(amount)s::bigint
        WHERE %(limit)s::bigint IS NULL OR u.{kind} + %(amount)s::bigint <= %(limit)s::bigint
        RETURNING {kind}, warned_at IS NOT NULL,
            CASE WHEN %(alone)s THEN set_config('synchronous_commit', 'off', true) END
    """
    for kind, first in (("writes", "%(amount)s::bigint, 0"), ("queries", "0, %(amount)s::bigint"))
}
_RELEASE = {
    kind: f"UPDATE billing_usage SET {kind} = {kind} - %(amount)s"  # noqa: S608 - fixed names
    " WHERE organisation_id = %(organisation)s AND month = %(month)s"
    for kind in ("writes", "queries")
}
_WARN = (
    "UPDATE billing_usage SET warned_at = %(at)s"
    " WHERE organisation_id = %(organisation)s AND month = %(month)s AND warned_at IS NULL"
    " AND writes * 100 >= %(limit)s * %(percent)s RETURNING writes"
)


def month_of(moment: datetime) -> date:
    """The calendar month (UTC) an instant counts in, as its first day."""
    return moment.date().replace(day=1)


def next_month(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


@dataclass(frozen=True, slots=True)
class Reservation:
    """Units taken from a month; `release` gives them back to that same month."""

    kind: Kind
    amount: int
    month: date
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
    month, limit = month_of(now()), _limit(caller, kind)
    values: dict[str, Any] = {
        "id": uuid7(),
        "organisation": caller.organisation_id,
        "month": month,
        "limit": limit,
        "amount": amount,
        "alone": not connection.in_atomic_block,
    }
    taken = prepared.run(_CLAIM[kind], values)
    if not taken:
        assert limit is not None
        resets = next_month(month).isoformat()
        raise errors.quota_exceeded(kind, limit, _used(caller, month, kind), resets)
    return Reservation(kind, amount, month, used=taken[0][0], warned=taken[0][1])


def release(caller: Caller, taken: Reservation, amount: int | None = None) -> None:
    """Give units back: all of a reservation, or `amount` of them."""
    give_back(
        organisation_id=caller.organisation_id,
        kind=taken.kind,
        month=taken.month,
        amount=taken.amount if amount is None else amount,
    )


def give_back(*, organisation_id: uuid.UUID, kind: Kind, month: date, amount: int) -> None:
    """Give units back to the month they were taken from. Where the work they paid for is undone in
    a transaction, call it last there: other writes of the account wait for its row.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _RELEASE[kind], {"organisation": organisation_id, "month": month, "amount": amount}
        )


@contextmanager
def spending(
    caller: Caller, kind: Kind, *, spent: Callable[[], object] | None = None
) -> Iterator[None]:
    """Take one write or query of the month before the work; give it back when the work fails.

    `spent` is called when nothing is left: what it raises is answered instead (an object that is
    not there is 404 whatever is left). A write that ends well with 80 % of the month's writes
    used is told once (`quota.warning`).

    Raises:
        Refusal: 429 `quota_exceeded` when the month's allowance is spent.
    """
    try:
        taken = reserve(caller, kind)
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
            cursor.execute(_WARN, values)
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
