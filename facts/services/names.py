"""Names of end users: declared, and from then on read as theirs (contract, section 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import structlog

from billing import services as billing
from facts.models import DeclaredName
from facts.reconciliation import text_key
from facts.services import store
from facts.services.joining import join_facts
from facts.services.store import Owner
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import writing_scope

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Declared:
    user_id: str
    name: str
    agent_id: str | None
    since: datetime


def declare_name(
    *, caller: Caller, user_id: str, name: str, agent_id: str | None = None
) -> Declared:
    """From now on facts about `name` in this end user's memory read as theirs. Free.

    Earlier ones too: they are reconciled once with the end user's own. A name declared before, in
    any case, answers as it did then and changes nothing. The end user need not exist yet.

    Raises:
        Refusal: 403 out of the key's reach; 409 `conflict` when the name is another end user's in
            this project and agent.
    """
    caller.require_write(user_id)
    with writing_scope(caller.project_id):
        store.lock(project_id=caller.project_id, user_id=user_id)
        moment, key = now(), text_key(name)
        mine = DeclaredName(
            project_id=caller.project_id,
            user_id=user_id,
            agent_id=agent_id,
            name=name,
            name_key=key,
            created_at=moment,
        )
        # Of two who declare one name at once the second waits here for the first.
        DeclaredName.objects.bulk_create([mine], ignore_conflicts=True)
        held = DeclaredName.objects.get(agent_id=agent_id, name_key=key)
        if held.user_id != user_id:
            raise errors.conflict("This name is declared for another end user already")
        if held.id == mine.id:
            closed = join_facts(
                owner=Owner(caller.project_id, user_id, agent_id), name_key=key, now=moment
            )
            meta = {"facts_closed": len(closed)}
            billing.record(caller, "name_declare", user_id=user_id, meta=meta)
            for fact_id in closed:
                target = ids.wire(ids.FACT, fact_id)
                billing.record(caller, "fact_invalidate", user_id=user_id, target=target)
            log.info("name.declared", facts_closed=len(closed))
    return Declared(held.user_id, held.name, held.agent_id, held.created_at)
