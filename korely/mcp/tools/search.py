"""`korely_search`: memories and facts by meaning."""

from __future__ import annotations

from typing import Any

from korely.http.asking import Search
from korely.kernel import ids
from korely.kernel.caller import READ, Caller
from korely.mcp.arguments import Argument
from korely.mcp.tools.base import TEXT, USER, Outcome, Tool, checked, object_of
from memories import services
from memories.selectors import MemoryHit
from memories.services import SNIPPET, Hit

NOTHING = "no matches."
WHOLE = 4_000  # characters of a whole text; contract, section 20


def _run(caller: Caller, arguments: dict[str, Any]) -> Outcome:
    values = checked(Search, arguments)
    most = WHOLE if values.pop("full_text", False) else SNIPPET
    hits = [_shown(hit, most) for hit in services.search_by_meaning(caller=caller, **values)]
    lines = [f"[{hit['score']:.3f}] {hit['text']}".rstrip() + f"  ({hit['id']})" for hit in hits]
    return Outcome("\n".join(lines) or NOTHING, {"results": hits})


def _shown(hit: Hit, most: int) -> dict[str, Any]:
    if isinstance(hit, MemoryHit):
        kind, found = "memory", ids.wire(ids.MEMORY, hit.id)
    else:
        kind, found = "fact", ids.wire(ids.FACT, hit.fact.id)
    text = services.shown_text(hit)[:most]
    return {"id": found, "type": kind, "score": services.shown_score(hit.score), "text": text}


SEARCH = Tool(
    name="korely_search",
    title="Search memories and facts",
    description=(
        "Search memories by meaning, nearest first, each with its score and id; with types also"
        " facts. For a block made for a prompt use korely_get_context."
    ),
    scope=READ,
    arguments=(
        Argument("query", "string", "What to look for.", required=True),
        USER,
        Argument("limit", "integer", "Most results, 1 to 50.", default=10),
        Argument("min_score", "number", "Leave out results scored below it, 0 to 1."),
        Argument("types", "array", "What to search.", words=("memories", "facts")),
        Argument("full_text", "boolean", "Show whole texts, up to 4000 characters each."),
    ),
    output=object_of(
        results={
            "type": "array",
            "items": object_of(id=TEXT, type=TEXT, score={"type": "number"}, text=TEXT),
        }
    ),
    run=_run,
)
