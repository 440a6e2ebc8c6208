"""What a caller's own fact does to those that are stored, before anything is stored.

Call these in a project's scope; they hold only while the end user's lock (`store.lock`) is held.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from facts.models import Fact
from facts.reconciliation import (
    NotCurrent,
    Outcome,
    Row,
    Statement,
    correct,
    object_key,
    reconcile,
    text_key,
)
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.likeness import likeness
from facts.services.naming import Naming, naming_of
from facts.services.store import Meaning, Owner
from facts.services.triples import Parts, Triple, corrected
from facts.vocabulary import Vocabulary
from korely.kernel.ids import uuid7


@dataclass(frozen=True, slots=True)
class Reading:
    """What a triple's words stand for, as its end user and project have them."""

    naming: Naming
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class Decided:
    """An outcome, the rows it was decided over, and how the words were read."""

    outcome: Outcome
    rows: list[Row]
    triple: Triple
    reading: Reading


def decide_write(*, owner: Owner, triple: Triple, vector: Meaning, now: datetime) -> Decided:
    """A triple among the stored facts of its subject."""
    reading = read_for(owner)
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
    return Decided(outcome, rows, triple, reading)


def decide_correction(*, fact: Fact, parts: Parts, now: datetime) -> Decided | NotCurrent:
    """A fact with some of its words changed, among those of its new subject."""
    owner = Owner(fact.project_id, fact.user_id, fact.agent_id)
    reading = read_for(owner)
    triple = corrected(fact, parts)
    statement = _statement(triple, reading, now)
    rows = _rows(owner, statement, reading)
    reworded = (triple.subject, triple.object) != (fact.subject, fact.object)
    row = replace(store.as_row(fact), predicate=reading.vocabulary.name(fact.plain_predicate))
    outcome = correct(row, statement, rows, reworded=reworded, vocabulary=reading.vocabulary)
    if isinstance(outcome, NotCurrent):
        return outcome
    return Decided(outcome, rows, triple, reading)


def read_for(owner: Owner) -> Reading:
    return Reading(naming_of(owner), read_vocabulary())


def _rows(owner: Owner, statement: Statement, reading: Reading) -> list[Row]:
    return store.rows_for(
        owner, statement.subject_key, statement.predicate, vocabulary=reading.vocabulary
    )


def _statement(triple: Triple, reading: Reading, now: datetime) -> Statement:
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
