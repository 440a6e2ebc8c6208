"""What an act on an end user's facts would do now. Nothing is stored, and nothing is locked.

Call these in a project's scope. Whoever acts later may find other facts.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from facts.models import Fact
from facts.reconciliation import (
    AlreadyEnded,
    BeforeStart,
    Close,
    NotCurrent,
    Row,
    forget,
    shown,
)
from facts.services import store
from facts.services.deciding import decide_correction, decide_write, read_for
from facts.services.store import Meaning, Owner
from facts.services.triples import Parts, Triple
from facts.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would change.

    `new`: the row that would be stored, None where nothing is; `confirms`: the fact that says the
    same already. `ends`: the ends that facts would get. `appears`, `disappears`: other facts that
    a read would show from then on and does not show now, and the other way round; those that end
    are not told again.
    """

    new: Row | None
    confirms: uuid.UUID | None
    ends: list[Close]
    appears: list[uuid.UUID]
    disappears: list[uuid.UUID]

    @property
    def facts(self) -> list[uuid.UUID]:
        """Every stored fact that it names."""
        confirmed = [] if self.confirms is None else [self.confirms]
        named = [*confirmed, *(one.id for one in self.ends), *self.appears, *self.disappears]
        return list(dict.fromkeys(named))


def foresee_write(*, owner: Owner, triple: Triple, vector: Meaning, now: datetime) -> Foreseen:
    """What `write` would do."""
    decided = decide_write(owner=owner, triple=triple, vector=vector, now=now)
    outcome = decided.outcome
    return _foreseen(
        decided.rows,
        outcome.closes,
        new=outcome.insert,
        confirms=outcome.confirm,
        now=now,
        vocabulary=decided.reading.vocabulary,
    )


def foresee_correction(*, fact: Fact, parts: Parts, now: datetime) -> Foreseen | NotCurrent:
    """What `rewrite` would do."""
    decided = decide_correction(fact=fact, parts=parts, now=now)
    if isinstance(decided, NotCurrent):
        return decided
    outcome, vocabulary = decided.outcome, decided.reading.vocabulary
    return _foreseen(
        [*_beside(fact, vocabulary), *decided.rows],
        outcome.closes,
        new=outcome.insert,
        confirms=outcome.confirm,
        now=now,
        vocabulary=vocabulary,
    )


def foresee_forgetting(
    *, fact: Fact, at: datetime | None, now: datetime
) -> Foreseen | AlreadyEnded | BeforeStart:
    """What `forget_fact` would do."""
    close = forget(store.as_row(fact), at, now)
    if not isinstance(close, Close):
        return close
    owner = Owner(fact.project_id, fact.user_id, fact.agent_id)
    vocabulary = read_for(owner).vocabulary
    return _foreseen(_beside(fact, vocabulary), [close], now=now, vocabulary=vocabulary)


def _beside(fact: Fact, vocabulary: Vocabulary) -> list[Row]:
    """The rows that the fact competes with, itself among them."""
    owner = Owner(fact.project_id, fact.user_id, fact.agent_id)
    predicate = vocabulary.name(fact.plain_predicate)
    return store.rows_for(owner, fact.subject_key, predicate, vocabulary=vocabulary)


def _foreseen(
    rows: Iterable[Row],
    closes: list[Close],
    *,
    new: Row | None = None,
    confirms: uuid.UUID | None = None,
    now: datetime,
    vocabulary: Vocabulary,
) -> Foreseen:
    before = {row.id: row for row in rows}
    after = dict(before)
    for one in closes:
        if one.id in after:
            after[one.id] = replace(
                after[one.id],
                invalid_at=one.at,
                invalidated_by=one.by,
                closed_reason=one.reason,
                closed_known_at=one.known_at,
            )
    if new is not None:
        after[new.id] = new
    changes = [new.valid_from] if new is not None else []
    moment = max([now, *changes, *(one.at for one in closes)])
    was = {row.id for row in shown(list(before.values()), moment, vocabulary=vocabulary)}
    found = shown(list(after.values()), moment, vocabulary=vocabulary)
    told = {one.id for one in closes} | ({new.id} if new is not None else set())
    return Foreseen(
        new,
        confirms,
        closes,
        appears=[row.id for row in found if row.id not in was | told],
        disappears=sorted(was - {row.id for row in found} - told),
    )
