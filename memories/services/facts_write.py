"""Facts written and corrected by a caller: embedded, then reconciled in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from billing import services as billing
from facts import selectors
from facts import services as facts
from facts.models import Fact
from facts.selectors import FactView
from facts.services import NotCurrent, Owner, Parts, Triple, Written
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, writing_scope
from memories.vectors import embed_for_write

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WrittenFact:
    """The fact a write made or confirmed, and the ids of the facts it ended, in order."""

    fact: FactView
    invalidated: list[uuid.UUID]


def write_fact(
    *,
    caller: Caller,
    triple: Triple,
    user_id: str | None = None,
    agent_id: str | None = None,
    within: Callable[[WrittenFact], None] | None = None,
) -> WrittenFact:
    """Store one triple, or confirm the open fact that says the same. Costs one write.

    Writes of one end user queue: contradicting ones leave one open fact in a single slot. `within`
    is called last in the transaction.

    Raises:
        Refusal: 403 out of the key's reach or past the agent cap, 429 `quota_exceeded`, 503
            `model_unavailable` or `service_paused`; nothing was stored.
    """
    caller.require_write(user_id)
    billing.check_agent(caller, agent_id)
    with billing.spending(caller, "writes"):
        vector = meaning_of(caller, triple)
        with writing_scope(caller.project_id):
            facts.lock(project_id=caller.project_id, user_id=user_id)
            billing.admit_agent(caller, agent_id)
            owner = Owner(caller.project_id, user_id, agent_id)
            written = facts.write(owner=owner, triple=triple, vector=vector, now=now())
            done = tell_written(caller, written, user_id)
            if within is not None:
                within(done)
    log.info("fact.written", fact=done.fact.id.hex, ended=len(done.invalidated))
    return done


def correct_fact(*, caller: Caller, fact_id: uuid.UUID, parts: Parts) -> WrittenFact:
    """Replace a current fact by a corrected one; the same words confirm it. Costs one write.

    Raises:
        Refusal: 404 unknown or out of the key's reach; 409 `fact_not_current` with the fact that
            holds now; 429; 503 `model_unavailable` or `service_paused`. Nothing was changed.
    """
    with project_scope(caller.project_id):
        seen = selectors.find_fact(caller=caller, fact_id=fact_id)
        moment = now()
        if facts.has_ended(seen, moment):
            raise not_current(seen, moment)
    with billing.spending(caller, "writes"):
        vector = meaning_of(caller, facts.corrected(seen, parts))
        with writing_scope(caller.project_id):
            facts.lock(project_id=caller.project_id, user_id=seen.user_id)
            fact = selectors.find_fact(caller=caller, fact_id=fact_id)
            moment = now()
            written = facts.rewrite(fact=fact, parts=parts, vector=vector, now=moment)
            if isinstance(written, NotCurrent):
                raise not_current(fact, moment)
            done = tell_written(caller, written, fact.user_id)
    log.info("fact.corrected", fact=fact_id.hex, by=done.fact.id.hex)
    return done


def meaning_of(caller: Caller, triple: Triple) -> facts.Meaning:
    """What a fact's words mean, for the model. Raises as `embed_for_write`."""
    vector = embed_for_write(caller, triple.meaning)[0]
    return vector.model, vector.values


def not_current(fact: Fact, moment: datetime) -> errors.Refusal:
    """409: the fact is history; which one holds in its place."""
    heir = facts.current_in_place_of(fact, moment)
    return errors.fact_not_current(ids.wire_or_none(ids.FACT, heir))


def tell_written(caller: Caller, written: Written, user_id: str | None) -> WrittenFact:
    """Audit a write, and read it back."""
    billing.record(
        caller,
        "fact_write",
        user_id=user_id,
        target=ids.wire(ids.FACT, written.fact_id),
        meta={"written": int(not written.confirmed), "confirmed": int(written.confirmed)},
    )
    for ended in written.invalidated:
        target = ids.wire(ids.FACT, ended)
        billing.record(caller, "fact_invalidate", user_id=user_id, target=target)
    return WrittenFact(
        selectors.view_fact(caller=caller, fact_id=written.fact_id), written.invalidated
    )
