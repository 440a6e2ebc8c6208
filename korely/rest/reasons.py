"""Why a fact is believed and why it is over, as `GET /v1/facts/{id}/why` tells it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from facts.selectors import ending
from korely.kernel import clock, ids
from korely.rest import presentation
from memories.selectors import Source, Why


def why(found: Why) -> dict[str, Any]:
    """The shape of an answer."""
    chain = found.chain
    return {
        "fact": presentation.fact(chain.fact),
        "direct": chain.direct,
        "sources": [_source(one) for one in found.sources],
        "ended": _ended(found, clock.now()),
        "superseded": [presentation.fact(one) for one in chain.superseded],
        "chain": [
            {**presentation.fact(one), "asked": one.id == chain.fact.id} for one in chain.facts
        ],
        "truncated": found.truncated,
    }


def _source(source: Source) -> dict[str, Any]:
    place = source.evidence
    return {
        "memory_id": ids.wire(ids.MEMORY, source.memory_id),
        "kind": source.kind,
        "timestamp": clock.write_or_none(source.timestamp),
        "stated_at": clock.write(source.stated_at),
        "withdrawn_at": clock.write_or_none(source.withdrawn_at),
        "evidence": None
        if place is None
        else {"start": place.start, "end": place.end, "text": place.text},
    }


def _ended(found: Why, moment: datetime) -> dict[str, Any] | None:
    fact, by = found.chain.fact, found.chain.by
    if fact.invalid_at is None or fact.closed_reason is None:
        return None
    return {
        "closed_reason": fact.closed_reason,
        "explanation": ending(fact.invalid_at, fact.closed_reason, at=moment),
        "invalid_at": clock.write(fact.invalid_at),
        "closed_known_at": clock.write_or_none(fact.closed_known_at),
        "by": None if by is None else presentation.fact(by),
        "memory_id": ids.wire_or_none(ids.MEMORY, found.ended_by),
    }
