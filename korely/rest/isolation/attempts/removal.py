"""Nothing is left of an account that was deleted."""

from __future__ import annotations

import uuid
from functools import partial

from billing.models import AuditSeal
from korely.rest.isolation import rows
from korely.rest.isolation.making import Maker
from korely.rest.isolation.report import Report
from korely.rest.isolation.rows import Table

PART = "removal"


def attempt(maker: Maker, report: Report) -> None:
    """Every table that names a project or an account, once all accounts of a run are gone."""
    for column, gone in (("project_id", maker.projects), ("organisation_id", maker.organisations)):
        for table in rows.kept(column):
            told = f"{table.name}: rows of deleted accounts by {column}"
            report.try_out(PART, told, partial(_left, table, column, gone))
    whole = AuditSeal.objects.filter(project_id__in=maker.projects, removed_at=None).exists()
    problem = "one still stands for events" if whole else None
    report.tell(PART, "seals of deleted audit logs are tombstones", problem)


def _left(table: Table, column: str, gone: list[uuid.UUID]) -> str | None:
    return "there are some" if rows.count_of(table, column, gone) else None
