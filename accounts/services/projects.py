"""Accounts and their projects: writes."""

from __future__ import annotations

import structlog
from django.db import IntegrityError, transaction

from accounts.audit import record_in
from accounts.models import Organisation, Project
from korely.kernel import errors, ids
from korely.kernel.caller import Caller

log = structlog.get_logger(__name__)

DEFAULT_PROJECT = "Default"


def create_organisation(*, name: str, plan: str) -> tuple[Organisation, Project]:
    """An account with its default project."""
    with transaction.atomic():
        organisation = Organisation.objects.create(name=name, plan_id=plan)
        project = Project.objects.create(
            organisation=organisation, name=DEFAULT_PROJECT, is_default=True
        )
    log.info("organisation.created", organisation=organisation.id.hex)
    return organisation, project


def create_project(
    *, caller: Caller, name: str, region: str | None = None, description: str = ""
) -> Project:
    """Raises 409 `conflict` when the account has a project of that name, in any case."""
    try:
        with transaction.atomic():
            project = Project.objects.create(
                organisation_id=caller.organisation_id,
                name=name,
                region=region,
                description=description,
            )
    except IntegrityError:
        raise errors.conflict("A project of that name exists already") from None
    record_in(project.id, caller, "project_create", ids.wire(ids.PROJECT, project.id))
    log.info("project.created", project=project.id.hex)
    return project
