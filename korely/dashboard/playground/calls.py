"""A call of the API, made for a person: checked, limited, charged and audited as that."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from billing import services as billing
from korely.dashboard.membership import Place
from korely.http import asking, rate_limits
from korely.http.shapes import check
from korely.idempotency import services as idempotency
from korely.idempotency.services import Keyed
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import project_scope
from memories import services
from memories.context import Block
from memories.models import Memory

_CLIENT = "playground"  # what memories that are added here tell as their `client`
_ROUTE = "dashboard/playground/add"


def add(place: Place, body: Mapping[str, Any], once: str) -> uuid.UUID:
    """Add a memory and return its id; the same body under the same `once` adds one.

    Raises:
        Refusal: whatever `POST /v1/memories` refuses.
    """
    caller = replace(place.caller(), client=_CLIENT)
    with _admitted(caller, "write"):
        values = check(asking.AddMemory, body, "body")
        hashed = Keyed.of(route=_ROUTE, key=once, body=body)
        keyed = Keyed.of(route=_ROUTE, key=f"{once} {hashed.request.hex()}", body=body)
        with idempotency.turn(project_id=caller.project_id, keyed=keyed):
            known = idempotency.find(project_id=caller.project_id, keyed=keyed)
            if known is not None:
                return uuid.UUID(known.body)
            keep = partial(_keep, keyed)
            return services.add_memory(caller=caller, within=keep, **values).id


def search(place: Place, body: Mapping[str, Any]) -> list[services.Hit]:
    """What `POST /v1/memories/search` finds; it refuses the same."""
    caller = place.caller()
    with _admitted(caller, "read"):
        values = check(asking.Search, body, "body")
        return services.search_by_meaning(caller=caller, **values)


def context(place: Place, query: Mapping[str, Any]) -> Block:
    """The block that `GET /v1/context` answers with; it refuses the same."""
    caller = place.caller()
    with _admitted(caller, "read"):
        values = check(asking.GetContext, query, "body")  # of a form: its fields are the places
        return services.compose_context(caller=caller, **values)


@contextmanager
def _admitted(caller: Caller, action: str) -> Iterator[None]:
    """Counted against the account's rate limits; a 403 leaves an event."""
    standing = rate_limits.count(caller)
    if standing is not None and standing.exceeded:
        raise standing.refusal()
    try:
        yield
    except Refusal as refusal:
        if refusal.status == 403:
            with project_scope(caller.project_id):
                scope = f"memories:{action}"
                billing.record(caller, action, result="denied", meta={"scope": scope})
        raise


def _keep(keyed: Keyed, memory: Memory) -> None:
    idempotency.keep(
        keyed=keyed,
        status=201,
        body=memory.id.hex,
        user_ids=[memory.user_id] if memory.user_id is not None else [],
        agent_ids=[memory.agent_id] if memory.agent_id is not None else [],
    )
