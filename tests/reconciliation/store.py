"""One end user's facts in the real store, driven by the real services, and the log of acts.

An act is told in `Words`; the store gets it as a memory's candidates or a caller's call, the
log as a statement of the replay.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any

from facts.reconciliation import Statement
from tests.reconciliation.replay import Corrected, Declared, Forgot, Log, Said, Wrote

VALUES = ("Rome", "Oslo", "Bonn")


@dataclass(frozen=True)
class Words:
    """A statement. `move` and `replaces` as in a candidate; dates as given, None where not."""

    predicate: str
    value: str
    tense: str = "current"
    move: str = "state"
    start: datetime | None = None
    end: datetime | None = None
    replaces: tuple[str, ...] = ()
    of_name: bool = False


@dataclass
class Store:
    """Acts of one end user. `memories`: those not deleted; `sessions`: the session ones, ever.

    `name`: what the end user is also called, from `declare` on.
    """

    project: uuid.UUID
    user: str = field(default_factory=lambda: f"user-{uuid.uuid4().hex}")
    name: str = field(default_factory=lambda: f"name-{uuid.uuid4().hex}")
    log: Log = field(default_factory=Log)
    memories: list[uuid.UUID] = field(default_factory=list)
    sessions: set[uuid.UUID] = field(default_factory=set)
    said: dict[uuid.UUID, datetime] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    declared: bool = False

    # -- acts --------------------------------------------------------------------------------

    def write(self, said_at: datetime, words: Sequence[Words], *, session: bool = False) -> None:
        """A new memory, said on a day."""
        from memories.models import Memory

        memory = uuid.uuid4()
        with self._changing():
            Memory(
                id=memory,
                project_id=self.project,
                user_id=self.user,
                kind=Memory.SESSION if session else Memory.NOTE,
                content="what was said",
                timestamp=said_at,
                status=Memory.READY,
            ).save(force_insert=True)
        self.memories.append(memory)
        self.said[memory] = said_at
        if session:
            self.sessions.add(memory)
        self.edit(memory, words)

    def edit(self, memory: uuid.UUID, words: Sequence[Words]) -> None:
        """The text of a memory, first or new; its day stays."""
        from facts import services as facts

        said_at = self.said[memory]
        with self._changing() as now:
            source = facts.Source(
                self.project, memory, self.user, None, None, memory in self.sessions
            )
            facts.take_in(
                source=source,
                candidates=[self._candidate(one, said_at) for one in words],
                vectors=[self._vector(one.value) for one in words],
                now=now,
                written_at=now,
            )
        statements = tuple(self._statement(one, said_at, now) for one in words)
        self.log.acts.append(Wrote(memory, statements, now))

    def delete(self, memory: uuid.UUID) -> None:
        from facts import services as facts

        with self._changing() as now:
            facts.withdraw_memory(memory_id=memory, at=now)
        self.memories.remove(memory)
        self.log.acts.append(Wrote(memory, (), now))

    def post(self, words: Words) -> None:
        from facts import services as facts

        triple = facts.Triple(
            subject=self._about(words),
            predicate_raw=words.predicate,
            object=words.value,
            tense=words.tense,
            valid_from=words.start,
        )
        with self._changing() as now:
            facts.write(
                owner=self._owner(), triple=triple, vector=self._vector(words.value), now=now
            )
        self.log.acts.append(Said(self._statement(words, now, now, direct=True)))

    def patch(self, fact: int, *, predicate: str | None = None, value: str | None = None) -> None:
        """Correct the fact that was stored at this place; of none, nothing."""
        from facts import services as facts
        from facts.models import Fact

        with self._changing() as now:
            stored = self._row(fact)
            if stored is None:
                return
            row = Fact.objects.get(id=stored)
            facts.rewrite(
                fact=row,
                parts=facts.Parts(predicate=predicate, object=value),
                vector=self._vector(value or row.object),
                now=now,
            )
        words = Words(predicate or row.predicate, value or row.object)
        statement = self._statement(words, now, now, direct=True, about=row.subject_key)
        self.log.acts.append(Corrected(self._replayed(fact), statement))

    def forget(self, fact: int, at: datetime | None) -> None:
        from facts import services as facts
        from facts.models import Fact
        from korely.kernel import errors
        from korely.kernel.clock import now
        from korely.kernel.tenancy import project_scope

        with project_scope(self.project):
            stored = self._row(fact)
        if stored is None:
            return
        try:
            done = facts.forget_fact(caller=self.caller, fact_id=stored, at=at)
        except errors.Refusal:
            self.log.acts.append(Forgot(self._replayed(fact), now(), at))
            return
        with project_scope(self.project):
            learned = Fact.objects.get(id=stored).closed_known_at if done.audit_id else now()
        self.log.acts.append(Forgot(self._replayed(fact), learned, at))

    def declare(self) -> None:
        """The name is the end user's."""
        from facts import services as facts

        done = facts.declare_name(caller=self.caller, user_id=self.user, name=self.name)
        self.log.acts.append(Declared(self.name, self.user, done.since))
        self.declared = True

    # -- reads -------------------------------------------------------------------------------

    @property
    def caller(self) -> Any:
        from korely.kernel.caller import Caller

        return Caller(organisation_id=self.project, project_id=self.project)

    def rows(self) -> list[uuid.UUID]:
        """The facts stored, in that order: the places by which acts name them."""
        from facts.models import Fact

        found = Fact.objects.filter(user_id=self.user).order_by("created_at", "id")
        return list(found.values_list("id", flat=True))

    # ----------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[datetime]:
        from facts import services as facts
        from korely.kernel.clock import now
        from korely.kernel.tenancy import writing_scope

        with writing_scope(self.project):
            facts.lock(project_id=self.project, user_id=self.user)
            yield now()

    def _row(self, place: int) -> uuid.UUID | None:
        found = self.rows()
        return found[place % len(found)] if found else None

    def _replayed(self, place: int) -> uuid.UUID:
        found = self.log.world().stored()
        return found[place % len(found)].id

    def _owner(self) -> Any:
        from facts.services import Owner

        return Owner(self.project, self.user, None)

    def _about(self, words: Words) -> str:
        return self.name if words.of_name else self.user

    def _candidate(self, words: Words, said_at: datetime) -> Any:
        from facts.extraction import Candidate

        return Candidate(
            subject=self._about(words),
            subject_type="person" if words.of_name else "self",
            predicate=words.predicate,
            predicate_raw=words.predicate,
            object=words.value,
            object_is_literal=False,
            tense=words.tense,  # type: ignore[arg-type]
            valid_from=words.start,
            invalid_at=words.end,
            observed_at=said_at,
            move=words.move,  # type: ignore[arg-type]
            replaces=words.replaces,
            confidence=0.9,
            span=(0, 4),
        )

    def _statement(
        self,
        words: Words,
        said_at: datetime,
        now: datetime,
        *,
        direct: bool = False,
        about: str | None = None,
    ) -> Statement:
        name = self.name if words.of_name and not self.declared else self.user
        return Statement(
            id=uuid.UUID(int=next(self.numbers)),
            subject_key=about or name,
            predicate=words.predicate,
            object=words.value,
            object_key=words.value.casefold(),
            tense=words.tense,
            valid_from=words.start,
            invalid_at=None if direct else words.end,
            observed_at=said_at,
            move="state" if direct else words.move,
            replaces=() if direct else words.replaces,
            direct=direct,
            now=now,
        )

    def _vector(self, value: str) -> tuple[str, list[float]]:
        """Different values are far from each other."""
        return "none", [float(value == one) for one in VALUES]
