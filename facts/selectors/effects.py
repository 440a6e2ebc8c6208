"""What a memory's text came to: the facts it states, and those it ended."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from facts.selectors.listing import NEWEST
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel.caller import Caller

_STATED = """
    SELECT {columns}, m.span_start, m.span_end FROM facts_factsource m
    JOIN facts_fact f ON f.project_id = m.project_id AND f.id = m.fact_id
    WHERE m.project_id = %(project)s AND m.memory_id = %(memory)s AND m.withdrawn_at IS NULL
    ORDER BY m.span_start, f.id
"""
_ENDED = """
    SELECT {columns} FROM facts_fact f
    WHERE f.project_id = %(project)s AND {owned} AND f.closed_by_memory = %(memory)s
    ORDER BY {newest}
"""


@dataclass(frozen=True, slots=True)
class Effect:
    """A fact that a memory states, ended or not, and what it ended itself.

    `start`, `end`: where the text says it, in code points; equal where that is not known.
    """

    fact: FactView
    start: int
    end: int
    ended: list[FactView]


@dataclass(frozen=True, slots=True)
class Effects:
    """`stated`: in the order of the text. `ended`: what the text ended without one of them."""

    stated: list[Effect]
    ended: list[FactView]


def effects_of_memory(*, caller: Caller, memory_id: uuid.UUID, user_id: str | None) -> Effects:
    """What the memory of that end user states and what its text ended, as it stands now."""
    values = {"project": caller.project_id, "memory": memory_id, "user": user_id}
    shown = columns(Reading())
    owned = "f.user_id IS NULL" if user_id is None else "f.user_id = %(user)s"
    rows = fetch(_STATED.format(columns=shown), values)
    ends = fetch(_ENDED.format(columns=shown, owned=owned, newest=NEWEST), values)
    ended = [from_row(row) for row in ends]
    stated = [
        Effect(fact, row[-2], row[-1], [one for one in ended if one.invalidated_by == fact.id])
        for row in rows
        for fact in [from_row(row)]
    ]
    own = {one.fact.id for one in stated}
    return Effects(stated, [one for one in ended if one.invalidated_by not in own])
