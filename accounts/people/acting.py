"""Who acts on an organisation's pages, and the audit of what they do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.models import Membership, Organisation, Project, Role
from accounts.people.roles import managed_by
from billing import services as billing
from korely.kernel import errors
from korely.kernel.caller import Actor, Worker
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import project_scope


@dataclass(frozen=True, slots=True)
class Member:
    """A person at work in one organisation; `ip` is where the request came from."""

    organisation_id: uuid.UUID
    person_id: uuid.UUID
    ip: str | None = None


def record_act(
    *,
    organisation_id: uuid.UUID,
    action: str,
    meta: dict[str, Any],
    ip: str | None,
    actor: Actor = "dashboard",
    result: str = "ok",
    person_id: uuid.UUID | None = None,
) -> None:
    """One audit event in the organisation's default project. `meta` holds labels, no address."""
    project = Project.objects.get(organisation_id=organisation_id, is_default=True)
    with project_scope(project.id):
        who = Worker(project.id, actor=actor, ip=ip, person_id=person_id)
        billing.record(who, action, result=result, meta=meta)


def lock_organisation(organisation_id: uuid.UUID) -> Organisation:
    """The organisation's row, locked to the transaction's end. Changes of people queue here.

    Raises 404 when there is no such organisation.
    """
    rows = Organisation.objects.select_for_update(no_key=True)
    found = rows.filter(pk=organisation_id).first()
    if found is None:
        raise errors.not_found("organisation")
    return found


@contextmanager
def deciding(member: Member, action: str) -> Iterator[Membership]:
    """One transaction that holds the organisation's lock and knows the actor's role as of now.

    Raises 404 when the actor belongs no more; a 403 raised within is audited as `denied`.
    """
    role = None
    try:
        with transaction.atomic():
            lock_organisation(member.organisation_id)
            own = Membership.objects.filter(
                organisation_id=member.organisation_id, person_id=member.person_id
            ).first()
            if own is None:
                raise errors.not_found("organisation")
            role = own.role
            yield own
    except Refusal as refusal:
        if refusal.status == 403:
            record_act(
                organisation_id=member.organisation_id,
                action=action,
                meta={"role": role},
                ip=member.ip,
                result="denied",
                person_id=member.person_id,
            )
        raise


def require_management(own: Membership, *roles: str) -> None:
    """403 unless someone of that membership may manage each of `roles`."""
    if not managed_by(own.role).issuperset(roles):
        raise errors.forbidden(
            "Admins do not manage owners"
            if own.role == Role.ADMIN
            else "Members do not manage the team"
        )
