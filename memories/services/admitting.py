"""Agents of many memories at once, against the plan's cap."""

from __future__ import annotations

from collections.abc import Iterable

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal


def refused_agents(caller: Caller, agents: Iterable[str | None]) -> dict[str, str]:
    """Admit agents, in the transaction of what they write; why not, by the name of each past the
    plan's cap.

    Under a cap the first has the slot; without one in an order that all keep, so that two such
    transactions do not wait for each other.
    """
    names = list(dict.fromkeys(name for name in agents if name is not None))
    refused: dict[str, str] = {}
    for name in names if caller.allowance.agents is not None else sorted(names):
        try:
            billing.admit_agent(caller, name)
        except Refusal as refusal:
            refused[name] = refusal.message
    return refused
