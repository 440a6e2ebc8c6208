"""The profile of an end user: what is known about them, their own facts first."""

from __future__ import annotations

from facts.reconciliation import text_key
from facts.selectors.listing import NEWEST, FactFilter, FactPage, conditions
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import columns, from_row
from korely.kernel.caller import Caller

MOST_IN_PROFILE = 200  # contract, section 12


def read_profile(
    *, caller: Caller, user_id: str, agent_id: str | None = None, reading: Reading
) -> FactPage:
    """At most 200 facts of a read: those about the end user, then the others, each newest first.

    About the end user: `subject_type` is `self`, or the subject is the id or a declared name.
    `total` counts all of them. Raises 403 for an end user out of the key's reach.
    """
    wanted = FactFilter(user_id=user_id, agent_id=agent_id, reading=reading)
    where, values = conditions(caller, wanted)
    own = "(f.subject_type = 'self' OR f.subject_key = %(own)s) DESC"
    statement = f"""
        SELECT {columns(reading)}, f.total FROM (
            SELECT f.*, count(*) OVER () AS total FROM facts_fact f WHERE {where}
            ORDER BY {own}, {NEWEST} LIMIT %(most)s
        ) f ORDER BY {own}, {NEWEST}
    """
    rows = fetch(statement, {**values, "own": text_key(user_id), "most": MOST_IN_PROFILE})
    return FactPage([from_row(row) for row in rows], int(rows[0][-1]) if rows else 0)
