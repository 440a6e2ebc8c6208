"""`korely_get_facts`: typed facts, now or at an instant of either clock."""

from __future__ import annotations

from typing import Any

from facts.selectors import FactView, line
from korely.http.asking import ListFacts, fact_filter
from korely.kernel import clock, ids
from korely.kernel.caller import READ, Caller
from korely.mcp.arguments import Argument
from korely.mcp.tools.base import (
    KNOWN,
    TEXT,
    TEXT_OR_NULL,
    USER,
    Outcome,
    Tool,
    checked,
    object_of,
)
from memories import services

_CLOCKS = (("as_of", "as of"), ("known_as_of", "as known on"))


def _run(caller: Caller, arguments: dict[str, Any]) -> Outcome:
    values = checked(ListFacts, arguments, query=True)
    page = services.read_facts(
        caller=caller, wanted=fact_filter(values), limit=values["limit"], offset=0
    )
    asked = ", ".join(f"{words} {arguments[one]}" for one, words in _CLOCKS if one in arguments)
    found = {"facts": [_shown(fact) for fact in page.facts], "total": page.total}
    if not page.facts:
        return Outcome("no facts." + (f" ({asked})" if asked else ""), found)
    head = [f"# facts {asked}"] if asked else []
    return Outcome("\n".join([*head, *(f"- {line(fact)}" for fact in page.facts)]), found)


def _shown(fact: FactView) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.FACT, fact.id),
        "subject": fact.subject_canonical,
        "predicate": fact.predicate,
        "object": fact.object_canonical,
        "tense": fact.tense,
        "valid_from": clock.write(fact.valid_from),
        "invalid_at": clock.write_or_none(fact.invalid_at),
        "line": line(fact),
    }


GET_FACTS = Tool(
    name="korely_get_facts",
    title="Read facts",
    description=(
        "Read typed facts (subject, predicate, object) with their dates: what holds now, what held"
        " on a day (as_of), what was known on a day (known_as_of). No model runs."
    ),
    scope=READ,
    arguments=(
        USER,
        Argument("entity", "string", "A name that is the subject or the object."),
        Argument("subject", "string", "A name that is the subject."),
        Argument("predicate_family", "string", "A family, such as places, work, preferences."),
        Argument("as_of", "string", "ISO date or datetime: what was true at that instant."),
        Argument("include_invalidated", "boolean", "Also facts that ended.", default=False),
        Argument("limit", "integer", "Most facts, 1 to 200.", default=50),
        KNOWN,
    ),
    output=object_of(
        facts={
            "type": "array",
            "items": object_of(
                id=TEXT,
                subject=TEXT,
                predicate=TEXT,
                object=TEXT,
                tense=TEXT,
                valid_from=TEXT,
                invalid_at=TEXT_OR_NULL,
                line=TEXT,
            ),
        },
        total={"type": "integer"},
    ),
    run=_run,
)
