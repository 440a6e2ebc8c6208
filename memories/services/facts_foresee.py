"""What an act of a caller on facts would do, before they do it. Free, and audited as a read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from billing import services as billing
from facts import selectors
from facts import services as facts
from facts.reconciliation import BeforeStart
from facts.selectors import FactView
from facts.services import Foreseen, Owner, Parts, Triple
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import reading_scope
from memories.services.facts_write import meaning_of, not_current

_CALL = {"call": "dashboard.preview"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What would change, and the facts that it names as they stand now."""

    foreseen: Foreseen
    facts: Mapping[uuid.UUID, FactView]


def preview_fact(
    *, caller: Caller, triple: Triple, user_id: str | None = None, agent_id: str | None = None
) -> Preview:
    """What `write_fact` would do now.

    Raises:
        Refusal: 403 out of the key's reach, 503 `model_unavailable` or `service_paused`.
    """
    caller.require_write(user_id)
    vector = meaning_of(caller, triple)
    with reading_scope(caller.project_id):
        owner = Owner(caller.project_id, user_id, agent_id)
        foreseen = facts.foresee_write(owner=owner, triple=triple, vector=vector, now=now())
        return _told(caller, foreseen, user_id)


def preview_correction(*, caller: Caller, fact_id: uuid.UUID, parts: Parts) -> Preview:
    """What `correct_fact` would do now.

    Raises:
        Refusal: 404 unknown or out of the key's reach; 409 `fact_not_current`.
    """
    with reading_scope(caller.project_id):
        fact = selectors.find_fact(caller=caller, fact_id=fact_id)
        moment = now()
        foreseen = facts.foresee_correction(fact=fact, parts=parts, now=moment)
        if not isinstance(foreseen, Foreseen):
            raise not_current(fact, moment)
        return _told(caller, foreseen, fact.user_id)


def preview_forgetting(
    *, caller: Caller, fact_id: uuid.UUID, at: datetime | None = None
) -> Preview | None:
    """What `forget_fact` would do now; None: it ended already, and nothing would change.

    Raises:
        Refusal: as `forget_fact`.
    """
    with reading_scope(caller.project_id):
        fact = selectors.find_fact(caller=caller, fact_id=fact_id)
        foreseen = facts.foresee_forgetting(fact=fact, at=at, now=now())
        if isinstance(foreseen, Foreseen):
            return _told(caller, foreseen, fact.user_id)
        if isinstance(foreseen, BeforeStart):
            raise errors.invalid("at", "a fact cannot stop being true before it began")
        return None


def _told(caller: Caller, foreseen: Foreseen, user_id: str | None) -> Preview:
    """The facts that are named, read and audited."""
    named = foreseen.facts
    found = selectors.view_facts(caller=caller, fact_ids=named)
    billing.record(caller, "read", user_id=user_id, meta=_CALL, memories=[], facts=named)
    return Preview(foreseen, found)
