"""People: their first organisation, and operators."""

from __future__ import annotations

import uuid

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction

from accounts.models import Membership, Organisation, Person, Role
from accounts.people.acting import record_act
from accounts.services.projects import create_organisation
from korely.kernel.clock import now

log = structlog.get_logger(__name__)


def found_organisation(*, person_id: uuid.UUID, ip: str | None = None) -> Organisation | None:
    """The organisation a person named at sign-up, on plan SIGNUP_PLAN, with them as its owner.

    Call it once their address is verified. Happens once, however often it is called; None when
    nothing is left to found.
    """
    with transaction.atomic():
        person = Person.objects.select_for_update(no_key=True).get(pk=person_id)
        if not person.organisation_to_found:
            return None
        organisation, _ = create_organisation(
            name=person.organisation_to_found, plan=settings.SIGNUP_PLAN
        )
        Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
        person.organisation_to_found = ""
        person.save(update_fields=["organisation_to_found"])
        record_act(
            organisation_id=organisation.id,
            action="member_join",
            meta={"role": Role.OWNER},
            ip=ip,
            person_id=person_id,
        )
    log.info("organisation.founded", organisation=organisation.id.hex, person=person_id.hex)
    return organisation


def make_operator(*, email: str) -> Person | None:
    """Give a person the operators' site; None when nobody has that address."""
    changed = Person.objects.filter(email=email.lower()).update(is_staff=True)
    person = Person.objects.get(email=email.lower()) if changed else None
    if person is not None:
        log.info("person.operator_made", person=person.id.hex)
    return person


def drop_expired_sessions(*, most: int = 100) -> int:
    """Remove up to `most` sessions whose time is over; returns how many went."""
    over = Session.objects.filter(expire_date__lt=now()).order_by("expire_date")
    keys = list(over.values_list("session_key", flat=True)[:most])
    return Session.objects.filter(session_key__in=keys).delete()[0]
