"""A project taken away: what it holds moves to the account's default one, or is erased."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field

import structlog
from django.db import connection, transaction

from accounts.audit import record_in
from accounts.models import ApiKey, Project
from accounts.selectors import get_project
from billing import services as billing
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.webhooks import services as webhooks
from memories.services.batch_drop import queued_items
from memories.services.erase_project import empty_project
from memories.services.move import move_contents

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DeletedProject:
    """`moved` and `deleted` are rows by kind; one of them is empty."""

    project_id: uuid.UUID
    keys_moved: int
    audit_id: str
    moved: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)


def delete_project(*, caller: Caller, project_id: uuid.UUID, erase: bool) -> DeletedProject:
    """Delete a project in one transaction; its keys move to the account's default project.

    Without `erase` its contents move there too (`move_contents`); with it they are physically
    deleted. Its log is removed either way, so the act is told in the default project.

    Raises:
        Refusal: 404 for a project of another account, and for one deleted meanwhile; 409 for the
            default project, and when an id of it exists in the default project already.
    """
    project = get_project(organisation_id=caller.organisation_id, project_id=project_id)
    if project.is_default:
        raise errors.conflict("The default project cannot be deleted")
    default = Project.objects.get(organisation_id=caller.organisation_id, is_default=True)
    moved: Counter[str] = Counter()
    deleted: Counter[str] = Counter()
    with transaction.atomic():
        _hold(project.id, default.id)
        webhooks.remove_project_endpoints(project_id=project.id)
        queued = queued_items(project.id)
        if erase:
            webhooks.drop_deliveries(project_id=project.id)
            deleted = empty_project(project.id)
        else:
            moved = move_contents(
                source=project.id, target=default.id, organisation_id=caller.organisation_id
            )
        billing.remove_project_audit(project_id=project.id)
        keys = ApiKey.objects.filter(project=project).update(project=default)
        told = {f"{kind}_deleted": deleted[kind] for kind in ("memories", "facts")}
        told |= {f"{kind}_moved": moved[kind] for kind in ("memories", "facts")}
        told |= {"keys_moved": keys} | {
            kind: moved[kind] for kind in ("facts_closed", "names_dropped") if moved[kind]
        }
        target = ids.wire(ids.PROJECT, project.id)
        audit_id = record_in(default.id, caller, "project_delete", target, meta=told)
        Project.objects.filter(pk=project.id).delete()
        if erase:
            billing.give_back_writes(organisation_id=caller.organisation_id, taken=queued)
        else:
            billing.carry_writes(
                organisation_id=caller.organisation_id, taken=queued, target=default.id
            )
    log.info("project.deleted", project=project.id.hex, **told)
    return DeletedProject(project.id, keys, audit_id, moved, deleted)


def _hold(project_id: uuid.UUID, default_id: uuid.UUID) -> None:
    """Wait for the writes under way in a project and let none begin; keep the default where it is.

    In the order of ids, as everyone does who locks several projects.
    """
    strengths = {project_id: "FOR UPDATE", default_id: "FOR KEY SHARE"}
    with connection.cursor() as cursor:
        for wanted in sorted(strengths):
            cursor.execute(
                f"SELECT 1 FROM accounts_project WHERE id = %s {strengths[wanted]}",  # noqa: S608
                [wanted],
            )
            if cursor.fetchone() is None:
                raise errors.not_found("project")
