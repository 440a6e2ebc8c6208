"""Another plan: asked for by an owner, granted or declined by an operator."""

from __future__ import annotations

import uuid

import structlog
from django.db import transaction

from accounts.people.acting import Member, deciding, lock_organisation, record_act
from accounts.people.roles import Permission, allows
from accounts.services.plans import change_plan
from billing.models import PlanRequest
from billing.selectors import list_plans
from korely.kernel import errors
from korely.kernel.clock import now

log = structlog.get_logger(__name__)

NOTE_LENGTH = 500
State = PlanRequest.State


def ask_for_plan(*, member: Member, slug: str, note: str = "") -> PlanRequest:
    """Leave the operators a wish for another plan; one is open at a time. Nobody is mailed.

    Raises 403 unless the role may change the plan, 409 while another wish is open, 422 naming
    `plan` (not offered, or the present one) or `note` (over 500 characters).
    """
    if "\x00" in note:
        raise errors.invalid("note", "contains a NUL byte")
    if len(note) > NOTE_LENGTH:
        raise errors.invalid("note", f"is longer than {NOTE_LENGTH} characters")
    with deciding(member, "plan_request") as own:
        if not allows(own.role, Permission.CHANGE_PLAN):
            raise errors.forbidden("Only owners ask for another plan")
        if slug == own.organisation.plan_id:
            raise errors.invalid("plan", "is the plan you are on")
        if not list_plans(present=None).filter(slug=slug).exists():
            raise errors.invalid("plan", "is no plan")
        rows = PlanRequest.objects.filter(organisation_id=member.organisation_id)
        if rows.filter(state=State.OPEN).exists():
            raise errors.conflict("Another plan was asked for already: withdraw that first")
        row = PlanRequest.objects.create(
            organisation_id=member.organisation_id,
            person_id=member.person_id,
            plan_id=slug,
            note=note,
        )
        _record(row, "plan_request", member)
    log.info("plan.requested", organisation=member.organisation_id.hex, plan=slug)
    return row


def withdraw_plan_request(*, member: Member, request_id: uuid.UUID) -> None:
    """Take an open wish back.

    Raises 403 unless the role may change the plan, 404 when it is none of the organisation's that
    is open.
    """
    with deciding(member, "plan_request_withdraw") as own:
        if not allows(own.role, Permission.CHANGE_PLAN):
            raise errors.forbidden("Only owners withdraw the wish for another plan")
        row = _close(request_id, State.WITHDRAWN, organisation_id=member.organisation_id)
        _record(row, "plan_request_withdraw", member)


def grant_plan_request(
    *, request_id: uuid.UUID, ip: str | None = None, person_id: uuid.UUID | None = None
) -> None:
    """Put the account on the plan it asked for. Raises 404 unless the wish is open."""
    with transaction.atomic():
        row = _held(request_id)
        _close(request_id, State.DONE)
        change_plan(
            organisation_id=row.organisation_id, slug=row.plan_id, ip=ip, person_id=person_id
        )


def decline_plan_request(
    *, request_id: uuid.UUID, ip: str | None = None, person_id: uuid.UUID | None = None
) -> None:
    """Say no to a wish. Raises 404 unless it is open."""
    with transaction.atomic():
        row = _held(request_id)
        _close(request_id, State.DECLINED)
        record_act(
            organisation_id=row.organisation_id,
            action="plan_request_decline",
            meta={"plan": row.plan_id},
            ip=ip,
            actor="manage",
            person_id=person_id,
        )


def _held(request_id: uuid.UUID) -> PlanRequest:
    """A wish whose organisation is locked: it is changed under that lock alone."""
    row = PlanRequest.objects.filter(pk=request_id).first()
    if row is None:
        raise errors.not_found("plan request")
    lock_organisation(row.organisation_id)
    return row


def _close(
    request_id: uuid.UUID, state: State, organisation_id: uuid.UUID | None = None
) -> PlanRequest:
    rows = PlanRequest.objects.filter(pk=request_id, state=State.OPEN)
    if organisation_id is not None:
        rows = rows.filter(organisation_id=organisation_id)
    if not rows.update(state=state, closed_at=now()):
        raise errors.not_found("open plan request")
    return PlanRequest.objects.get(pk=request_id)


def _record(row: PlanRequest, action: str, member: Member) -> None:
    record_act(
        organisation_id=member.organisation_id,
        action=action,
        meta={"plan": row.plan_id},
        ip=member.ip,
        person_id=member.person_id,
    )
