"""What memories state: facts taken in from a text, withdrawn when it no longer says so."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from facts.extraction import Candidate
from facts.models import Fact, FactSource
from facts.reconciliation import (
    Statement,
    object_key,
    reconcile,
    said_again,
    text_key,
    withdraw,
)
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.likeness import likeness
from facts.services.naming import Naming, naming_of
from facts.services.store import Owner, Wording
from facts.vocabulary import Vocabulary, canonical
from korely.kernel.ids import uuid7

# Limits of a fact's parts in code points (contract, section 11): a longer span is no fact.
MOST_SUBJECT, MOST_PREDICATE, MOST_OBJECT = 200, 200, 500


@dataclass(frozen=True, slots=True)
class Source:
    """The memory that facts are taken from."""

    project_id: uuid.UUID
    memory_id: uuid.UUID
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    is_session: bool


@dataclass(slots=True)
class Changes:
    """What one text did to the store."""

    written: int = 0
    confirmed: int = 0
    closed: int = 0
    stated: int = 0  # facts the memory states now

    def __bool__(self) -> bool:
        return bool(self.written or self.confirmed or self.closed)


def storable(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates whose parts keep to the limits of a fact."""
    return [
        candidate
        for candidate in candidates
        if 0 < len(candidate.subject) <= MOST_SUBJECT
        and 0 < len(candidate.predicate) <= MOST_PREDICATE
        and len(candidate.predicate_raw) <= MOST_PREDICATE
        and 0 < len(candidate.object) <= MOST_OBJECT
    ]


def meaning(candidate: Candidate) -> str:
    """The words whose vector stands for a fact in search by meaning."""
    return in_words(candidate.subject, candidate.predicate, candidate.object)


def in_words(subject: str, predicate: str, value: str) -> str:
    return f"{subject} {predicate.replace('_', ' ')} {value}"


def take_in(
    *,
    source: Source,
    candidates: Sequence[Candidate],
    vectors: Sequence[store.Meaning],
    now: datetime,
    written_at: datetime,
) -> Changes:
    """Reconcile a memory's statements with what is stored, in the text's order.

    Call it in a transaction that holds the end user's lock. `vectors` are one a candidate.
    Taking the same text in again changes nothing; facts that only this memory stated and no
    longer states are closed at `written_at`, the time of its present text.
    """
    owner = Owner(source.project_id, source.user_id, source.agent_id)
    naming, vocabulary = naming_of(owner), read_vocabulary()
    before = _stated_by(source.memory_id)
    stated: set[uuid.UUID] = set()
    changes = Changes()
    statements = [_statement(candidate, naming, vocabulary, now) for candidate in candidates]
    told = list(zip(candidates, statements, vectors, strict=True))
    dropped = _dropped(owner, _lone(before, now), told, vocabulary)
    for candidate, statement, vector in told:
        rows = store.rows_for(
            owner, statement.subject_key, statement.predicate, vocabulary=vocabulary
        )
        alike = likeness(statement=statement, rows=rows, subject=candidate.subject, vector=vector)
        outcome = reconcile(
            statement,
            rows,
            same_meaning=alike,
            stated=before,
            dropped=dropped,
            vocabulary=vocabulary,
        )
        changes.closed += store.close(outcome.closes, memory_id=source.memory_id)
        if outcome.insert is not None:
            wording = _wording(candidate, source, naming, outcome.insert.predicate)
            store.insert(owner, outcome.insert, wording, vector, vocabulary=vocabulary)
            _attach(source, outcome.insert.id, candidate, now)
            stated.add(outcome.insert.id)
            changes.written += 1
        elif outcome.confirm is not None:
            if outcome.confirm not in before | stated:
                store.confirm(outcome.confirm, now)
                _attach(source, outcome.confirm, candidate, now)
                changes.confirmed += 1
            elif outcome.confirm not in stated:
                _find_again(source, outcome.confirm, candidate)
            stated.add(outcome.confirm)
    changes.closed += _withdraw(source.memory_id, before - stated, now, written_at)
    changes.stated = len(stated)
    return changes


def withdraw_memory(*, memory_id: uuid.UUID, at: datetime) -> int:
    """The memory states nothing any more; how many open facts that ended.

    Call it in a transaction that holds the end user's lock.
    """
    return _withdraw(memory_id, _stated_by(memory_id), at, at)


def count_stated(*, memory_id: uuid.UUID) -> int:
    """How many facts a memory states."""
    return len(_stated_by(memory_id))


