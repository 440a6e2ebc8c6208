"""Stored facts as the decision core sees them, and its outcomes put into the store."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import partial

from django.db import connection
from django.db.models import Q

from facts.models import Fact, FactVector
from facts.reconciliation import Close, Row, related, slot_of, text_key
from facts.vocabulary import Vocabulary
from korely.kernel import clock, hashing, ids
from korely.kernel.tenancy import current_project
from korely.webhooks import events
from korely.webhooks import services as webhooks

_ROW = tuple(field.name for field in fields(Row))

# A model's identity and a fact's vector under it.
Meaning = tuple[str, list[float]]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose facts meet: one end user's and one agent's, null equal to null."""

    project_id: uuid.UUID
    user_id: str | None
    agent_id: str | None


@dataclass(frozen=True, slots=True)
class Wording:
    """How a fact was put: what the core does not decide about.

    `subject_named`, `object_named`: the words are a declared name of the end user.
    `predicate_plain`: how the built-in table reads the predicate; None: as the project does.
    """

    subject: str
    subject_type: str
    predicate_raw: str
    object: str
    object_is_literal: bool
    confidence: float
    run_id: str | None
    direct: bool
    subject_named: bool = False
    object_named: bool = False
    predicate_plain: str | None = None


def lock(*, project_id: uuid.UUID, user_id: str | None) -> None:
    """Serialise changes of one end user's facts, to the end of the transaction.

    Taken before any row is locked, so that two changes never wait for each other.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(%s), pg_advisory_xact_lock(%s)",
            [
                hashing.lane(project_id, None, b"all facts"),
                hashing.lane(project_id, user_id, b"facts"),
            ],
        )


def lock_all(*, project_id: uuid.UUID) -> None:
    """Keep every other change of a project's facts out, to the end of the transaction.

    For what concerns many end users at once: each one's lock of its own would be too many.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s)", [hashing.lane(project_id, None, b"all facts")]
        )


def rows_for(
    owner: Owner, subject_key: str, predicate: str, *, vocabulary: Vocabulary
) -> list[Row]:
    """Every row of the subject, ended ones too, that a statement of `predicate` can meet.

    Rows carry canonical names: an object that is a declared name is the end user's id, and a
    predicate is what `vocabulary` calls it, also where the row is still to be named anew.
    """
    names = related(predicate, vocabulary)
    forms = vocabulary.forms(names)
    found = Fact.objects.filter(
        user_id=owner.user_id,
        agent_id=owner.agent_id,
        subject_key=subject_key,
    ).filter(Q(predicate__in=forms) | Q(predicate_plain__in=forms))
    rows = []
    for *values, plain, name_key in found.values_list(*_ROW, "predicate_plain", "object_name_key"):
        row = Row(*values)
        row.predicate = vocabulary.name(plain or row.predicate)
        if row.predicate not in names:
            continue
        if name_key is not None:
            row.object = owner.user_id or row.object
        rows.append(row)
    return rows


def as_row(fact: Fact) -> Row:
    return Row(
        id=fact.id,
        subject_key=fact.subject_key,
        predicate=fact.predicate,
        object_key=fact.object_key,
        object=fact.object_canonical,
        tense=fact.tense,
        valid_from=fact.valid_from,
        invalid_at=fact.invalid_at,
        invalidated_by=fact.invalidated_by,
        closed_known_at=fact.closed_known_at,
        closed_reason=fact.closed_reason,
        created_at=fact.created_at,
        said_at=fact.said_at,
    )


def slot_id(owner: Owner, row: Row, *, vocabulary: Vocabulary) -> uuid.UUID | None:
    """The slot's identity over end users and agents; None where values add up."""
    return slot_of_key(owner, slot_of(row, vocabulary))


def slot_of_key(owner: Owner, key: str | None) -> uuid.UUID | None:
    """`slot_id` of what `facts.reconciliation.slot` gives."""
    if key is None:
        return None
    parts = repr((owner.user_id, owner.agent_id, key)).encode()
    return uuid.UUID(bytes=hashlib.blake2b(parts, digest_size=16).digest())


def insert(
    owner: Owner,
    row: Row,
    wording: Wording,
    vector: Meaning | None,
    *,
    vocabulary: Vocabulary,
) -> None:
    """Store a new fact and, where it is known, its meaning."""
    plain = wording.predicate_plain
    Fact(
        id=row.id,
        project_id=owner.project_id,
        user_id=owner.user_id,
        agent_id=owner.agent_id,
        run_id=wording.run_id,
        subject=wording.subject,
        subject_key=row.subject_key,
        subject_text_key=text_key(wording.subject) if wording.subject_named else None,
        subject_type=wording.subject_type,
        predicate=row.predicate,
        predicate_plain=plain if plain != row.predicate else None,
        predicate_raw=wording.predicate_raw,
        predicate_family=vocabulary.family(row.predicate),
        object=wording.object,
        object_key=row.object_key,
        object_text_key=text_key(wording.object),
        object_name_key=text_key(owner.user_id or "") if wording.object_named else None,
        object_is_literal=wording.object_is_literal,
        confidence=wording.confidence,
        tense=row.tense,
        slot=slot_id(owner, row, vocabulary=vocabulary),
        valid_from=row.valid_from,
        invalid_at=row.invalid_at,
        invalidated_by=row.invalidated_by,
        closed_known_at=row.closed_known_at,
        closed_reason=row.closed_reason,
        direct=wording.direct,
        said_at=row.said_at or row.created_at,
        created_at=row.created_at,
    ).save(force_insert=True)
    if vector is not None:
        FactVector(
            id=row.id,
            project_id=owner.project_id,
            user_id=owner.user_id,
            model=vector[0],
            vector=vector[1],
        ).save(force_insert=True)


def close(closes: Iterable[Close], *, memory_id: uuid.UUID | None = None) -> int:
    """Give facts their ends, and tell webhooks of them; how many. `memory_id`: whose text did."""
    ended = []
    for one in closes:
        updated = Fact.objects.filter(id=one.id).update(
            invalid_at=one.at,
            invalidated_by=one.by,
            closed_reason=one.reason,
            closed_known_at=one.known_at,
            closed_by_memory=memory_id,
        )
        if updated:
            ended.append(one)
    if ended:
        webhooks.tell(
            project_id=current_project(),
            event=events.FACT_INVALIDATED,
            told=partial(_endings, ended),
        )
    return len(ended)


def _endings(closes: Sequence[Close]) -> list[webhooks.Told]:
    """What webhooks are told of facts that ended, and whose they are."""
    rows = Fact.objects.filter(id__in=[one.id for one in closes])
    owners = {fact: owner for fact, *owner in rows.values_list("id", "user_id", "agent_id")}
    return [
        webhooks.Told(
            {
                "fact_id": ids.wire(ids.FACT, one.id),
                "invalidated_by": ids.wire_or_none(ids.FACT, one.by),
                "at": clock.write(one.at),
            },
            *owners[one.id],
        )
        for one in closes
    ]


def confirm(fact_id: uuid.UUID, moment: datetime, *, direct: bool = False) -> None:
    """One more statement of a fact, `direct` by a caller. The caller holds the end user's lock."""
    fact = Fact.objects.get(id=fact_id)
    fact.observation_count += 1
    fact.last_confirmed_at = moment
    fact.direct = fact.direct or direct
    fact.save(update_fields=["observation_count", "last_confirmed_at", "direct"])
