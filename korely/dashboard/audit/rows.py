"""Events as the pages show them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.urls import NoReverseMatch, reverse

from accounts.actors import Actors
from billing.selectors import AuditEntry, AuditMark
from korely.dashboard.audit.words import ACTORS, action_in_words, labels_of
from korely.kernel import ids
from memories.selectors.present import which_are_there

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_PAGES = {ids.MEMORY: "memory", ids.FACT: "fact"}  # the routes that show what an event is about


@dataclass(frozen=True, slots=True)
class Thing:
    """What an event names by an id; `href` where there is something to look at."""

    id: str
    href: str | None

    @property
    def short(self) -> str:
        """Enough to tell it from its neighbours; ids of one time begin alike."""
        kind, _, rest = self.id.partition("_")
        return f"{kind}_…{rest[-8:]}" if len(rest) > 12 else self.id


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in words. `by`: the key's name or the person's address, and its masked spelling."""

    entry: AuditEntry
    href: str
    action: str
    actor: str
    by: str
    detail: str
    target: Thing | None
    labels: list[tuple[str, str]]

    @property
    def person(self) -> str | None:
        found: str | None = self.entry.event.meta.get("person")
        return found


def micros_of(moment: datetime) -> int:
    """Microseconds since 1970: an event's `ts` as its address spells it."""
    return (moment - _EPOCH) // _MICROSECOND


def mark_of(micros: int, event_id: uuid.UUID) -> AuditMark | None:
    """None for an instant that there is not."""
    try:
        return AuditMark(_EPOCH + micros * _MICROSECOND, event_id)
    except OverflowError:
        return None


def things_of(project_id: uuid.UUID, named: Iterable[str]) -> dict[str, Thing]:
    """What ids of memories and facts lead to, in the project's scope; other ids lead nowhere."""
    found = {text: _parsed(text) for text in named}
    by_kind = {
        kind: [row for of, row in found.values() if of == kind and row is not None]
        for kind in _PAGES
    }
    there = which_are_there(memories=by_kind[ids.MEMORY], facts=by_kind[ids.FACT])
    return {
        text: Thing(text, _href(project_id, kind, text) if row in there else None)
        for text, (kind, row) in found.items()
    }


def row_of(
    project_id: uuid.UUID, entry: AuditEntry, actors: Actors, things: dict[str, Thing]
) -> EventRow:
    event = entry.event
    by, detail = _who(entry, actors)
    return EventRow(
        entry=entry,
        href=reverse("audit-event", args=[project_id, micros_of(event.ts), event.id]),
        action=action_in_words(event.action),
        actor=ACTORS.get(event.actor, event.actor),
        by=by,
        detail=detail,
        target=things.get(event.target_id) if event.target_id else None,
        labels=labels_of(event.meta),
    )


def _who(entry: AuditEntry, actors: Actors) -> tuple[str, str]:
    if entry.key_id is not None:
        key = actors.keys.get(entry.key_id)
        gone = "a key that is gone", ids.wire(ids.KEY, entry.key_id)
        return (key.name, key.masked) if key is not None else gone
    person = entry.event.meta.get("person")
    if person is None:
        return "", ""
    try:
        address = actors.people.get(uuid.UUID(str(person)))
    except ValueError:
        address = None
    return address or "someone outside the team", ""


def _parsed(text: str) -> tuple[str, uuid.UUID | None]:
    kind = text.partition("_")[0]
    return kind, ids.parse(kind, text) if kind in _PAGES else None


def _href(project_id: uuid.UUID, kind: str, text: str) -> str | None:
    try:
        return reverse(_PAGES[kind], args=[project_id, text])
    except NoReverseMatch:
        return None
