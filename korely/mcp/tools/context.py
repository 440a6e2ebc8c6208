"""`korely_get_context`: what is known, as a block for a prompt."""

from __future__ import annotations

from typing import Any

from korely.http.asking import GetContext
from korely.kernel import ids
from korely.kernel.caller import READ, Caller
from korely.mcp.arguments import Argument
from korely.mcp.tools.base import KNOWN, TEXT, USER, Outcome, Tool, checked, object_of
from memories import services

NOTHING = "(nothing remembered yet for this query)"


def _run(caller: Caller, arguments: dict[str, Any]) -> Outcome:
    block = services.compose_context(caller=caller, **checked(GetContext, arguments, query=True))
    sources = [ids.wire(ids.FACT, one) for one in block.facts]
    sources += [ids.wire(ids.MEMORY, one) for one in block.memories]
    found = {"context": block.context, "tokens": block.tokens, "sources": sources}
    return Outcome(block.context or NOTHING, found)


GET_CONTEXT = Tool(
    name="korely_get_context",
    title="Recall what is known",
    description=(
        "Recall what is known about an end user, as one block ready for a prompt: facts that hold"
        " now, then the memories nearest to the query. Call it before answering."
    ),
    scope=READ,
    arguments=(
        Argument("query", "string", "What the answer is about.", required=True),
        USER,
        Argument("token_budget", "integer", "Most tokens of the block, 50 to 8000.", default=800),
        KNOWN,
    ),
    output=object_of(
        context=TEXT, tokens={"type": "integer"}, sources={"type": "array", "items": TEXT}
    ),
    run=_run,
)
