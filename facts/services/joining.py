"""Facts about a declared name become facts about the end user."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from facts.models import Fact, FactSource
from facts.reconciliation import Close, Row, join, object_key, related, text_key
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.naming import Naming
from facts.services.store import Owner
from facts.vocabulary import Vocabulary

_KEYS = [
    *("subject_key", "subject_text_key", "object_key", "object_name_key", "slot"),
    *("predicate", "predicate_plain", "predicate_family"),
]


def join_facts(*, owner: Owner, name_key: str, now: datetime) -> list[uuid.UUID]:
    """Reconcile what was written about a name with the end user's own facts; the ids that ended.

    Call it in a transaction that holds the end user's lock, once the name is stored. Words stay as
    written; only the forms that facts are compared by change.
    """
    theirs = Fact.objects.filter(user_id=owner.user_id, agent_id=owner.agent_id)
    found = list(
        theirs.filter(
            Q(subject_key=name_key, subject_text_key=None)
            | Q(object_text_key=name_key, object_name_key=None)
        ).order_by("created_at", "id")
    )
    naming, vocabulary = Naming(owner.user_id, frozenset({name_key})), read_vocabulary()
    for fact in found:
        name_anew(fact, vocabulary)
    moved = [fact for fact in found if _rename(owner, fact, naming)]
    subjects = {fact.subject_key for fact in moved}
    met = theirs.filter(subject_key__in=subjects).exclude(id__in=[fact.id for fact in moved])
    rows: dict[uuid.UUID, Row] = {}
    for fact in met:
        name_anew(fact, vocabulary)
        rows[fact.id] = store.as_row(fact)
    closes: list[Close] = []
    for fact in moved:
        closes += meet(owner, fact, rows, now, vocabulary=vocabulary)
    store.close(closes)  # before the keys change: a slot has one open fact
    Fact.objects.bulk_update(found, _KEYS, batch_size=500)
    return list(dict.fromkeys(close.id for close in closes))


def name_anew(fact: Fact, vocabulary: Vocabulary) -> None:
    """Give a fact the predicate and family that its plain form has now.

    A project's predicates may have changed since it was written.
    """
    plain = fact.plain_predicate
    fact.predicate = vocabulary.name(plain)
    fact.predicate_plain = plain if plain != fact.predicate else None
    fact.predicate_family = vocabulary.family(fact.predicate)


def _rename(owner: Owner, fact: Fact, naming: Naming) -> bool:
    """Give a fact its new keys; whether it can meet other facts by them than before."""
    before = (fact.subject_key, fact.object_key)
    own_key = text_key(owner.user_id or "")
    if fact.subject_text_key is None and naming.is_theirs(fact.subject):
        fact.subject_text_key, fact.subject_key = fact.subject_key, own_key
    if naming.is_object(fact.predicate, fact.object, is_literal=fact.object_is_literal):
        fact.object_name_key = own_key
        fact.object_key = object_key(fact.object_canonical)
    return (fact.subject_key, fact.object_key) != before


def meet(
    owner: Owner,
    fact: Fact,
    rows: dict[uuid.UUID, Row],
    now: datetime,
    *,
    vocabulary: Vocabulary,
) -> list[Close]:
    """Put a renamed fact among `rows`, which then are as they will be stored; what it ends.

    `rows` are of the fact's owner and subject at least.
    """
    row, names = store.as_row(fact), related(fact.predicate, vocabulary)
    others = [other for other in rows.values() if other.predicate in names]
    joined = join(row, others, now, object_is_literal=fact.object_is_literal, vocabulary=vocabulary)
    rows[row.id] = row = replace(row, object_key=joined.object_key)
    for close in joined.closes:
        rows[close.id] = replace(
            rows[close.id],
            invalid_at=close.at,
            invalidated_by=close.by,
            closed_reason=close.reason,
            closed_known_at=close.known_at,
        )
    fact.object_key, fact.slot = row.object_key, store.slot_id(owner, row, vocabulary=vocabulary)
    if joined.into is not None:
        _hand_over(fact, joined.into, now)
    return joined.closes


def _hand_over(fact: Fact, into: uuid.UUID, now: datetime) -> None:
    """The fact that stands for both is stated by whatever stated this one, from now on."""
    kept = Fact.objects.get(id=into)
    stated = FactSource.objects.filter(fact_id=fact.id, withdrawn_at=None)
    sources = list(stated)
    memories = [source.memory_id for source in sources]
    known = FactSource.objects.filter(fact_id=kept.id, withdrawn_at=None, memory_id__in=memories)
    kept.observation_count += fact.observation_count - known.count()
    FactSource.objects.bulk_create(
        [
            FactSource(
                project_id=source.project_id,
                fact_id=kept.id,
                memory_id=source.memory_id,
                is_session=source.is_session,
                span_start=source.span_start,
                span_end=source.span_end,
                created_at=now,
            )
            for source in sources
        ],
        update_conflicts=True,
        unique_fields=["project", "fact", "memory"],
        update_fields=["withdrawn_at"],
    )
    stated.update(withdrawn_at=now)
    told = [kept.created_at, fact.created_at, kept.last_confirmed_at, fact.last_confirmed_at]
    kept.last_confirmed_at = max(moment for moment in told if moment is not None)
    kept.direct = kept.direct or fact.direct
    kept.save(update_fields=["observation_count", "last_confirmed_at", "direct"])
