"""An agent purged: everything written under its name in one project, physically."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from billing import services as billing
from billing.models import AgentName
from facts import services as facts
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.kernel.tenancy import writing_scope
from memories.services.erase import erase_rows
from memories.services.erase_slots import free_slots, is_used_elsewhere

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Purged:
    """`slot_freed`: whether the account may use the slot for another name now; None: no cap."""

    memories: int
    facts: int
    audit_id: str
    slot_freed: bool | None


def purge_agent(*, caller: Caller, agent_id: str) -> Purged:
    """Delete all rows of an agent in the caller's project, of every end user, and free its slot.

    The slot stays taken while another project of the account uses the name, and when a write
    under it was under way. Free.

    Raises:
        Refusal: 403 for a confined key, whatever it reaches; 404 for a name not used here.
    """
    if caller.users is not None:
        raise errors.forbidden("This API key is confined to some end users: it cannot purge agents")
    with writing_scope(caller.project_id):
        facts.lock_all(project_id=caller.project_id)
        gone = erase_rows(whose="agent_id", name=agent_id)
        named = AgentName.objects.filter(
            organisation_id=caller.organisation_id, project_id=caller.project_id, agent_id=agent_id
        )
        if not gone.agents and not gone.queued and not named.exists():
            raise errors.no_agent(agent_id)
        free_slots(caller=caller, names=[agent_id])
        slot_freed = _is_freed(caller, agent_id)
        meta = {"agent_id": agent_id, **gone.told()}
        audit_id = billing.record(caller, "erase", meta=meta)
        gone.give_back(caller.organisation_id)
    done = Purged(gone.counts["memories"], gone.counts["facts"], audit_id, slot_freed)
    log.info("agent.purged", memories=done.memories, facts=done.facts)
    return done


def _is_freed(caller: Caller, agent_id: str) -> bool | None:
    if caller.allowance.agents is None:
        return None
    # Of two projects that give one name up at once, the second sees that the first has.
    billing.lock_slots(caller.organisation_id)
    return not is_used_elsewhere(organisation_id=caller.organisation_id, name=agent_id)
