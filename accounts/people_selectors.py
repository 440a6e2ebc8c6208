"""People, memberships and invitations: reads."""

from __future__ import annotations

import uuid

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Invitation, Membership, Role
from accounts.people.tokens import token_digest
from korely.kernel.clock import now


def has_people(*, organisation_id: uuid.UUID) -> bool:
    """Whether anybody logs in to an organisation: any membership counts."""
    return Membership.objects.filter(organisation_id=organisation_id).exists()


def list_memberships(*, person_id: uuid.UUID) -> QuerySet[Membership]:
    """What a person belongs to, the oldest first."""
    rows = Membership.objects.filter(person_id=person_id).select_related("organisation__plan")
    return rows.order_by("created_at", "id")


def last_owned_by(*, person_id: uuid.UUID) -> list[Membership]:
    """Memberships of a person who is the one owner there: these they cannot leave."""
    others = Membership.objects.filter(
        organisation_id=OuterRef("organisation_id"), role=Role.OWNER
    ).exclude(person_id=person_id)
    rows = list_memberships(person_id=person_id).filter(role=Role.OWNER)
    return list(rows.exclude(Exists(others)))


def count_members(*, organisation_id: uuid.UUID) -> int:
    return Membership.objects.filter(organisation_id=organisation_id).count()


def list_members(*, organisation_id: uuid.UUID) -> QuerySet[Membership]:
    """Who belongs to an organisation, by address."""
    rows = Membership.objects.filter(organisation_id=organisation_id).select_related("person")
    return rows.order_by("person__email", "id")


def list_open_invitations(*, organisation_id: uuid.UUID) -> QuerySet[Invitation]:
    """An organisation's invitations that can still be accepted, newest first."""
    return _open().filter(organisation_id=organisation_id).order_by("-created_at", "-id")


def find_invitation(*, token: str) -> Invitation | None:
    """The open invitation a token belongs to; None alike for all that is not open."""
    return _open().filter(token_digest=token_digest(token)).first()


def get_open_invitation(*, invitation_id: uuid.UUID) -> Invitation | None:
    """An invitation that can still be accepted, or None."""
    return _open().filter(pk=invitation_id).first()


def _open() -> QuerySet[Invitation]:
    rows = Invitation.objects.select_related("organisation")
    return rows.filter(accepted_at=None, revoked_at=None, expires_at__gt=now())
