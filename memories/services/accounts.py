"""An account that nobody signs in to, deleted by its key: the key is the account."""

from __future__ import annotations

import uuid
from collections import Counter

import structlog
from django.db import transaction

from accounts.models import ApiKey, Organisation, Project
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
        removed = _delete(caller.organisation_id)
    log.info("account.deleted", organisation=caller.organisation_id.hex)
    return {kind: count for kind, count in removed.items() if count}


def _delete(organisation_id: uuid.UUID) -> Counter[str]:
    rows = Organisation.objects.filter(pk=organisation_id)
    # The account before its projects: acts on keys end, and none begins.
    if rows.select_for_update(no_key=True).first() is None:
        raise errors.invalid_key()  # deleted meanwhile, and the caller's key with it
    _require_no_login(organisation_id)
    projects = Project.objects.filter(organisation_id=organisation_id)
    held = list(projects.select_for_update().order_by("pk"))
    # With no write under way nobody needs the account's row but those who would join it.
    rows.select_for_update().get()
    _require_no_login(organisation_id)
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
    rows.delete()
    return removed


def _require_no_login(organisation_id: uuid.UUID) -> None:
    if is_first_account(organisation_id=organisation_id) or has_people(
        organisation_id=organisation_id
    ):
        raise errors.account_has_login()
