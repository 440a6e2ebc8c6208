"""The agents of a project, and the slots they take in the account's plan."""

from __future__ import annotations

from dataclasses import dataclass

from billing.models import AgentName
from korely.kernel.caller import Caller
from memories.selectors.users import Counted, count_by


@dataclass(frozen=True, slots=True)
class AgentPage:
    """`total` counts the names of this project, `used` those of the whole account, as the plan's
    `cap` does (0: none).
    """

    rows: list[Counted]
    total: int
    cap: int
    used: int


def list_agents(*, caller: Caller, limit: int, offset: int) -> AgentPage:
    """Most recently active first; a name with only forgotten rows has zeros."""
    page = count_by(caller=caller, column="agent_id", limit=limit, offset=offset)
    names = AgentName.objects.filter(organisation_id=caller.organisation_id)
    used = names.values("agent_id").distinct().count()
    return AgentPage(page.rows, page.total, caller.allowance.agents or 0, used)
