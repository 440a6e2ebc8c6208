"""Facts and names that come with their ids and both clocks, as another store knew them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from facts.models import DeclaredName, Fact, FactSource
from facts.reconciliation import Close, Row, object_key, settle, text_key
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.joining import join_facts
from facts.services.naming import Naming, naming_of
from facts.services.sources import in_words
from facts.services.store import Meaning, Owner, Wording
from facts.vocabulary import Vocabulary, canonical
from korely.kernel import errors


@dataclass(frozen=True, slots=True)
class ImportedFact:
    """A fact as a read shows it. `direct`: a caller wrote it; None: so it is without sources."""

    id: uuid.UUID
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    created_at: datetime
    subject_canonical: str | None = None
    object_canonical: str | None = None
    subject_type: str = "unknown"
    predicate_raw: str | None = None
    object_is_literal: bool = False
    confidence: float = 0.9
    user_id: str | None = None
    agent_id: str | None = None
    tense: str = "current"
    invalid_at: datetime | None = None
    invalidated_by: uuid.UUID | None = None
    closed_known_at: datetime | None = None
    closed_reason: str | None = None
    observation_count: int = 1
    last_confirmed_at: datetime | None = None
    sources: tuple[uuid.UUID, ...] = ()
    direct: bool | None = None

    @property
    def meaning(self) -> str:
        """The words whose vector stands for the fact."""
        return in_words(self.subject, self.plain, self.object)

    @property
    def plain(self) -> str:
        """The predicate as the built-in table reads it."""
        return canonical(self.predicate)


@dataclass(frozen=True, slots=True)
class ImportedName:
    user_id: str
    name: str
    since: datetime
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class StatingMemory:
    """A memory that states an imported fact. `said_at`: its timestamp, else when it was stored."""

    id: uuid.UUID
    run_id: str | None
    is_session: bool
    said_at: datetime
    created_at: datetime


def bring_in_fact(
    *,
    project_id: uuid.UUID,
    fact: ImportedFact,
    sources: Sequence[StatingMemory],
    vector: Meaning,
    now: datetime,
) -> int:
    """Store a fact whose id is new here; how many stored facts that ended.

    Call it in a transaction that holds the end user's lock. Nothing is reconciled, but of two open
    facts of a single slot the one that began first ends where the other begins.
    """
    owner = Owner(project_id, fact.user_id, fact.agent_id)
    naming, vocabulary = naming_of(owner), read_vocabulary()
    predicate = vocabulary.name(fact.plain)
    wording = _wording(fact, sources, naming, predicate)
    row, ended = _settled(owner, _row(fact, wording, sources, predicate), now, vocabulary)
    store.close(ended)  # first: a slot has one open fact
    store.insert(owner, row, wording, vector, vocabulary=vocabulary)
    if fact.observation_count > 1 or fact.last_confirmed_at is not None:
        Fact.objects.filter(id=fact.id).update(
            observation_count=fact.observation_count, last_confirmed_at=fact.last_confirmed_at
        )
    FactSource.objects.bulk_create(
        FactSource(
            project_id=project_id,
            fact_id=fact.id,
            memory_id=source.id,
            is_session=source.is_session,
            span_start=0,
            span_end=0,
            created_at=max(fact.created_at, source.created_at),
        )
        for source in sources
    )
    return len(ended)


def bring_in_name(*, project_id: uuid.UUID, name: ImportedName, now: datetime) -> int | None:
    """Declare a name as of when it was; how many facts that ended, None when it was known.

    Call it in a transaction that holds the end user's lock.

    Raises:
        Refusal: 409 `conflict` when the name is another end user's here.
    """
    key = text_key(name.name)
    mine = DeclaredName(
        project_id=project_id,
        user_id=name.user_id,
        agent_id=name.agent_id,
        name=name.name,
        name_key=key,
        created_at=name.since,
    )
    DeclaredName.objects.bulk_create([mine], ignore_conflicts=True)
    held = DeclaredName.objects.get(agent_id=name.agent_id, name_key=key)
    if held.user_id != name.user_id:
        raise errors.conflict("This name is declared for another end user already")
    if held.id != mine.id:
        return None
    owner = Owner(project_id, name.user_id, name.agent_id)
    return len(join_facts(owner=owner, name_key=key, now=now))


def knows_name(*, name: ImportedName) -> bool:
    """Whether the name is declared for its end user already."""
    rows = DeclaredName.objects.filter(agent_id=name.agent_id, name_key=text_key(name.name))
    return rows.filter(user_id=name.user_id).exists()


def _wording(
    fact: ImportedFact, sources: Sequence[StatingMemory], naming: Naming, predicate: str
) -> Wording:
    """Names count as declared where they are here, and where they were when it was exported."""
    theirs = fact.user_id
    as_written = theirs is None or text_key(fact.subject) == text_key(theirs)
    was_subject = not as_written and fact.subject_canonical == theirs
    as_written = theirs is None or text_key(fact.object) == text_key(theirs)
    was_object = not as_written and fact.object_canonical == theirs
    return Wording(
        subject=fact.subject,
        subject_type=fact.subject_type,
        predicate_raw=fact.predicate_raw or fact.predicate,
        object=fact.object,
        object_is_literal=fact.object_is_literal,
        confidence=fact.confidence,
        run_id=sources[0].run_id if sources else None,
        direct=not sources if fact.direct is None else fact.direct,
        subject_named=was_subject or naming.is_theirs(fact.subject),
        object_named=was_object
        or naming.is_object(predicate, fact.object, is_literal=fact.object_is_literal),
        predicate_plain=fact.plain,
    )


def _row(
    fact: ImportedFact, wording: Wording, sources: Sequence[StatingMemory], predicate: str
) -> Row:
    theirs = fact.user_id or ""
    value = theirs if wording.object_named else fact.object
    return Row(
        id=fact.id,
        subject_key=text_key(theirs if wording.subject_named else fact.subject),
        predicate=predicate,
        object_key=object_key(value),
        object=value,
        tense=fact.tense,
        valid_from=fact.valid_from,
        invalid_at=fact.invalid_at,
        invalidated_by=fact.invalidated_by,
        closed_known_at=fact.closed_known_at,
        closed_reason=fact.closed_reason,
        created_at=fact.created_at,
        said_at=min((source.said_at for source in sources), default=fact.created_at),
    )


def _settled(
    owner: Owner, row: Row, now: datetime, vocabulary: Vocabulary
) -> tuple[Row, list[Close]]:
    """The row as its slot leaves it, and the ends of stored rows that it brings."""
    slot = store.slot_id(owner, row, vocabulary=vocabulary)
    if slot is None or row.is_plan or row.invalid_at is not None:
        return row, []
    stored = map(store.as_row, Fact.objects.filter(slot=slot))
    closes = settle([row, *stored], now, vocabulary)
    for one in closes:
        if one.id == row.id:
            row = replace(
                row,
                invalid_at=one.at,
                invalidated_by=one.by,
                closed_reason=one.reason,
                closed_known_at=one.known_at,
            )
    return row, [one for one in closes if one.id != row.id]
