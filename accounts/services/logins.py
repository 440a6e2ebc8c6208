"""A person's own login: another name, and its end."""

from __future__ import annotations

import uuid

import structlog
from django.db import transaction

from accounts.models import Membership, Person
from accounts.people.acting import Member, lock_organisation
from accounts.services.members import leave
from accounts.services.organisations import MOST_NAME
from korely.kernel import errors

log = structlog.get_logger(__name__)


def rename_person(*, person_id: uuid.UUID, name: str) -> Person:
    """What others of their organisations see beside the address; empty for nothing.

    Raises:
        Refusal: 404 for someone whose login is gone; 422 naming `name`.
    """
    text = name.strip()
    if "\x00" in text:
        raise errors.invalid("name", "must not contain a NUL character")
    if len(text) > MOST_NAME:
        raise errors.invalid("name", f"must be at most {MOST_NAME} characters")
    changed = Person.objects.filter(pk=person_id).update(name=text)
    if not changed:
        raise errors.not_found("person")
    return Person.objects.get(pk=person_id)


def delete_person(*, person_id: uuid.UUID, ip: str | None = None) -> int:
    """End a login for good: the person leaves every organisation, audited in each; how many.

    Their address, password and second factors are deleted; every session of theirs ends with the
    next request. Audit events keep their id, which names nobody any more.

    Raises:
        Refusal: 404 for someone whose login is gone; 409 for the last owner of an organisation,
            and for an operator of the install.
    """
    with transaction.atomic():
        # Organisations before the person, in the order of their ids: as whoever joins or leaves.
        own = Membership.objects.filter(person_id=person_id)
        places = sorted(own.values_list("organisation_id", flat=True))
        for place in places:
            lock_organisation(place)
        person = Person.objects.select_for_update().filter(pk=person_id).first()
        if person is None:
            raise errors.not_found("person")
        if person.is_staff:
            raise errors.conflict("Operators keep their login: have the role taken away first")
        for place in sorted(own.values_list("organisation_id", flat=True)):
            if place not in places:
                raise errors.unavailable()  # joined since it was looked up
            leave(member=Member(place, person_id, ip))
        person.delete()
    log.info("person.deleted", person=person_id.hex)
    return len(places)
