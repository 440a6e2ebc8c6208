"""The log of acts, gone through anew for every moment of knowledge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement
from tests.reconciliation.replay.telling import tell
from tests.reconciliation.replay.told import Told, began, listed, same_slot


@dataclass(frozen=True)
class Said:
    """A text or a caller states something."""

    statement: Statement


@dataclass(frozen=True)
class Corrected:
    """A caller puts other words in a fact's place; only these and the time of it are used."""

    fact: UUID
    statement: Statement


@dataclass(frozen=True)
class Forgot:
    fact: UUID
    now: datetime
    at: datetime | None = None


@dataclass(frozen=True)
class Withdrawn:
    """No memory states the fact any longer, since `at`, learned at `now`."""

    fact: UUID
    now: datetime
    at: datetime


Act = Said | Corrected | Forgot | Withdrawn


@dataclass
class Log:
    """What was done, in the order in which it was done."""

    acts: list[Act] = field(default_factory=list)

    def facts(self, known_at: datetime | None = None) -> list[Told]:
        """Every fact, as known at `known_at` (None: now).

        A fact has one end in the store. Where an end to come was moved later, the first one is not
        known any more, and the contract shows the fact open until the last one was known.
        """
        if known_at is None:
            return self._replayed(self.acts)
        facts = self._replayed([act for act in self.acts if moment(act) <= known_at])
        last = {one.id: one for one in self.facts()}
        for one in facts:
            learned = last[one.id].end_known
            if learned is None or learned > known_at:
                one.end = one.why = one.by = one.end_known = None
        return facts

    def _replayed(self, acts: Sequence[Act]) -> list[Told]:
        facts: list[Told] = []
        for act in acts:
            match act:
                case Said(statement):
                    tell(facts, statement)
                case Corrected(fact, statement):
                    _correct(facts, _find(facts, fact), statement)
                case Forgot(fact, now, at):
                    _forget(_find(facts, fact), now, at)
                case Withdrawn(fact, now, at):
                    one = _find(facts, fact)
                    if one.open(now):
                        one.shut(at, "erased_source", None, now)
        return facts


def read(facts: Sequence[Told], at: datetime, *, as_of: bool) -> list[Told]:
    """What a read of these facts shows, newest first: of each slot the one that started last."""
    there = [one for one in facts if listed(one, at, as_of)]
    found = []
    for one in there:
        slot = [other for other in there if same_slot(one, other)]
        if not slot or max(slot, key=began) is one:
            found.append(one)
    return sorted(found, key=began, reverse=True)


def without(facts: Sequence[Told], left_out: Collection[UUID]) -> list[Told]:
    """The facts that a read judges when some are left out before any other rule."""
    return [one for one in facts if one.id not in left_out]


def moment(act: Act) -> datetime:
    """When the store learned of an act."""
    return act.statement.now if isinstance(act, Said | Corrected) else act.now


def _forget(one: Told, now: datetime, at: datetime | None) -> None:
    if one.open(now) and (at is None or at > one.start):
        one.shut(at or now, "forgotten", None, now, before_start=False)


def _correct(facts: list[Told], old: Told, statement: Statement) -> None:
    """The old fact ends where the new one begins: now, or its own start where that is to come."""
    now, words = statement.now, (statement.subject_key, statement.predicate, statement.object)
    if not old.open(now) or (old.about, old.predicate, old.value) == words:
        return
    start = max(now, old.start)
    others = [one for one in facts if one is not old]
    new = tell(
        others,
        replace(
            statement,
            tense=old.tense,
            valid_from=start,
            invalid_at=old.end if old.given else None,
            observed_at=now,
            move="state",
            replaces=(),
            direct=True,
        ),
    )
    assert new is not None  # what a caller states is stored or confirmed
    if all(new is not one for one in facts):
        facts.append(new)
        if old.end is not None and (new.end is None or new.end > old.end):
            new.shut(old.end, str(old.why), old.by, now)  # an end still to come is kept
    old.shut(start, "corrected", new.id, now, before_start=False)


def _find(facts: Sequence[Told], fact: UUID) -> Told:
    return next(one for one in facts if one.id == fact)
