"""A project's chain as the command and the table show it."""

from __future__ import annotations

import uuid
from io import StringIO
from typing import Any


def verify(project: uuid.UUID, *options: str) -> tuple[list[str], bool]:
    """The command's lines about a project, and whether it ended well."""
    from django.core.management import CommandError, call_command

    out = StringIO()
    try:
        call_command("verify_audit", "--project", f"prj_{project.hex}", *options, stdout=out)
    except CommandError as error:
        assert "findings" in str(error), error
        return out.getvalue().splitlines(), False
    return out.getvalue().splitlines(), True


def seals(project: uuid.UUID) -> list[Any]:
    from billing.models import AuditSeal

    return list(AuditSeal.objects.filter(project_id=project).order_by("number"))
