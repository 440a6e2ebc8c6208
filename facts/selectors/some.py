"""Some facts by their ids."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from facts.selectors.listing import confinement
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel.caller import Caller


def view_facts(*, caller: Caller, fact_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, FactView]:
    """Facts of the key's reach as they stand now, by their ids; those unknown are left out."""
    confined, values = confinement(caller, "f")
    statement = f"""
        SELECT {columns(Reading())} FROM facts_fact f
        WHERE f.project_id = %(project)s AND f.id = ANY(%(ids)s) AND {confined}
    """
    values |= {"project": caller.project_id, "ids": list(fact_ids)}
    return {fact.id: fact for fact in map(from_row, fetch(statement, values))}
