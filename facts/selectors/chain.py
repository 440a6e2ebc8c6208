"""What a fact ended, what ended it, and so on: its line both ways, by `invalidated_by`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel import errors
from korely.kernel.caller import Caller

MOST_EACH_WAY = 50  # facts before and facts after the one asked for, the nearest first

# Each fact is ended by one at the most. So on the way back a circle (only an import could bring
# one) leads to the fact asked for and is left there; on the way forward the steps are counted.
_CHAIN = """
    WITH RECURSIVE after (id, steps) AS (
        SELECT %(fact)s::uuid, 0
        UNION ALL
        SELECT f.invalidated_by, a.steps + 1 FROM after a
        JOIN facts_fact f ON f.project_id = %(project)s AND {owned} AND f.id = a.id
        WHERE a.steps <= %(most)s AND f.invalidated_by IS NOT NULL
    ), before (id, steps) AS (
        SELECT %(fact)s::uuid, 0
        UNION ALL
        SELECT f.id, b.steps + 1 FROM before b
        JOIN facts_fact f ON f.project_id = %(project)s AND {owned} AND f.invalidated_by = b.id
        WHERE b.steps <= %(most)s AND f.id <> %(fact)s
    ), placed AS (
        (SELECT id, min(steps) AS steps, true AS later FROM after GROUP BY id)
        UNION ALL
        (SELECT id, steps, false FROM before WHERE steps > 0 ORDER BY steps, id DESC
         LIMIT %(most)s + 1)
    )
    SELECT {columns}, {shown}, f.closed_by_memory, f.direct, p.later, p.steps FROM placed p
    JOIN facts_fact f ON f.project_id = %(project)s AND {owned} AND f.id = p.id
    ORDER BY p.steps, f.valid_from DESC, f.created_at DESC, f.id DESC
"""


_OWNED = """f.user_id IS NOT DISTINCT FROM (
    SELECT o.user_id FROM facts_fact o WHERE o.project_id = %(project)s AND o.id = %(fact)s
)"""


@dataclass(frozen=True, slots=True)
class Chain:
    """A fact and its line.

    `direct`: a caller wrote it or said it again. `by`: the fact that ended it, `by_memory`: the
    memory whose text did. `superseded`: what it ended itself, newest first. `facts`: all of the
    line with itself, oldest first. `shown`: those of it that the default read lists. `cut`: there
    are more on one side than MOST_EACH_WAY.
    """

    fact: FactView
    direct: bool
    by: FactView | None
    by_memory: uuid.UUID | None
    superseded: list[FactView]
    facts: list[FactView]
    shown: frozenset[uuid.UUID]
    cut: bool


def chain_of(*, caller: Caller, fact_id: uuid.UUID) -> Chain:
    """The line of a fact, ended or not, as it stands now; all of it is its end user's.

    404 alike for unknown, foreign and out of the key's reach.
    """
    now = Reading()
    statement = _CHAIN.format(owned=_OWNED, columns=columns(now), shown=now.where())
    values = {
        "project": caller.project_id,
        "fact": fact_id,
        "most": MOST_EACH_WAY,
        **now.values(),
    }
    rows = fetch(statement, values)
    asked = next((row for row in rows if row[0] == fact_id), None)
    if asked is None:
        raise errors.not_found("fact")
    fact = from_row(asked)
    if not caller.reaches(fact.user_id):
        raise errors.not_found("fact")
    after = [from_row(row) for row in rows if row[-2] and row[0] != fact_id]
    before = [from_row(row) for row in rows if not row[-2]]
    shown = {one.id: one for one in (*before[:MOST_EACH_WAY], fact, *after[:MOST_EACH_WAY])}
    return Chain(
        fact=fact,
        direct=bool(asked[-3]),
        by=next((one for one in after if one.id == fact.invalidated_by), None),
        by_memory=asked[-4],
        superseded=[one for one in before[:MOST_EACH_WAY] if one.invalidated_by == fact_id],
        facts=sorted(shown.values(), key=lambda one: (one.valid_from, one.created_at, one.id)),
        shown=frozenset(row[0] for row in rows if row[-5]),
        cut=len(before) > MOST_EACH_WAY or len(after) > MOST_EACH_WAY,
    )
