"""The predicates that forms offer."""

from __future__ import annotations

from facts.selectors import list_predicates
from facts.vocabulary import TABLE
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope


def predicates_of(caller: Caller) -> list[str]:
    """Those of the built-in table and the project's own, by name."""
    with project_scope(caller.project_id):
        return sorted(TABLE.union(entry.name for entry in list_predicates()))
