"""The facts after some acts, and who states them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement
from tests.reconciliation.replay.acts import (
    Act,
    Corrected,
    Declared,
    Forgot,
    Said,
    Withdrawn,
    Wrote,
)
from tests.reconciliation.replay.telling import tell
from tests.reconciliation.replay.told import Told, means


class World:
    """`stating`: the memories that state a fact; `stated`: that ever did; `direct`: callers do."""

    def __init__(self) -> None:
        self.facts: list[Told] = []
        self.stating: dict[UUID, set[UUID]] = defaultdict(set)
        self.stated: dict[UUID, set[UUID]] = defaultdict(set)
        self.direct: set[UUID] = set()

    def do(self, act: Act) -> None:
        match act:
            case Said(statement):
                told = self._tell(statement)
                if told is not None and statement.direct:
                    self.direct.add(told.id)
            case Corrected(fact, statement):
                self._correct(self._find(fact), statement)
            case Forgot(fact, now, at):
                self._forget(self._find(fact), now, at)
            case Withdrawn(fact, now, at):
                self._end_unstated(self._find(fact), now, at)
            case Wrote(memory, statements, now):
                self._write(memory, statements, now)
            case Declared(name, user, now):
                self._declare(name, user, now)

    def of_sessions(self, sessions: Collection[UUID]) -> set[UUID]:
        """The facts that only these memories state (or did, where no memory does any longer)."""
        found = set()
        for fact in self.stated.keys() - self.direct:
            who = self.stating[fact] or self.stated[fact]
            if who and who <= set(sessions):
                found.add(fact)
        return found

    def stored(self) -> list[Told]:
        """The facts in the order in which they were stored."""
        return sorted(self.facts, key=lambda one: (one.stored, one.id))

    def _find(self, fact: UUID) -> Told:
        return next(one for one in self.facts if one.id == fact)

    def _tell(self, statement: Statement) -> Told | None:
        return tell(self.facts, statement)

    def _forget(self, one: Told, now: datetime, at: datetime | None) -> None:
        if one.open(now) and (at is None or at > one.start):
            one.shut(at or now, "forgotten", None, now, before_start=False)

    def _end_unstated(self, one: Told, now: datetime, at: datetime) -> None:
        if one.open(now):
            one.shut(at, "erased_source", None, now)

    def _correct(self, old: Told, statement: Statement) -> None:
        """The old fact ends where the new one begins: now, or its own start if that is to come."""
        now, words = statement.now, (statement.subject_key, statement.predicate, statement.object)
        if not old.open(now):
            return
        if (old.about, old.predicate, old.value) == words:
            self.direct.add(old.id)
            return
        start = max(now, old.start)
        others = [one for one in self.facts if one is not old]
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
        if all(new is not one for one in self.facts):
            self.facts.append(new)
            if old.end is not None and (new.end is None or new.end > old.end):
                new.shut(old.end, str(old.why), old.by, now)  # an end still to come is kept
        old.shut(start, "corrected", new.id, now, before_start=False)
        self.direct.add(new.id)

    def _write(self, memory: UUID, statements: tuple[Statement, ...], now: datetime) -> None:
        """What it states again stays as it is; what only it stated and no longer states ends."""
        before = {fact for fact, who in self.stating.items() if memory in who}
        dropped = {
            one.id
            for one in self.facts
            if one.id in before - self.direct
            and self.stating[one.id] == {memory}
            and one.open(now)
            and not any(means(one, s) and one.about == s.subject_key for s in statements)
        }
        states: set[UUID] = set()
        for statement in statements:
            told = self._stated_already(statement, before) or tell(self.facts, statement, dropped)
            if told is not None:
                states.add(told.id)
        for fact in states:
            self.stating[fact].add(memory)
            self.stated[fact].add(memory)
        for fact in sorted(before - states):
            self.stating[fact].discard(memory)
            if not self.stating[fact] and fact not in self.direct:
                self._end_unstated(self._find(fact), now, now)

    def _stated_already(self, s: Statement, before: set[UUID]) -> Told | None:
        if s.move != "state" or s.tense == "past":
            return None
        for one in self.facts:
            if one.id in before and means(one, s) and one.tense == s.tense:
                undated = s.valid_from is None and s.invalid_at is None
                held = one.holds(s.start) and s.invalid_at is None
                if one.plan or undated or held or one.start == s.start:
                    return one
        return None

    def _declare(self, name: str, user: str, now: datetime) -> None:
        """Facts about the name meet the end user's own, each once, in the order stored.

        What has an end keeps it. Of two that say the same, the one that was the end user's stays,
        and is stated by whatever stated either.
        """
        moved = [one for one in self.facts if one.about == name]
        mine = [one for one in self.facts if one.about == user]
        for one in moved:
            one.about = user
            if one.end is None:
                self._join(one, mine, now)
            mine.append(one)

    def _join(self, one: Told, mine: list[Told], now: datetime) -> None:
        again = Statement(
            id=one.id,
            subject_key=one.about,
            predicate=one.predicate,
            object=one.value,
            object_key=one.value,
            tense=one.tense,
            valid_from=one.start,
            invalid_at=None,
            observed_at=one.said,
            move="state",
            replaces=(),
            direct=False,
            now=now,
        )
        others = list(mine)
        met = tell(others, again)
        assert met is not None  # a statement of what is so is stored or confirmed
        if met.id == one.id:
            one.end, one.why, one.by, one.end_known = met.end, met.why, met.by, met.end_known
            return
        one.shut(
            max(one.start, met.start) if not one.plan else one.start, "superseded", met.id, now
        )
        self.stating[met.id] |= self.stating.pop(one.id, set())
        self.stated[met.id] |= self.stating[met.id]
        if one.id in self.direct:
            self.direct.add(met.id)
