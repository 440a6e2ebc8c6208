"""What operators do with an account's contents: each act with a reason, and audited before it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction

from accounts.models import OperatorAct, Organisation, Person
from accounts.models.operators import REASON_LENGTH
from accounts.people.acting import record_act
from billing import services as billing
from korely.kernel import errors
from korely.kernel.caller import Worker
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope

log = structlog.get_logger(__name__)

VISIT = timedelta(minutes=30)


def note_reveal(
    *,
    person_id: uuid.UUID,
    organisation_id: uuid.UUID,
    project_id: uuid.UUID,
    target: str,
    user_id: str | None,
    reason: str,
    ip: str | None = None,
    memories: Sequence[uuid.UUID] | None = None,
    facts: Sequence[uuid.UUID] | None = None,
) -> OperatorAct:
    """Write down, and audit in the project (`operator_reveal`), that a text is about to be shown.

    `target` is its wire id, `user_id` whose it is; `memories` or `facts` hold its id.

    Raises:
        Refusal: 403 for whoever is no operator, 422 naming `reason` for one of fewer than 10 or
            more than 500 characters.
    """
    text = _reason(reason)
    with transaction.atomic():
        _require_operator(person_id)
        act = OperatorAct.objects.create(
            kind=OperatorAct.REVEAL,
            person_id=person_id,
            organisation_id=organisation_id,
            target=target,
            reason=text,
        )
        with project_scope(project_id):
            billing.record(
                Worker(project_id, actor="dashboard", ip=ip, person_id=person_id),
                "operator_reveal",
                user_id=user_id,
                target=target,
                meta={"act": act.id.hex},
                memories=memories,
                facts=facts,
            )
    log.info("operator.revealed", act=act.id.hex, target=target)
    return act


def begin_visit(
    *, person_id: uuid.UUID, organisation_id: uuid.UUID, reason: str, ip: str | None = None
) -> OperatorAct:
    """Let an operator look at an account's dashboard for 30 minutes, reading alone.

    Audited in the default project (`operator_visit`).

    Raises:
        Refusal: 403 for whoever is no operator, 404 for an unknown account, 422 naming `reason`
            for one of fewer than 10 or more than 500 characters.
    """
    text, moment = _reason(reason), now()
    with transaction.atomic():
        _require_operator(person_id)
        if not Organisation.objects.filter(pk=organisation_id).exists():
            raise errors.not_found("organisation")
        act = OperatorAct.objects.create(
            kind=OperatorAct.VISIT,
            person_id=person_id,
            organisation_id=organisation_id,
            reason=text,
            created_at=moment,
            ends_at=moment + VISIT,
        )
        _audit_visit(act, "operator_visit", ip)
    log.info("operator.visit_began", act=act.id.hex, organisation=organisation_id.hex)
    return act


def end_visit(*, act_id: uuid.UUID, person_id: uuid.UUID, ip: str | None = None) -> None:
    """End an operator's visit, audited (`operator_visit_end`); nothing where it is over."""
    with transaction.atomic():
        rows = OperatorAct.objects.filter(
            pk=act_id, person_id=person_id, kind=OperatorAct.VISIT, ended_at=None
        )
        act = rows.select_for_update(no_key=True).first()
        if act is None:
            return
        act.ended_at = min(now(), act.ends_at or now())
        act.save(update_fields=["ended_at"])
        _audit_visit(act, "operator_visit_end", ip)
    log.info("operator.visit_ended", act=act.id.hex)


def _audit_visit(act: OperatorAct, action: str, ip: str | None) -> None:
    meta: dict[str, Any] = {"act": act.id.hex}
    record_act(
        organisation_id=act.organisation_id,
        action=action,
        meta=meta,
        ip=ip,
        person_id=act.person_id,
    )


def _reason(text: str) -> str:
    least, most = REASON_LENGTH
    plain = text.strip()
    if "\x00" in plain or not least <= len(plain) <= most:
        raise errors.invalid("reason", f"must be {least} to {most} characters")
    return plain


def _require_operator(person_id: uuid.UUID) -> None:
    if not Person.objects.filter(pk=person_id, is_active=True, is_staff=True).exists():
        raise errors.forbidden("Operators alone do this")
