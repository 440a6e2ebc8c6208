"""What a project holds, moved to another project of the account."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import datetime, timedelta

import psycopg
from django.conf import settings
from django.db import IntegrityError

from billing.models import AgentName
from facts import services as facts
from korely.idempotency import services as idempotency
from korely.kernel import errors, hashing
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.webhooks import services as webhooks
from korely.work.models import Work
from memories.models import Memory
from memories.services.erase_plans import plan_anew
from memories.services.erase_project import empty_project
from memories.services.erase_registry import OWNED
from memories.services.move_facts import join_names, read_as_target, settle_joined_slots
from memories.services.move_rows import copy_rows

_MOVED = (Work.EXTRACT, Work.BATCH, Work.KNOWLEDGE)  # work that goes along


def move_contents(
    *, source: uuid.UUID, target: uuid.UUID, organisation_id: uuid.UUID
) -> Counter[str]:
    """Move all rows of `source` into `target`, ids and both clocks as they are; rows by kind.

    Facts meet those of `target`: of a single slot that joins, the fact that began last stays open
    (`facts_closed` counts the others). A declared name that `target` holds for another end user
    stays that one's; what was already read as the moved one's stays theirs (`names_dropped`).
    Facts are read with the predicates of `target` from now on; those of `source` are deleted.
    Memories still to be extracted are extracted in `target`. Agents keep their names.

    The caller's transaction holds `source` against every write and `target` against its deletion.

    Raises:
        Refusal: 409 `conflict` when an id exists in both; nothing was moved.
    """
    moment = now()
    counts: Counter[str] = Counter()
    plan_anew()
    with project_scope(target):
        facts.lock_all(project_id=target)
    ended = read_as_target(source=source, target=target, now=moment)
    counts["facts_closed"] = ended + settle_joined_slots(source=source, target=target, now=moment)
    webhooks.move_deliveries(source=source, target=target)
    try:
        for owned in reversed(OWNED):
            if owned.key and not owned.stays:
                copied = copy_rows(owned, source=source, target=target)
                counts[owned.kind or owned.table] = copied
    except IntegrityError as error:
        if not _exists_already(error):
            raise
        raise errors.conflict(
            "An id of the project exists in the default project already: nothing was moved"
        ) from None
    counts["facts_closed"] += join_names(source=source, target=target, now=moment)
    _move_work(source, target, moment)
    if counts["idempotency_storedanswer"]:
        idempotency.schedule(target)
    _move_agents(source, target, organisation_id)
    held = empty_project(source)
    counts["names_dropped"] = held["names"] - counts["names"]
    return counts


def _exists_already(error: IntegrityError) -> bool:
    cause = error.__cause__
    if not isinstance(cause, psycopg.errors.UniqueViolation):
        return False
    name = cause.diag.constraint_name or ""
    return name.endswith("_pkey") or name == "fact_source_once"


def _move_work(source: uuid.UUID, target: uuid.UUID, moment: datetime) -> None:
    """What is still to be extracted goes on in `target`, in the lanes of its end users; so do
    batches, in their own, and files of knowledge bases.

    A worker that has such a text in hand finds its project gone, and writes nothing. The next
    sweep takes the rows up.
    """
    with project_scope(source):
        rows = list(Work.objects.filter(project_id=source, kind__in=_MOVED))
        owners = dict(
            Memory.objects.filter(id__in=[row.target_id for row in rows]).values_list(
                "id", "user_id"
            )
        )
    due = moment - timedelta(seconds=settings.WORK_GRACE_SECONDS)
    for row in rows:
        row.project_id = target
        if row.kind == Work.EXTRACT:
            row.lane = hashing.lane(target, owners.get(row.target_id))
        elif row.kind == Work.KNOWLEDGE:
            row.lane = hashing.lane(target, None, b"knowledge")
        row.nudged_at = due
    Work.objects.bulk_update(rows, ["project", "lane", "nudged_at"], batch_size=1_000)


def _move_agents(source: uuid.UUID, target: uuid.UUID, organisation_id: uuid.UUID) -> None:
    used = AgentName.objects.filter(project_id=source).order_by("agent_id")
    AgentName.objects.bulk_create(
        [
            AgentName(organisation_id=organisation_id, project_id=target, agent_id=row.agent_id)
            for row in used
        ],
        ignore_conflicts=True,
    )
    used.delete()
