"""Facts that a caller writes or corrects by itself, without a memory.

Call these in a transaction that holds the end user's lock (`store.lock`).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime

from facts.models import Fact
from facts.reconciliation import (
    NotCurrent,
    Outcome,
    Statement,
    correct,
    object_key,
    reconcile,
    successor,
    text_key,
)
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.likeness import likeness
from facts.services.naming import Naming, naming_of
from facts.services.sources import in_words
from facts.services.store import Meaning, Owner, Wording
from facts.vocabulary import Vocabulary, canonical
from korely.kernel.ids import uuid7


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as a caller puts it, its fields valid already.

    `predicate`: its plain form (facts.vocabulary), None to take it from the caller's words,
    `predicate_raw`.
    `valid_from`: None is the time of the write, for a `past` fact that of the fact it closes.
    """

    subject: str
    predicate_raw: str
    object: str
    predicate: str | None = None
    subject_type: str = "unknown"
    object_is_literal: bool = False
    confidence: float = 0.9
    tense: str = "current"
    valid_from: datetime | None = None
    run_id: str | None = None

    @property
    def plain(self) -> str:
        """The predicate as the built-in table reads it."""
        return self.predicate or canonical(self.predicate_raw)

    @property
    def meaning(self) -> str:
        """The words whose vector stands for the fact."""
        return in_words(self.subject, self.plain, self.object)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a correction changes; None keeps the part."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The fact that a write made or confirmed, and the facts it ended, in order."""

    fact_id: uuid.UUID
    confirmed: bool
    invalidated: list[uuid.UUID] = field(default_factory=list)


def write(*, owner: Owner, triple: Triple, vector: Meaning, now: datetime) -> Written:
    """Reconcile one triple with what is stored, and store or confirm it."""
    reading = _Reading(naming_of(owner), read_vocabulary())
    statement = _statement(triple, reading, now)
    rows = _rows(owner, statement, reading)
    outcome = reconcile(
        statement,
        rows,
        same_meaning=likeness(
            statement=statement, rows=rows, subject=triple.subject, vector=vector
        ),
        vocabulary=reading.vocabulary,
    )
    return _keep(owner, outcome, triple, reading=reading, vector=vector, now=now)


def rewrite(*, fact: Fact, parts: Parts, vector: Meaning, now: datetime) -> Written | NotCurrent:
    """Replace a fact by a corrected one, which keeps every untouched part; it has no sources."""
    owner = Owner(fact.project_id, fact.user_id, fact.agent_id)
    reading = _Reading(naming_of(owner), read_vocabulary())
    triple = corrected(fact, parts)
    statement = _statement(triple, reading, now)
    rows = _rows(owner, statement, reading)
    reworded = (triple.subject, triple.object) != (fact.subject, fact.object)
    row = replace(store.as_row(fact), predicate=reading.vocabulary.name(fact.plain_predicate))
    outcome = correct(row, statement, rows, reworded=reworded, vocabulary=reading.vocabulary)
    if isinstance(outcome, NotCurrent):
        return outcome
    return _keep(owner, outcome, triple, reading=reading, vector=vector, now=now)


def corrected(fact: Fact, parts: Parts) -> Triple:
    """A fact's own words with some of them changed."""
    return Triple(
        subject=parts.subject or fact.subject,
        predicate_raw=parts.predicate or fact.predicate_raw,
        object=parts.object or fact.object,
        predicate=None if parts.predicate else fact.plain_predicate,
        subject_type=fact.subject_type,
        object_is_literal=fact.object_is_literal,
        confidence=fact.confidence,
        tense=fact.tense,
        run_id=fact.run_id,
    )


def current_in_place_of(fact: Fact, now: datetime) -> uuid.UUID | None:
    """The fact that holds now where this one no longer does; None when there is none."""

    def find(fact_id: uuid.UUID) -> store.Row | None:
        heir = Fact.objects.filter(id=fact_id).first()
        return None if heir is None else store.as_row(heir)

    return successor(store.as_row(fact), find, now)


def has_ended(fact: Fact, now: datetime) -> bool:
    return store.as_row(fact).has_ended(now)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a triple's words stand for, as its end user and project have them."""

    naming: Naming
    vocabulary: Vocabulary


def _rows(owner: Owner, statement: Statement, reading: _Reading) -> list[store.Row]:
    return store.rows_for(
        owner, statement.subject_key, statement.predicate, vocabulary=reading.vocabulary
    )


def _statement(triple: Triple, reading: _Reading, now: datetime) -> Statement:
    naming = reading.naming
    predicate = reading.vocabulary.name(triple.plain)
    value = triple.object
    if naming.is_object(predicate, value, is_literal=triple.object_is_literal):
        value = naming.canonical(value)
    return Statement(
        id=uuid7(),
        subject_key=text_key(naming.canonical(triple.subject)),
        predicate=predicate,
        object=value,
        object_key=object_key(value),
        tense=triple.tense,
        valid_from=triple.valid_from,
        invalid_at=None,
        observed_at=now,
        move="state",
        replaces=(),
        direct=True,
        now=now,
        object_is_literal=triple.object_is_literal,
    )


def _keep(
    owner: Owner,
    outcome: Outcome,
    triple: Triple,
    *,
    reading: _Reading,
    vector: Meaning,
    now: datetime,
) -> Written:
    store.close(outcome.closes)
    if outcome.insert is not None:
        wording = _wording(triple, reading.naming, outcome.insert.predicate)
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
