"""Facts that a caller writes or corrects by itself, without a memory.

Call these in a transaction that holds the end user's lock (`store.lock`).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from facts.models import Fact
from facts.reconciliation import NotCurrent, successor
from facts.services import store
from facts.services.deciding import Decided, decide_correction, decide_write
from facts.services.naming import Naming
from facts.services.store import Meaning, Owner, Wording
from facts.services.triples import Parts, Triple


@dataclass(frozen=True, slots=True)
class Written:
    """The fact that a write made or confirmed, and the facts it ended, in order."""

    fact_id: uuid.UUID
    confirmed: bool
    invalidated: list[uuid.UUID] = field(default_factory=list)


def write(*, owner: Owner, triple: Triple, vector: Meaning, now: datetime) -> Written:
    """Reconcile one triple with what is stored, and store or confirm it."""
    decided = decide_write(owner=owner, triple=triple, vector=vector, now=now)
    return _keep(owner, decided, vector=vector, now=now)


def rewrite(*, fact: Fact, parts: Parts, vector: Meaning, now: datetime) -> Written | NotCurrent:
    """Replace a fact by a corrected one, which keeps every untouched part; it has no sources."""
    decided = decide_correction(fact=fact, parts=parts, now=now)
    if isinstance(decided, NotCurrent):
        return decided
    owner = Owner(fact.project_id, fact.user_id, fact.agent_id)
    return _keep(owner, decided, vector=vector, now=now)


def current_in_place_of(fact: Fact, now: datetime) -> uuid.UUID | None:
    """The fact that holds now where this one no longer does; None when there is none."""

    def find(fact_id: uuid.UUID) -> store.Row | None:
        heir = Fact.objects.filter(id=fact_id).first()
        return None if heir is None else store.as_row(heir)

    return successor(store.as_row(fact), find, now)


def has_ended(fact: Fact, now: datetime) -> bool:
    return store.as_row(fact).has_ended(now)


def _keep(owner: Owner, decided: Decided, *, vector: Meaning, now: datetime) -> Written:
    outcome, reading = decided.outcome, decided.reading
    store.close(outcome.closes)
    if outcome.insert is not None:
        wording = _wording(decided.triple, reading.naming, outcome.insert.predicate)
        store.insert(owner, outcome.insert, wording, vector, vocabulary=reading.vocabulary)
        return Written(outcome.insert.id, confirmed=False, invalidated=outcome.invalidated)
    assert outcome.confirm is not None  # a direct write always stores or confirms
    store.confirm(outcome.confirm, now, direct=True)
    return Written(outcome.confirm, confirmed=True, invalidated=outcome.invalidated)


def _wording(triple: Triple, naming: Naming, predicate: str) -> Wording:
    return Wording(
        subject=triple.subject,
        subject_type=triple.subject_type,
        predicate_raw=triple.predicate_raw,
        object=triple.object,
        object_is_literal=triple.object_is_literal,
        confidence=triple.confidence,
        run_id=triple.run_id,
        direct=True,
        subject_named=naming.is_theirs(triple.subject),
        object_named=naming.is_object(
            predicate, triple.object, is_literal=triple.object_is_literal
        ),
        predicate_plain=triple.plain,
    )
