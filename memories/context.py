"""The context block: what an agent pastes into a prompt (contract, section 12). Pure text.

Recalled text is data: each of its further lines is indented, so that none can stand as a heading
or an item of ours.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Protocol

from korely.kernel import clock

READER_NOTE = (
    "_What memory holds: facts that are true now, then past notes quoted as they were written;"
    " where they differ, the later date wins._"
)
READER_NOTE_OF_A_DAY = (
    "_Memory as of {day}: facts true then, then notes up to then quoted as they were written; where"
    " they differ, the later date wins._"
)
FACTS_HEADING = "## Known facts"
MEMORIES_HEADING = "## Relevant memories"
CHARACTERS_A_TOKEN = 4
SHORTEST_CUT = 40  # characters; a memory is not cut shorter than this

_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_PARTS = {"facts": "facts by recency", "memories": "the newest memories"}


class Fact(Protocol):
    """What a fact's line shows."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def subject_canonical(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def object_canonical(self) -> str: ...
    @property
    def tense(self) -> str: ...
    @property
    def valid_from(self) -> datetime: ...
    @property
    def invalid_at(self) -> datetime | None: ...


class Remembered(Protocol):
    """What a memory's line shows."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def content(self) -> str: ...
    @property
    def happened_at(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Block:
    """An assembled block; `facts` and `memories` are the ids shown, in their order."""

    stable: str
    volatile: str
    facts: list[uuid.UUID]
    memories: list[uuid.UUID]
    degraded_parts: list[str]

    @property
    def context(self) -> str:
        return "\n\n".join(part for part in (self.stable, self.volatile) if part)

    @property
    def tokens(self) -> int:
        return ceil(len(self.context) / CHARACTERS_A_TOKEN)

    @property
    def stable_hash(self) -> str:
        return hashlib.sha256(self.stable.encode()).hexdigest()


def quoted(text: str) -> str:
    """Text whose further lines are indented by two spaces, its own line breaks kept."""
    return _BREAK.sub(lambda found: found.group() + "  ", text)


def reader_note(as_of: datetime | None) -> str:
    """What stands above a block: of what is true now, or was true at an instant (its UTC day)."""
    return READER_NOTE if as_of is None else READER_NOTE_OF_A_DAY.format(day=clock.day(as_of))


def fact_line(fact: Fact) -> str:
    end = f", until {clock.day(fact.invalid_at)}" if fact.invalid_at is not None else ""
    plan = " (planned, not done)" if fact.tense == "planned" else ""
    said = quoted(f"{fact.subject_canonical} {fact.predicate} {fact.object_canonical}")
    return f"- {said} (since {clock.day(fact.valid_from)}{end}){plan}"


def _note(degraded_parts: Sequence[str]) -> str:
    if not degraded_parts:
        return ""
    shown = " and ".join(_PARTS[part] for part in degraded_parts)
    return f"NOTE: relevance could not be judged just now; this shows {shown}."


def room_for_memories(token_budget: int) -> int:
    """Characters of memories that a block could hold at the most."""
    return token_budget * CHARACTERS_A_TOKEN


def assemble(
    *,
    facts: Sequence[Fact],
    memories: Sequence[Remembered],
    token_budget: int,
    as_of: datetime | None = None,
    degraded_parts: Sequence[str] = (),
) -> Block:
    """Fit facts (at most half the budget), then memories, in the order given.

    The first memory that does not fit is cut with `…` when 40 characters or more of it remain;
    assembly stops there. With nothing to show every part is empty. `as_of`: the instant that the
    facts were true at, when it is not now.
    """
    budget = token_budget * CHARACTERS_A_TOKEN
    stable, note = reader_note(as_of), _note(degraded_parts)
    room = budget - len(stable) - 2 - (len(note) + 2 if note else 0)
    fact_lines, fact_ids = _fit_facts(facts, min(room, budget // 2))
    used = len("\n".join(fact_lines)) + 2 if fact_lines else 0
    memory_lines, memory_ids = _fit_memories(memories, room - used)
    if not fact_ids and not memory_ids:
        return Block("", "", [], [], list(degraded_parts))
    sections = ["\n".join(lines) for lines in (fact_lines, memory_lines) if lines]
    if note:
        sections.append(note)
    return Block(stable, "\n\n".join(sections), fact_ids, memory_ids, list(degraded_parts))


def _fit_facts(facts: Sequence[Fact], room: int) -> tuple[list[str], list[uuid.UUID]]:
    lines, shown = [FACTS_HEADING], []
    used = len(FACTS_HEADING)
    for fact in facts:
        line = fact_line(fact)
        if used + 1 + len(line) <= room:
            lines.append(line)
            shown.append(fact.id)
            used += 1 + len(line)
    return (lines, shown) if shown else ([], [])


def _fit_memories(memories: Sequence[Remembered], room: int) -> tuple[list[str], list[uuid.UUID]]:
    lines, shown = [MEMORIES_HEADING], []
    used = len(MEMORIES_HEADING)
    for memory in memories:
        head = f"- [{clock.day(memory.happened_at)}] "
        text = quoted(memory.content)
        left = room - used - 1 - len(head)
        if len(text) <= left:
            lines.append(head + text)
            shown.append(memory.id)
            used += 1 + len(head) + len(text)
            continue
        if left >= SHORTEST_CUT:
            lines.append(head + text[: left - 1].rstrip() + "…")
            shown.append(memory.id)
        break
    return (lines, shown) if shown else ([], [])
