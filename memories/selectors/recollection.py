"""Memories by how close they are to a question, as items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import connection

from facts.selectors import confinement
from korely.kernel.caller import Caller
from memories import lexicon, relativity
from memories.narrowing import UNNARROWED, Narrowing
from memories.selectors.items import NOTE_COLUMNS, Held, Item, Note, as_note, distinct
from memories.selectors.narrowed import Condition
from memories.selectors.relevance import LEGS, SATURATED
from memories.vectors import Vector

# A memory is as near as its nearest part. What shares no word with the question goes by its
# meaning alone: only the nearest of those are scored, and the nearest of the conversation that
# asks, which has priority. All rows but `further` ones are of different memories, so that `limit`
# and so many more rows hold `limit` memories. Of a row that is there twice the better counts.
_RANKED = (
    LEGS
    + """, rarity AS (
        SELECT term, {rarity} AS idf FROM matched, size WHERE part = 0 GROUP BY term, n
    ), whole AS (
        SELECT n, coalesce(sum(idf), 0) + (%(asked)s - count(term)) * {unseen} AS weight
        FROM size LEFT JOIN rarity ON true GROUP BY n
    ), near AS (
        SELECT id, created_at, run_id, cosine, sum(idf * {saturated}) AS found
        FROM matched JOIN rarity USING (term), size
        GROUP BY id, part, created_at, run_id, cosine
        UNION ALL (
            SELECT id, created_at, run_id, cosine, 0 FROM scope
            ORDER BY cosine DESC, created_at DESC, id DESC
            LIMIT %(limit)s + (SELECT further FROM size)
        ) {conversation}
    ), scored AS (
        SELECT id, created_at, run_id, cosine, coalesce(found / nullif(weight, 0), 0) AS coverage
        FROM near, whole
    ), ranked AS (
        SELECT id, created_at, max(least(1, {relativity}
            * CASE WHEN run_id = %(conversation)s THEN {priority} ELSE 1 END)) AS relativity
        FROM scored GROUP BY id, created_at
        ORDER BY relativity DESC, created_at DESC, id DESC LIMIT %(limit)s
    )
    SELECT {columns}, r.relativity,
        (SELECT n FROM whole), (SELECT json_object_agg(term, idf) FROM rarity)
    FROM ranked r JOIN memories_memory m ON m.project_id = %(project)s AND m.id = r.id
    ORDER BY r.relativity DESC, r.created_at DESC, r.id DESC
"""
)
_OF_CONVERSATION = """UNION ALL (
    SELECT id, created_at, run_id, cosine, 0 FROM scope WHERE run_id = %(conversation)s
    ORDER BY cosine DESC, created_at DESC, id DESC
    LIMIT %(limit)s + (SELECT further FROM size)
)"""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, and what it is narrowed by."""

    user_id: str
    query: str
    vector: Vector
    conversation_id: str | None = None
    agent_id: str | None = None
    narrowing: Narrowing = UNNARROWED

    @property
    def terms(self) -> list[int]:
        return list(lexicon.terms(self.query))


@dataclass(frozen=True, slots=True)
class Weights:
    """What the question's words weigh among the texts of the store."""

    texts: float = 0.0
    known: dict[int, float] = field(default_factory=dict)

    def of(self, term: int) -> float:
        return self.known.get(term) or relativity.rarity(texts=self.texts, having=0)

    def coverage(self, terms: list[int], text: str) -> float:
        """The share of the question's words that a short text has."""
        whole = sum(map(self.of, terms))
        has = lexicon.terms(text)
        return sum(self.of(term) for term in terms if term in has) / whole if whole else 0.0


def find_notes(
    *, caller: Caller, question: Question, of_tools: bool, limit: int
) -> tuple[list[Note], Weights]:
    """The end user's memories and the project's public ones, closest first, no two alike.

    `of_tools`: those of tools alone, in place of all others. 403 for an end user out of reach.
    """
    caller.require_read(question.user_id)
    weights = Weights()

    def read(most: int) -> list[Note]:
        nonlocal weights
        rows = _ranked(caller, question, of_tools=of_tools, limit=most)
        if rows:
            texts, known = rows[0][-2:]
            weights = Weights(texts, {int(term): idf for term, idf in (known or {}).items()})
        return [_note(row) for row in rows]

    return enough(read, limit), weights


def _ranked(
    caller: Caller, question: Question, *, of_tools: bool, limit: int
) -> list[tuple[Any, ...]]:
    confined, values = confinement(caller, "v")
    own, public = Condition("own"), Condition("public")
    theirs = own.on_memories(question.narrowing.user)
    shared = public.on_memories(question.narrowing.public)
    if question.narrowing != UNNARROWED:
        theirs, shared = _joined(theirs), _joined(shared)
    tests = [
        "v.project_id = %(project)s",
        confined,
        f"v.kind {'=' if of_tools else '<>'} 'tool'",
        f"((v.user_id = %(user)s AND {theirs})"
        f" OR (v.public AND v.user_id IS DISTINCT FROM %(user)s AND {shared}))",
    ]
    if question.agent_id is not None:
        tests.append("v.agent_id = %(agent)s")
    curve = relativity.TOOL if of_tools else relativity.MEMORY
    statement = _RANKED.format(
        where=" AND ".join(tests),
        rarity=relativity.RARITY_SQL,
        unseen=relativity.UNSEEN_SQL,
        saturated=SATURATED,
        relativity=curve.sql("cosine", "coverage"),
        priority=relativity.PRIORITY,
        conversation=_OF_CONVERSATION if question.conversation_id is not None else "",
        columns=NOTE_COLUMNS,
    )
    terms = question.terms
    values |= own.values | public.values
    values |= {
        "project": caller.project_id,
        "user": question.user_id,
        "agent": question.agent_id,
        "conversation": question.conversation_id,
        "vector": question.vector.text,
        "model": question.vector.model,
        "terms": terms,
        "asked": len(terms),
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _joined(test: str) -> str:
    """A condition on a memory, told of its vector's row."""
    return (
        "EXISTS (SELECT 1 FROM memories_memory m"
        f" WHERE m.project_id = v.project_id AND m.id = v.id AND {test})"
    )


def _note(row: tuple[Any, ...]) -> Note:
    note = as_note(row[:-3])
    note.relativity = relativity.shown(row[-3])
    return note


def closeness(item: Item) -> tuple[Any, ...]:
    """A key: the closest last, of equals the newest."""
    return item.relativity or 0.0, item.created_at, item.id


Found = TypeVar("Found", Note, Held)


def enough(read: Callable[[int], list[Found]], limit: int) -> list[Found]:
    """At most `limit` items that `read` tells in their order, the first of those that are alike.

    It is asked for more until there are enough, or no more.
    """
    most = 2 * limit + 10
    while True:
        rows = read(most)
        found = distinct(rows)
        if len(found) >= limit or len(rows) < most:
            return found[:limit]
        most *= 8
