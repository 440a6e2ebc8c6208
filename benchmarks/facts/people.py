"""Made-up facts of made-up end users: several subjects, histories, values that add up."""

from __future__ import annotations

import hashlib
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SIZES = (40, 100, 250, 600)  # facts of an end user
SIZES_WEIGHTS = (40, 35, 20, 5)
BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
DAYS = 1_000  # from the first fact to the last
AGENTS = (None, None, "assistant", "coach")
OWN_PREDICATES = "lives_in works_at works_as diet has_manager email phone time_zone plan".split()
OTHER_PREDICATES = "lives_in works_at works_as located_in status budget deadline price".split()
ADDING = "visited owns knows has_pet uses attended allergic_to bought speaks has_friend".split()
SUBJECTS = (
    "Ada Bruno Chidi Dana Emre Freya Goran Hana Apollo Brightwell Tidemark kickoff Rex".split()
)
WORDS = "Ghent Porto Turku Lyon Graz rowing fencing lentils canoe tram florist telescope".split()


@dataclass(frozen=True, slots=True)
class Said:
    """One row of facts, as far as rows differ."""

    id: uuid.UUID
    user_id: str
    agent_id: str | None
    subject: str
    subject_type: str
    predicate: str
    object: str
    slot: uuid.UUID | None
    valid_from: datetime
    invalid_at: datetime | None
    closed_reason: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class _Topic:
    agent_id: str | None
    subject: str
    predicate: str


class Person:
    """An end user, who is told about until they have as many facts as they should.

    About a quarter of the rows are in single slots with one to five values one after the other;
    where a value has a stated end it lies inside the interval of another. A fifth likes or
    dislikes. The rest adds up; an eighth of it has ended.
    """

    def __init__(self, user_id: str, chance: random.Random) -> None:
        self.user_id = user_id
        self.chance = chance
        self._slots: set[uuid.UUID] = set()
        self._number = 0

    def facts(self, count: int) -> list[Said]:
        """Exactly `count` rows, at most one open in a slot."""
        found: list[Said] = []
        while len(found) < count:
            kind = self.chance.choices((self._history, self._taste, self._adding), (10, 20, 50))[0]
            found += kind()
        return found[:count]

    def _history(self) -> Iterator[Said]:
        """A single slot: values in turn, one with a stated end inside another's interval."""
        own = self.chance.random() < 0.6
        topic = self._topic(self.chance.choice(OWN_PREDICATES if own else OTHER_PREDICATES), own)
        slot = self._slot(topic, topic.predicate)
        if slot is None:
            return
        starts = sorted(self._day() for _ in range(self.chance.randint(1, 5)))
        ends = [*starts[1:], None]
        for start, end in zip(starts, ends, strict=True):
            yield self._said(topic, start, end, "superseded", slot=slot)
        if self.chance.random() < 0.3:
            start = starts[-1] + timedelta(days=self.chance.randint(5, 60))
            end = start + timedelta(days=self.chance.randint(5, 60))
            yield self._said(topic, start, end, "stated", slot=slot)

    def _taste(self) -> Iterator[Said]:
        topic = self._topic(self.chance.choice(("likes", "dislikes")), self.chance.random() < 0.8)
        value = self._value()
        slot = self._slot(topic, f"dislikes/likes {value}")
        yield self._said(topic, self._day(), slot=slot, value=value)

    def _adding(self) -> Iterator[Said]:
        topic = self._topic(self.chance.choice(ADDING), self.chance.random() < 0.6)
        start, end = self._day(), None
        if self.chance.random() < 0.125:
            end = start + timedelta(days=self.chance.randint(1, 300))
        yield self._said(topic, start, end, "forgotten")

    def _topic(self, predicate: str, own: bool) -> _Topic:
        subject = self.user_id if own else self.chance.choice(SUBJECTS)
        return _Topic(self.chance.choice(AGENTS), subject, predicate)

    def _said(
        self,
        topic: _Topic,
        start: datetime,
        end: datetime | None = None,
        reason: str = "",
        *,
        slot: uuid.UUID | None = None,
        value: str | None = None,
    ) -> Said:
        """A row that was told up to a month after it began; `reason` counts where it has an end."""
        told = start + timedelta(hours=self.chance.randint(0, 30 * 24))
        return Said(
            id=dated_id(told, self.chance),
            user_id=self.user_id,
            agent_id=topic.agent_id,
            subject=topic.subject,
            subject_type="self" if topic.subject == self.user_id else "person",
            predicate=topic.predicate,
            object=value or self._value(),
            slot=slot,
            valid_from=start,
            invalid_at=end,
            closed_reason=reason if end else None,
            created_at=told,
        )

    def _slot(self, topic: _Topic, what: str) -> uuid.UUID | None:
        """The slot's identity; None when it is taken."""
        parts = repr((self.user_id, topic.agent_id, topic.subject, what)).encode()
        slot = uuid.UUID(bytes=hashlib.blake2b(parts, digest_size=16).digest())
        if slot in self._slots:
            return None
        self._slots.add(slot)
        return slot

    def _value(self) -> str:
        self._number += 1
        return f"{self.chance.choice(WORDS)} {self._number}"

    def _day(self) -> datetime:
        return BEGAN + timedelta(minutes=self.chance.randrange(DAYS * 24 * 60))


def dated_id(moment: datetime, chance: random.Random) -> uuid.UUID:
    """A UUIDv7 of a moment."""
    noise = chance.getrandbits(62)
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80 | 0x7 << 76 | 0b10 << 62 | noise)
