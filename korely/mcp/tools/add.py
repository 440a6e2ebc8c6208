"""`korely_add`: a memory, whose facts are extracted soon after."""

from __future__ import annotations

from typing import Any

from facts import selectors as facts
from korely.http.asking import AddMemory
from korely.kernel import ids
from korely.kernel.caller import WRITE, Caller
from korely.kernel.tenancy import project_scope
from korely.mcp.arguments import Argument
from korely.mcp.tools.base import TEXT, USER, Outcome, Tool, checked, object_of
from memories import services


def _run(caller: Caller, arguments: dict[str, Any]) -> Outcome:
    values = checked(AddMemory, arguments)
    caller.require_write(values.get("user_id"))
    memory = services.add_memory(caller=caller, **values)
    with project_scope(caller.project_id):
        stated = facts.facts_of_memory(caller=caller, memory_id=memory.id)
    lines = [facts.line(fact) for fact in stated]
    stored = ids.wire(ids.MEMORY, memory.id)
    told = [f"Extracted {len(lines)} fact(s):", *(f"  · {one}" for one in lines)] if lines else []
    text = "\n".join([f"Stored {stored}.", *told])
    return Outcome(text, {"id": stored, "status": memory.status, "facts": lines})


ADD = Tool(
    name="korely_add",
    title="Remember something",
    description=(
        "Remember a text for good: a preference, a decision, something that is so. Dated facts are"
        " extracted from it, and earlier ones that it contradicts end."
    ),
    scope=WRITE,
    arguments=(
        Argument("content", "string", "The text, in whole sentences.", required=True),
        USER,
        Argument("agent_id", "string", "The agent that remembers."),
        Argument("run_id", "string", "The conversation or run it comes from."),
        Argument("timestamp", "string", "ISO date or datetime of what the text tells; else now."),
    ),
    output=object_of(id=TEXT, status=TEXT, facts={"type": "array", "items": TEXT}),
    run=_run,
    reads=False,
)