def _stated_by(memory_id: uuid.UUID) -> set[uuid.UUID]:
    return set(
        FactSource.objects.filter(memory_id=memory_id, withdrawn_at=None).values_list(
            "fact_id", flat=True
        )
    )


def _lone(fact_ids: set[uuid.UUID], now: datetime) -> set[uuid.UUID]:
    """The open ones among facts of one memory that nothing else states."""
    if not fact_ids:
        return set()
    stated = FactSource.objects.filter(fact_id__in=fact_ids, withdrawn_at=None)
    shared = stated.values("fact_id").annotate(by=Count("memory_id")).filter(by__gt=1)
    alone = Fact.objects.filter(id__in=fact_ids, direct=False)
    found = alone.exclude(id__in=shared.values("fact_id"))
    return {fact.id for fact in found if not store.as_row(fact).has_ended(now)}


def _dropped(
    owner: Owner,
    lone: set[uuid.UUID],
    told: Sequence[tuple[Candidate, Statement, store.Meaning]],
    vocabulary: Vocabulary,
) -> set[uuid.UUID]:
    """Those of `lone`, a memory's own facts, that its present text does not speak of."""
    dropped = set(lone)
    for candidate, statement, vector in told:
        if not dropped:
            break
        rows = store.rows_for(
            owner, statement.subject_key, statement.predicate, vocabulary=vocabulary
        )
        rows = [row for row in rows if row.id in dropped]
        alike = likeness(statement=statement, rows=rows, subject=candidate.subject, vector=vector)
        dropped -= said_again(statement, rows, same_meaning=alike, vocabulary=vocabulary)
    return dropped


def _names_user(candidate: Candidate, naming: Naming, predicate: str) -> bool:
    return naming.is_object(predicate, candidate.object, is_literal=candidate.object_is_literal)


def _statement(
    candidate: Candidate, naming: Naming, vocabulary: Vocabulary, now: datetime
) -> Statement:
    predicate = vocabulary.canonical(candidate.predicate)
    value = candidate.object
    if _names_user(candidate, naming, predicate):
        value = naming.canonical(value)
    return Statement(
        id=uuid7(),
        subject_key=text_key(naming.canonical(candidate.subject)),
        predicate=predicate,
        object=value,
        object_key=object_key(value),
        tense=candidate.tense,
        valid_from=candidate.valid_from,
        invalid_at=candidate.invalid_at,
        observed_at=candidate.observed_at,
        move=candidate.move,
        replaces=candidate.replaces,
        direct=False,
        now=now,
        object_is_literal=candidate.object_is_literal,
    )


def _wording(candidate: Candidate, source: Source, naming: Naming, predicate: str) -> Wording:
    return Wording(
        subject=candidate.subject,
        subject_type=candidate.subject_type,
        predicate_raw=candidate.predicate_raw,
        object=candidate.object,
        object_is_literal=candidate.object_is_literal,
        confidence=candidate.confidence,
        run_id=source.run_id,
        direct=False,
        subject_named=naming.is_theirs(candidate.subject),
        object_named=_names_user(candidate, naming, predicate),
        predicate_plain=canonical(candidate.predicate),
    )


def _attach(source: Source, fact_id: uuid.UUID, candidate: Candidate, now: datetime) -> None:
    """Make the memory a source; one withdrawn before states the fact again."""
    row = FactSource(
        project_id=source.project_id,
        fact_id=fact_id,
        memory_id=source.memory_id,
        is_session=source.is_session,
        span_start=candidate.span[0],
        span_end=candidate.span[1],
        created_at=now,
    )
    FactSource.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["project", "fact", "memory"],
        update_fields=["is_session", "span_start", "span_end", "created_at", "withdrawn_at"],
    )


def _find_again(source: Source, fact_id: uuid.UUID, candidate: Candidate) -> None:
    """A changed text may say the same elsewhere."""
    FactSource.objects.filter(fact_id=fact_id, memory_id=source.memory_id).update(
        span_start=candidate.span[0], span_end=candidate.span[1]
    )


def _withdraw(memory_id: uuid.UUID, fact_ids: set[uuid.UUID], now: datetime, at: datetime) -> int:
    if not fact_ids:
        return 0
    FactSource.objects.filter(memory_id=memory_id, fact_id__in=fact_ids).update(withdrawn_at=now)
    kept = FactSource.objects.filter(fact_id__in=fact_ids, withdrawn_at=None).values("fact_id")
    orphans = Fact.objects.filter(id__in=fact_ids, direct=False).exclude(id__in=kept)
    closes = [withdraw(store.as_row(fact), now, at) for fact in orphans.order_by("id")]
    return store.close(one for one in closes if one is not None)
