"""An export as lines of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from facts.selectors import ExportedFact, ExportedName
from korely.http.lines import json_line
from korely.kernel import clock
from korely.rest import presentation
from korely.rest.transfer import FORMAT, VERSION
from memories.selectors import Exported, ExportedMemory

_CHUNK = 65_536  # characters sent at once


def written(pages: Iterable[Sequence[Exported]], *, exported_at: datetime) -> Iterator[bytes]:
    """The text of an export in pieces: header, lines, and the end line that counts them."""
    counts: Counter[str] = Counter(memories=0, facts=0, names=0)
    pending = [json_line(_header(exported_at))]
    size = 0
    for page in pages:
        for row in page:
            kind, shown = _shown(row)
            counts[kind] += 1
            pending.append(json_line(shown))
            size += len(pending[-1])
            if size >= _CHUNK:
                yield "".join(pending).encode()
                pending, size = [], 0
    pending.append(json_line({"type": "end", **counts}))
    yield "".join(pending).encode()


def _header(exported_at: datetime) -> dict[str, Any]:
    return {
        "type": "header",
        "format": FORMAT,
        "version": VERSION,
        "exported_at": clock.write(exported_at),
    }


def _shown(row: Exported) -> tuple[str, dict[str, Any]]:
    match row:
        case ExportedMemory(memory):
            return "memories", {"type": "memory", **presentation.memory(memory)}
        case ExportedFact(fact, direct):
            shown = {"type": "fact", **presentation.fact(fact)}
            if direct == bool(fact.sources):
                shown["direct"] = direct  # the sources do not tell it
            return "facts", shown
        case ExportedName():
            return "names", {"type": "name", **_name(row)}


def _name(row: ExportedName) -> dict[str, Any]:
    return {
        "user_id": row.user_id,
        "name": row.name,
        "agent_id": row.agent_id,
        "since": clock.write(row.since),
    }
