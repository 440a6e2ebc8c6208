"""Members of an organisation: another role, removal, leaving."""

from __future__ import annotations

import uuid

import structlog

from accounts.models import Invitation, Membership, Role
from accounts.people.acting import Member, deciding, record_act, require_management
from korely.kernel import errors
from korely.kernel.clock import now

log = structlog.get_logger(__name__)


def change_role(*, member: Member, membership_id: uuid.UUID, role: str) -> Membership:
    """Give someone another role.

    Raises 404 for another organisation's membership, 403 unless the actor manages both roles,
    409 for the last owner, 422 naming `role`.
    """
    try:
        wanted = Role(role)
    except ValueError:
        raise errors.invalid("role", f"must be one of {', '.join(Role.values)}") from None
    with deciding(member, "member_role") as own:
        row = _membership(member, membership_id)
        require_management(own, row.role, wanted)
        if row.role == wanted:
            return row
        _require_another_owner(row)
        row.role = wanted
        row.save(update_fields=["role"])
        if wanted == Role.MEMBER:
            _withdraw_invitations(row)
        record_act(
            organisation_id=member.organisation_id,
            action="member_role",
            meta={"role": wanted},
            ip=member.ip,
            person_id=member.person_id,
        )
    log.info("membership.role_changed", membership=membership_id.hex)
    return row


def remove_member(*, member: Member, membership_id: uuid.UUID) -> None:
    """Take someone out; they see nothing of the organisation from their next request on.

    Raises 404 for another organisation's membership, 403 unless the actor manages the role, 409
    for the last owner.
    """
    with deciding(member, "member_remove") as own:
        row = _membership(member, membership_id)
        require_management(own, row.role)
        _end(member, row)


def leave(*, member: Member) -> None:
    """The actor's own membership ends. Raises 409 for the last owner."""
    with deciding(member, "member_remove") as own:
        _end(member, own)


def _membership(member: Member, membership_id: uuid.UUID) -> Membership:
    row = Membership.objects.filter(
        pk=membership_id, organisation_id=member.organisation_id
    ).first()
    if row is None:
        raise errors.not_found("member")
    return row


def _end(member: Member, row: Membership) -> None:
    _require_another_owner(row)
    identifier = row.id
    row.delete()
    _withdraw_invitations(row)
    record_act(
        organisation_id=member.organisation_id,
        action="member_remove",
        meta={"role": row.role},
        ip=member.ip,
        person_id=member.person_id,
    )
    log.info("membership.ended", membership=identifier.hex)


def _withdraw_invitations(row: Membership) -> None:
    """Who may invite no more leaves no open invitations behind."""
    Invitation.objects.filter(
        organisation_id=row.organisation_id,
        invited_by_id=row.person_id,
        accepted_at=None,
        revoked_at=None,
    ).update(revoked_at=now())


def _require_another_owner(row: Membership) -> None:
    """The caller holds the organisation's lock, so the count stands until its end."""
    if row.role != Role.OWNER:
        return
    owners = Membership.objects.filter(organisation_id=row.organisation_id, role=Role.OWNER)
    if not owners.exclude(pk=row.pk).exists():
        raise errors.conflict("The last owner stays: make someone else an owner first")
