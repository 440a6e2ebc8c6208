"""A project taken away with all it holds."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.db import connection

from accounts.audit import record_in
from accounts.models import ApiKey, Project
from accounts.selectors import get_project
from billing import services as billing
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope
from korely.work.models import Work

log = structlog.get_logger(__name__)

# Rows that refer to others go before what they refer to.
_TABLES = (
    "facts_factvector",
    "facts_factsource",
    "facts_fact",
    "facts_declaredname",
    "memories_memoryterm",
    "memories_memoryvector",
    "memories_memory",
)


@dataclass(frozen=True, slots=True)
class DeletedProject:
    project_id: uuid.UUID
    keys_moved: int
    memories_deleted: int
    facts_deleted: int
    audit_id: str


def delete_project(*, caller: Caller, project_id: uuid.UUID, erase: bool) -> DeletedProject:
    """Delete a project; its keys move to the account's default one. Physical with `erase`.

    Raises:
        Refusal: 404 for a project of another account; 409 for the default project, and for one
            that holds memories or facts when `erase` is not asked.
    """
    project = get_project(organisation_id=caller.organisation_id, project_id=project_id)
    if project.is_default:
        raise errors.conflict("The default project cannot be deleted")
    default = Project.objects.get(organisation_id=caller.organisation_id, is_default=True)
    with project_scope(project.id):
        # Held to the end: writes into this project wait here and then find it gone.
        Project.objects.select_for_update().get(pk=project.id)
        if not erase and _holds_anything(project.id):
            raise errors.conflict("The project holds memories or facts: pass erase=true")
        counts = {table: _empty(table, project.id) for table in _TABLES}
        billing.remove_project_audit(project_id=project.id)
        Work.objects.filter(project_id=project.id).delete()
        moved = ApiKey.objects.filter(project=project).update(project=default)
        # The project's own audit rows go with it, so the act is told in the default one.
        audit_id = record_in(
            default.id, caller, "project_delete", ids.wire(ids.PROJECT, project.id)
        )
        Project.objects.filter(pk=project.id).delete()
    log.info("project.deleted", project=project.id.hex)
    return DeletedProject(
        project.id, moved, counts["memories_memory"], counts["facts_fact"], audit_id
    )


def _holds_anything(project_id: uuid.UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM memories_memory WHERE project_id = %s)"
            " OR EXISTS (SELECT 1 FROM facts_fact WHERE project_id = %s)",
            [project_id, project_id],
        )
        return bool(cursor.fetchone()[0])


def _empty(table: str, project_id: uuid.UUID) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE project_id = %s",  # noqa: S608 - a name from the list above
            [project_id],
        )
        return int(cursor.rowcount)
