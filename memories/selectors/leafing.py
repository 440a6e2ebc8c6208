"""An end user's memories, facts and preferences, page by page, newest first."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from facts.selectors import FactFilter, Reading, confinement
from facts.selectors.listing import conditions
from facts.selectors.rows import fetch
from facts.selectors.view import columns, from_row
from korely.kernel.caller import Caller
from memories.narrowing import UNNARROWED, Narrowing
from memories.selectors.items import NOTE_COLUMNS, Held, Item, Note, as_note
from memories.selectors.narrowed import Condition
from memories.selectors.preferences import PREFERENCE_SQL

# What two items have in common that say the same, as `memories.selectors.items.distinct` judges.
_LIKENESS = "md5(lower(regexp_replace(btrim({text}), '\\s+', ' ', 'g')))"
_IN_WORDS = (
    "(CASE WHEN f.subject_text_key IS NULL THEN f.subject ELSE f.user_id END)"
    " || ' ' || replace(f.predicate, '_', ' ') || ' ' ||"
    " (CASE WHEN f.object_name_key IS NULL THEN f.object ELSE f.user_id END)"
)
_NOTES = (
    "SELECT m.id, m.created_at, true AS is_note, {likeness} AS likeness"
    " FROM memories_memory m WHERE {where}"
)
_FACTS = (
    "SELECT f.id, f.created_at, false AS is_note, {likeness} AS likeness"
    " FROM facts_fact f WHERE {where}"
)
_STATED = """EXISTS (
    SELECT 1 FROM facts_factsource s
    JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
    WHERE s.project_id = f.project_id AND s.fact_id = f.id AND s.withdrawn_at IS NULL AND {where}
)"""
_PAGE = """
    WITH once AS (
        SELECT DISTINCT ON (likeness) id, created_at, is_note FROM ({listed}) listed
        ORDER BY likeness, created_at DESC, id DESC
    )
    SELECT t.total, o.id, o.is_note FROM (SELECT count(*) AS total FROM once) t LEFT JOIN (
        SELECT * FROM once ORDER BY created_at DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s
    ) o ON true ORDER BY o.created_at DESC, o.id DESC
"""


Listed = tuple[str, dict[str, Any]]
Named = tuple[uuid.UUID, bool]  # an item's id, and whether it is a memory's
Page = tuple[list[Named], int]


@dataclass(frozen=True, slots=True)
class Leaf:
    """Whose items are wanted, of which lists, and which page of each, from 1."""

    user_id: str
    page: int
    size: int
    agent_id: str | None = None
    narrowing: Narrowing = UNNARROWED
    memories: bool = True
    preferences: bool = True
    tools: bool = True


@dataclass(slots=True)
class Leaves:
    """A page of each list; `total` is how many the longest has on all pages."""

    memories: list[Item] = field(default_factory=list)
    preferences: list[Held] = field(default_factory=list)
    tools: list[Note] = field(default_factory=list)
    total: int = 0

    def counted(self, page: Page) -> list[Named]:
        """What is on a page of one list, whose length counts."""
        named, total = page
        self.total = max(self.total, total)
        return named


def list_items(*, caller: Caller, wanted: Leaf) -> Leaves:
    """No two items of a list say the same; a fact beside a memory that states it, on whatever page,
    is left out. 403 for an end user out of reach.
    """
    caller.require_read(wanted.user_id)
    leaves = Leaves()
    if wanted.memories:
        notes = _of_notes(caller, wanted, "m.kind <> 'tool'")
        page = _page(wanted, [_listed_notes(notes), _listed_facts(caller, wanted, notes)])
        leaves.memories += _loaded(caller, leaves.counted(page))
    if wanted.preferences:
        page = _page(wanted, [_listed_facts(caller, wanted, None)])
        found = _loaded(caller, leaves.counted(page))
        leaves.preferences += [one for one in found if isinstance(one, Held)]
    if wanted.tools:
        page = _page(wanted, [_listed_notes(_of_notes(caller, wanted, "m.kind = 'tool'"))])
        found = _loaded(caller, leaves.counted(page))
        leaves.tools += [one for one in found if isinstance(one, Note)]
    return leaves


def _of_notes(caller: Caller, wanted: Leaf, kind: str) -> Listed:
    confined, values = confinement(caller, "m")
    condition = Condition("note")
    tests = [
        "m.project_id = %(project)s",
        confined,
        "m.user_id = %(user)s",
        "m.deleted_at IS NULL",
        kind,
        condition.on_memories(wanted.narrowing.user),
    ]
    if wanted.agent_id is not None:
        tests.append("m.agent_id = %(agent)s")
    named = {"project": caller.project_id, "user": wanted.user_id, "agent": wanted.agent_id}
    return " AND ".join(tests), {**values, **named, **condition.values}


def _listed_notes(notes: Listed) -> Listed:
    where, values = notes
    return _NOTES.format(likeness=_LIKENESS.format(text="m.content"), where=where), values


def _listed_facts(caller: Caller, wanted: Leaf, beside: Listed | None) -> Listed:
    """The facts that are no preferences and rest on no memory of `beside`; None: preferences."""
    filtered = FactFilter(user_id=wanted.user_id, agent_id=wanted.agent_id)
    where, values = conditions(caller, filtered)
    condition = Condition("fact")
    tests = [
        where,
        "f.tense <> 'planned'",
        PREFERENCE_SQL[beside is None],
        condition.on_facts(wanted.narrowing.user),
    ]
    if beside is not None:
        stated, more = beside
        tests.append(f"NOT {_STATED.format(where=stated)}")
        values |= more
    likeness = _LIKENESS.format(text=_IN_WORDS)
    listed = _FACTS.format(likeness=likeness, where=" AND ".join(tests))
    return listed, {**values, **condition.values}


def _page(wanted: Leaf, listed: Sequence[Listed]) -> Page:
    """The ids of a page, each with whether it is a memory's, and the number of all."""
    values: dict[str, Any] = {
        "limit": wanted.size,
        "offset": (wanted.page - 1) * wanted.size,
    }
    for _, more in listed:
        values |= more
    statement = _PAGE.format(listed=" UNION ALL ".join(part for part, _ in listed))
    rows = fetch(statement, values)
    return [(one, is_note) for _, one, is_note in rows if one is not None], int(rows[0][0])


def _loaded(caller: Caller, page: Sequence[Named]) -> list[Item]:
    found: dict[uuid.UUID, Item] = {}
    values: dict[str, Any] = {
        "project": caller.project_id,
        "notes": [one for one, is_note in page if is_note],
        "facts": [one for one, is_note in page if not is_note],
    }
    if values["notes"]:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {NOTE_COLUMNS} FROM memories_memory m"
                " WHERE m.project_id = %(project)s AND m.id = ANY(%(notes)s)",
                values,
            )
            found |= {row[0]: as_note(row) for row in cursor.fetchall()}
    if values["facts"]:
        rows = fetch(
            f"SELECT {columns(Reading())}, f.run_id FROM facts_fact f"
            " WHERE f.project_id = %(project)s AND f.id = ANY(%(facts)s)",
            values,
        )
        found |= {row[0]: Held(from_row(row), row[-1]) for row in rows}
    return [found[one] for one, _ in page if one in found]
