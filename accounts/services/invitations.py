"""Invitations: made, accepted, taken back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

import structlog
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts.models import Invitation, Membership, Organisation, Person, Role
from accounts.people.acting import (
    Member,
    deciding,
    lock_organisation,
    record_act,
    require_management,
)
from accounts.people.tokens import new_token, token_digest
from korely.kernel import errors
from korely.kernel.clock import now

log = structlog.get_logger(__name__)

VALID_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation's row and, this once, its token (256 random bits)."""

    row: Invitation
    token: str


def invite_person(*, member: Member, email: str, role: str) -> NewInvitation:
    """Ask an address into the actor's organisation; an open invitation of it is replaced.

    Raises 403 for a role the actor may not give, 409 for an address that belongs already, 422
    naming `email` or `role`.
    """
    address, wanted = _read(email, role)
    with deciding(member, "member_invite") as own:
        require_management(own, wanted)
        made = _replace(member.organisation_id, address, wanted, invited_by=member.person_id)
        record_act(
            organisation_id=member.organisation_id,
            action="member_invite",
            meta={"role": wanted},
            ip=member.ip,
            person_id=member.person_id,
        )
    log.info("invitation.created", invitation=made.row.id.hex)
    return made


def invite_as_operator(*, organisation_id: uuid.UUID, email: str, role: str) -> NewInvitation:
    """The same by whoever runs the install, who may give any role of any organisation."""
    address, wanted = _read(email, role)
    with transaction.atomic():
        lock_organisation(organisation_id)
        made = _replace(organisation_id, address, wanted, invited_by=None)
        record_act(
            organisation_id=organisation_id,
            action="member_invite",
            meta={"role": wanted},
            ip=None,
            actor="manage",
        )
    log.info("invitation.created", invitation=made.row.id.hex)
    return made


def accept_invitation(
    *, invitation_id: uuid.UUID, person_id: uuid.UUID, ip: str | None = None
) -> Membership:
    """Join. Only the invited address, verified, can; a role somebody has already stays.

    Raises 404 alike for an unknown, expired, revoked and used invitation, 403 for anyone else.
    """
    row = Invitation.objects.filter(pk=invitation_id).first()
    if row is None:
        raise errors.not_found("invitation")
    with transaction.atomic():
        lock_organisation(row.organisation_id)
        moment = now()
        live = Invitation.objects.filter(
            pk=invitation_id, accepted_at=None, revoked_at=None, expires_at__gt=moment
        )
        if not live.exists():
            raise errors.not_found("invitation")
        verified = EmailAddress.objects.filter(
            user_id=person_id, email=row.email, verified=True, user__is_active=True
        )
        if not verified.exists():
            raise errors.forbidden("This invitation was sent to another address")
        live.update(accepted_at=moment)
        membership, joined = Membership.objects.get_or_create(
            organisation_id=row.organisation_id, person_id=person_id, defaults={"role": row.role}
        )
        if joined:
            record_act(
                organisation_id=row.organisation_id,
                action="member_join",
                meta={"role": row.role},
                ip=ip,
                person_id=person_id,
            )
    log.info("invitation.accepted", invitation=row.id.hex, person=person_id.hex)
    return membership


def revoke_invitation(*, member: Member, invitation_id: uuid.UUID) -> None:
    """Take an open invitation back; one that is over already stays as it is.

    Raises 404 for another organisation's, 403 for a role the actor may not give.
    """
    with deciding(member, "member_uninvite") as own:
        row = Invitation.objects.filter(
            pk=invitation_id, organisation_id=member.organisation_id
        ).first()
        if row is None:
            raise errors.not_found("invitation")
        require_management(own, row.role)
        if row.accepted_at is None and row.revoked_at is None:
            row.revoked_at = now()
            row.save(update_fields=["revoked_at"])
            record_act(
                organisation_id=member.organisation_id,
                action="member_uninvite",
                meta={"role": row.role},
                ip=member.ip,
                person_id=member.person_id,
            )
    log.info("invitation.revoked", invitation=invitation_id.hex)


def _read(email: str, role: str) -> tuple[str, Role]:
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise errors.invalid("email", "is not an e-mail address") from None
    if len(address) > 254:
        raise errors.invalid("email", "is longer than 254 characters")
    try:
        return address, Role(role)
    except ValueError:
        raise errors.invalid("role", f"must be one of {', '.join(Role.values)}") from None


def _replace(
    organisation_id: uuid.UUID, address: str, role: Role, *, invited_by: uuid.UUID | None
) -> NewInvitation:
    """A fresh invitation in place of the open one. The caller holds the organisation's lock."""
    belonging = Person.objects.filter(email=address, memberships__organisation_id=organisation_id)
    if belonging.exists():
        raise errors.conflict("Someone with that address belongs to the organisation already")
    moment = now()
    Invitation.objects.filter(
        organisation_id=organisation_id, email=address, accepted_at=None, revoked_at=None
    ).update(revoked_at=moment)
    token = new_token()
    row = Invitation.objects.create(
        organisation=Organisation(pk=organisation_id),
        email=address,
        role=role,
        token_digest=token_digest(token),
        invited_by_id=invited_by,
        created_at=moment,
        expires_at=moment + VALID_FOR,
    )
    return NewInvitation(row, token)
