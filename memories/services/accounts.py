"""An account deleted: by its key where nobody signs in to it, else by an owner."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable

import structlog
from django.db import transaction

from accounts.models import ApiKey, Membership, Organisation, Project, Role
from accounts.people.acting import Member, deciding
from accounts.people.roles import Permission, allows
from accounts.people_selectors import has_people
from accounts.selectors import is_first_account
from billing import services as billing
from billing.models import AgentName
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.webhooks import services as webhooks
from memories.services.erase_project import empty_project

log = structlog.get_logger(__name__)

# Kinds that the receipt tells, of those that `empty_project` counts.
_KINDS = ("memories", "facts", "names")


def delete_account(*, caller: Caller, confirmed: bool) -> dict[str, int]:
    """Delete the caller's account: projects, what they hold, their logs, keys; rows by kind.

    Only kinds that had any are told. The caller's key is dead from the commit on. Seals of the
    logs stay behind, without a name.

    Raises:
        Refusal: 403 for a confined key; 400 `confirmation_required`; 409 `account_has_login` where
            people sign in, and for the first account of an install.
    """
    if caller.users is not None:
        raise errors.forbidden(
            "This API key is confined to some end users: it cannot delete the account"
        )
    if not confirmed:
        raise errors.confirmation_required()
    with transaction.atomic():
        removed = _delete(caller.organisation_id, errors.invalid_key(), _require_no_login)
    log.info("account.deleted", organisation=caller.organisation_id.hex)
    return removed


def delete_organisation(*, member: Member, name: str) -> dict[str, int]:
    """Delete an organisation with a login, as one of its owners: all that `delete_account` takes,
    memberships and open invitations too; rows by kind. `name` is its name, typed.

    People keep their logins and their other organisations. Only kinds that had any are told.

    Raises:
        Refusal: 404 for who belongs no more; 403, audited, for who is no owner; 422 naming `name`
            for another name; 409 for the first account of an install.
    """

    with deciding(member, "account_delete") as own:  # apart, so that a denial is kept
        if not allows(own.role, Permission.DELETE_ACCOUNT):
            raise errors.forbidden("Owners alone delete the organisation")
        # Typed into one line, whatever white space the name has.
        if own.organisation.name.split() != name.split():
            raise errors.invalid("name", "is not the organisation's name")

    def require_owner(organisation_id: uuid.UUID) -> None:
        owners = Membership.objects.filter(organisation_id=organisation_id, role=Role.OWNER)
        if not owners.filter(person_id=member.person_id).exists():
            raise errors.not_found("organisation")
        if is_first_account(organisation_id=organisation_id):
            raise errors.conflict("This organisation is the installation's own: it stays")

    gone = errors.not_found("organisation")
    with transaction.atomic():
        removed = _delete(member.organisation_id, gone, require_owner)
    log.info(
        "account.deleted", organisation=member.organisation_id.hex, person=member.person_id.hex
    )
    return removed


def _delete(
    organisation_id: uuid.UUID, gone: errors.Refusal, require: Callable[[uuid.UUID], None]
) -> dict[str, int]:
    """`require` raises unless the account may go; it is asked while no act on it is under way."""
    rows = Organisation.objects.filter(pk=organisation_id)
    # The account before its projects: acts on keys end, and none begins.
    if rows.select_for_update(no_key=True).first() is None:
        raise gone  # deleted meanwhile
    require(organisation_id)
    projects = Project.objects.filter(organisation_id=organisation_id)
    held = list(projects.select_for_update().order_by("pk"))
    # With no write under way nobody needs the account's row but those who would join it.
    rows.select_for_update().get()
    require(organisation_id)
    removed: Counter[str] = Counter()
    removed["webhooks"] = webhooks.remove_account_endpoints(organisation_id=organisation_id)
    for project in held:
        counts = empty_project(project.id)
        removed.update({kind: counts[kind] for kind in _KINDS})
        removed["audit_events"] += billing.remove_project_audit(project_id=project.id)
    agents = AgentName.objects.filter(organisation_id=organisation_id)
    removed["agents"] = agents.values("agent_id").distinct().count()
    removed["keys"], _ = ApiKey.objects.filter(organisation_id=organisation_id).delete()
    removed["projects"] = len(held)
    members = Membership.objects.filter(organisation_id=organisation_id)
    removed["members"] = members.count()
    rows.delete()
    return {kind: count for kind, count in removed.items() if count}


def _require_no_login(organisation_id: uuid.UUID) -> None:
    if is_first_account(organisation_id=organisation_id) or has_people(
        organisation_id=organisation_id
    ):
        raise errors.account_has_login()
