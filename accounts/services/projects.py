"""Accounts and their projects: writes."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import structlog
from django.db import IntegrityError, transaction

from accounts.audit import record_in
from accounts.models import Organisation, Project
from accounts.services.keys import live_keys, lock_account
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now

log = structlog.get_logger(__name__)

DEFAULT_PROJECT = "Default"


def create_organisation(
    *, name: str, plan: str, region: str | None = None
) -> tuple[Organisation, Project]:
    """An account with its default project, which has that `region`."""
    with transaction.atomic():
        organisation = Organisation.objects.create(name=name, plan_id=plan)
        project = Project.objects.create(
            organisation=organisation, name=DEFAULT_PROJECT, region=region, is_default=True
        )
    log.info("organisation.created", organisation=organisation.id.hex)
    return organisation, project


def create_project(
    *, caller: Caller, name: str, region: str | None = None, description: str = ""
) -> Project:
    """Raises 409 `conflict` when the account has a project of that name, in any case."""
    try:
        with transaction.atomic():
            lock_account(caller.organisation_id)
            project = Project.objects.create(
                organisation_id=caller.organisation_id,
                name=name,
                region=region,
                description=description,
            )
            record_in(project.id, caller, "project_create", ids.wire(ids.PROJECT, project.id))
    except IntegrityError as error:
        if not _is_name_taken(error):
            raise
        raise errors.conflict("A project of that name exists already") from None
    log.info("project.created", project=project.id.hex)
    return project


def update_project(
    *,
    caller: Caller,
    project_id: uuid.UUID,
    name: str | None = None,
    description: str | None = None,
) -> Project:
    """Another name or description; None keeps the one there is.

    Raises:
        Refusal: 404 for a project of another account; 409 for a name in use, in any case; 422
            naming `name` when there is nothing to change.
    """
    given = {"name": name, "description": description}
    changes = {field: text for field, text in given.items() if text is not None}
    if not changes:
        raise errors.invalid("name", "is required, or description: there is nothing to change")
    try:
        with transaction.atomic():
            project = _lock(caller, project_id)
            for field, text in changes.items():
                setattr(project, field, text)
            project.save(update_fields=list(changes))
            _record(caller, project, {"changed": sorted(changes)})
    except IntegrityError as error:
        if not _is_name_taken(error):
            raise
        raise errors.conflict("A project of that name exists already") from None
    log.info("project.updated", project=project.id.hex)
    return project


def archive_project(*, caller: Caller, project_id: uuid.UUID) -> Project:
    """Put a project away: it is left out of lists and no key can be made in it or moved into it.

    Its data stays. Doing it again changes nothing. Raises 404 for a project of another account,
    409 for the default project and for one with live keys.
    """
    with transaction.atomic():
        lock_account(caller.organisation_id)
        project = _lock(caller, project_id)
        if project.archived_at is not None:
            return project
        moment = now()
        if project.is_default:
            raise errors.conflict("The default project cannot be archived")
        if live_keys(caller.organisation_id, moment).filter(project=project).exists():
            raise errors.conflict("The project has live keys: revoke them or move them first")
        project.archived_at = moment
        project.save(update_fields=["archived_at"])
        _record(caller, project, {"archived": True})
    log.info("project.archived", project=project.id.hex)
    return project


def unarchive_project(*, caller: Caller, project_id: uuid.UUID) -> Project:
    """Take a project back into use; one in use stays as it is. Raises 404."""
    with transaction.atomic():
        project = _lock(caller, project_id)
        if project.archived_at is None:
            return project
        project.archived_at = None
        project.save(update_fields=["archived_at"])
        _record(caller, project, {"archived": False})
    log.info("project.unarchived", project=project.id.hex)
    return project


def _lock(caller: Caller, project_id: uuid.UUID) -> Project:
    rows = Project.objects.select_for_update(no_key=True)
    row = rows.filter(pk=project_id, organisation_id=caller.organisation_id).first()
    if row is None:
        raise errors.not_found("project")
    return row


def _record(caller: Caller, project: Project, meta: dict[str, Any]) -> None:
    target = ids.wire(ids.PROJECT, project.id)
    record_in(project.id, caller, "project_update", target, meta=meta)


def _is_name_taken(error: IntegrityError) -> bool:
    """Whether it is the names that collide, and not the project that is gone."""
    cause = error.__cause__
    return isinstance(cause, psycopg.errors.UniqueViolation)
