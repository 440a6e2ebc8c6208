"""Knowledge bases made and deleted."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import structlog
from django.db import connection

from billing import services as billing
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.tenancy import current_project, writing_scope
from korely.work.models import Work
from memories.models import KnowledgeBase, KnowledgeFile
from memories.services.erase_plans import plan_anew
from memories.services.knowledge.storing import delete_texts

log = structlog.get_logger(__name__)


def create_base(*, caller: Caller, name: str, description: str = "") -> KnowledgeBase:
    """A new base of the caller's project; free, and two may have one name.

    Raises:
        Refusal: 403 for a confined key: a base is of no end user.
    """
    caller.require_write(None)
    with writing_scope(caller.project_id):
        base = KnowledgeBase(project_id=caller.project_id, name=name, description=description)
        KnowledgeBase.objects.bulk_create([base])
        billing.record(
            caller, "write", target=ids.wire(ids.BASE, base.id), meta={"call": "create_base"}
        )
    log.info("knowledge.base_created", base=base.id.hex)
    return base


def delete_base(*, caller: Caller, base_id: uuid.UUID) -> None:
    """Delete a base with its files and texts, those included that end users told it.

    Files that are being read are read in vain.

    Raises:
        Refusal: 403 for a confined key; 404 `base_unknown`.
    """
    caller.require_write(None)
    with writing_scope(caller.project_id):
        base = KnowledgeBase.objects.select_for_update().filter(id=base_id).first()
        if base is None:
            raise errors.no_base()
        files = list(KnowledgeFile.objects.filter(base_id=base_id).values_list("id", flat=True))
        plan_anew()
        delete_texts(column="base_id", of=base_id)
        base.delete()
        Work.objects.filter(
            project_id=caller.project_id, kind=Work.KNOWLEDGE, target_id__in=files
        ).delete()
        billing.record(
            caller,
            "delete",
            target=ids.wire(ids.BASE, base_id),
            meta={"call": "delete_base", "files": len(files)},
        )
    log.info("knowledge.base_deleted", base=base_id.hex, files=len(files))


def hold_bases(base_ids: Sequence[uuid.UUID]) -> None:
    """Keep bases of the active scope from being deleted until the transaction ends.

    Raises:
        Refusal: 404 `base_of_another` when one of them is not there.
    """
    wanted = sorted(set(base_ids))
    if not wanted:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM memories_knowledgebase WHERE project_id = %s AND id = ANY(%s)"
            " ORDER BY id FOR KEY SHARE",
            [current_project(), wanted],
        )
        if len(cursor.fetchall()) != len(wanted):
            raise errors.base_of_another()
