"""An organisation's own settings, as the people in it change them."""

from __future__ import annotations

import structlog

from accounts.models import Organisation
from accounts.people.acting import Member, deciding, lock_organisation, record_act
from accounts.people.roles import Permission, allows
from korely.kernel import errors

log = structlog.get_logger(__name__)

MOST_NAME = 100  # characters, as the column holds


def rename_own_organisation(*, member: Member, name: str) -> Organisation:
    """Another name. The same one again changes nothing.

    Raises:
        Refusal: 404 when the actor belongs no more; 403 for members; 422 naming `name`.
    """
    wanted = read_name(name)
    with deciding(member, "organisation_update") as own:
        if not allows(own.role, Permission.MANAGE_TEAM):
            raise errors.forbidden("Members do not rename the organisation")
        row = lock_organisation(member.organisation_id)
        if row.name == wanted:
            return row
        row.name = wanted
        row.save(update_fields=["name"])
        record_act(
            organisation_id=row.id,
            action="organisation_update",
            meta={"changed": ["name"]},
            ip=member.ip,
            person_id=member.person_id,
        )
    log.info("organisation.renamed", organisation=row.id.hex)
    return row


def read_name(name: str) -> str:
    """A name without white space at its ends. Raises 422 naming `name`."""
    text = name.strip()
    if not text:
        raise errors.invalid("name", "must not be empty")
    if "\x00" in text:
        raise errors.invalid("name", "must not contain a NUL character")
    if len(text) > MOST_NAME:
        raise errors.invalid("name", f"must be at most {MOST_NAME} characters")
    return text
