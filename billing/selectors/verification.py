"""Whether the audit log is what its seals say."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection

from billing.audit_lock import hold_seals
from billing.models import AuditSeal
from billing.selectors.seals import VERSION, fingerprint
from korely.kernel.tenancy import project_scope

_COUNT = (
    "SELECT count(*) FROM billing_auditevent WHERE project_id = %(project)s"
    " AND (%(from)s::timestamptz IS NULL OR ts > %(from)s)"
    " AND (%(to)s::timestamptz IS NULL OR ts <= %(to)s)"
)


@dataclass(slots=True)
class Verified:
    """One project's chain: how much it holds, and what is wrong with it."""

    project_id: uuid.UUID
    seals: int = 0
    removed: int = 0  # seals whose events are gone: tombstones
    events: int = 0  # sealed and there
    unsealed: int = 0
    findings: list[str] = field(default_factory=list)


def sealed_or_existing(only: uuid.UUID | None = None) -> list[uuid.UUID]:
    """The projects there are, and those of which only seals are left, in the order of their ids."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM (SELECT id FROM accounts_project"
            " UNION SELECT project_id FROM billing_auditseal) found"
            " WHERE %(only)s::uuid IS NULL OR id = %(only)s ORDER BY id",
            {"only": only},
        )
        return [row[0] for row in cursor.fetchall()]


def chain_heads(only: uuid.UUID | None = None) -> Iterator[tuple[uuid.UUID, int, str]]:
    """The newest seal of each chain: project, number, digest. Kept elsewhere, they tell a chain
    that was made anew as a whole from the one it replaced.
    """
    seals = AuditSeal.objects.order_by("project_id", "-number").distinct("project_id")
    if only is not None:
        seals = seals.filter(project_id=only)
    return iter(seals.values_list("project_id", "number", "digest"))


def verify_project(*, project_id: uuid.UUID, heads: Mapping[int, str] | None = None) -> Verified:
    """Compute every seal of a project anew from its events, and follow the chain.

    Found: an event changed, removed or inserted inside a sealed interval, a seal changed or
    missing between others, events where they were removed, a seal of `heads` (number to digest)
    that is no longer there as it was. What came after the last seal is only counted. Call it
    outside any transaction; sealing and removal of the project wait for one seal at a time.
    """
    found = Verified(project_id)
    previous: AuditSeal | None = None
    kept: int | None = None
    chain = AuditSeal.objects.filter(project_id=project_id).order_by("number")
    for listed in chain:
        found.seals += 1
        found.findings += _linked(listed, previous)
        with project_scope(project_id):
            hold_seals(project_id)
            seal = AuditSeal.objects.filter(pk=listed.pk).first()
            if seal is not None:
                found.findings += _as_sealed(seal, found)
        if seal is None or seal.removed_at is None:
            kept = listed.number
        elif kept is not None:
            found.findings.append(
                f"seal {listed.number}: its events were removed and those of seal {kept}, which"
                " are older, were not"
            )
        previous = listed
    with project_scope(project_id):
        found.unsealed = _count(project_id, previous.to_ts if previous else None, None)
    digests = {seal.number: seal.digest for seal in chain}
    for number, digest in sorted((heads or {}).items()):
        if digests.get(number) != digest:
            told = "is missing" if number not in digests else "is another one"
            found.findings.append(f"seal {number}: the one that was kept elsewhere {told}")
    return found


def _linked(seal: AuditSeal, previous: AuditSeal | None) -> list[str]:
    """Whether a seal follows the one before it."""
    expected = previous.number + 1 if previous else 1
    if seal.number != expected:
        return [f"seal {expected}: missing"]
    if seal.previous != (previous.digest if previous else ""):
        return [f"seal {seal.number}: does not carry the digest of the seal before it"]
    if seal.from_ts != (previous.to_ts if previous else None):
        return [f"seal {seal.number}: does not begin where the seal before it ends"]
    return []


def _as_sealed(seal: AuditSeal, found: Verified) -> list[str]:
    """Whether the events of an interval are those that were sealed, in the active scope."""
    if seal.removed_at is not None:
        found.removed += 1
        there = _count(seal.project_id, seal.from_ts, seal.to_ts)
        return [f"seal {seal.number}: {there} events where all were removed"] if there else []
    if seal.version != VERSION:
        return [f"seal {seal.number}: made in a way ({seal.version}) unknown here"]
    digest, events = fingerprint(
        project_id=seal.project_id,
        number=seal.number,
        previous=seal.previous,
        from_ts=seal.from_ts,
        to_ts=seal.to_ts,
    )
    found.events += events
    if events != seal.events:
        return [f"seal {seal.number}: {events} events where {seal.events} were sealed"]
    if digest != seal.digest:
        return [f"seal {seal.number}: its events are not those that were sealed"]
    return []


def _count(project_id: uuid.UUID, from_ts: datetime | None, to_ts: datetime | None) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"project": project_id, "from": from_ts, "to": to_ts})
        return int(cursor.fetchone()[0])
