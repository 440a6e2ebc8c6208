"""API keys as people look at them: found, who made them, which of them ask for something."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from django.db.models import Q, QuerySet, Value

from accounts.models import ApiKey, Person
from korely.kernel import errors
from korely.kernel.clock import now

State = Literal["live", "expiring", "unused", "expired", "revoked"]
STATES: tuple[State, ...] = get_args(State)

EXPIRES_SOON = timedelta(days=14)
UNUSED_FOR = timedelta(days=90)
NEVER_USED_FOR = timedelta(days=14)  # of a key that was never used at all

MOST_TOLD = 3  # keys of a warning that are told by name


@dataclass(frozen=True, slots=True)
class KeyFilter:
    """What a list of keys is narrowed to; an empty value narrows nothing.

    `text` is part of a name in any case, or the last four characters of a key.
    """

    text: str = ""
    project_id: uuid.UUID | None = None
    state: State | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True)
class KeyWarning:
    """Keys that one warning is about: the newest of them, and whether there are more."""

    keys: Sequence[ApiKey]
    more: bool


@dataclass(frozen=True, slots=True)
class FirstUse:
    """How far a project has come: its newest live key, and the key that called last, if any did."""

    key: ApiKey | None
    called: ApiKey | None


def first_use(*, project_id: uuid.UUID) -> FirstUse:
    """A key counts as having called once it was accepted, whatever it asked for."""
    rows = ApiKey.objects.filter(project_id=project_id)
    called = rows.filter(last_used_at__isnull=False).order_by("-last_used_at", "-id")
    live = rows.filter(_is("live", now())).order_by("-created_at", "-id")
    parts = [
        part.annotate(told=Value(name))[:1] for name, part in (("called", called), ("live", live))
    ]
    found = {row.told: row for row in parts[0].union(parts[1], all=True)}
    return FirstUse(key=found.get("live"), called=found.get("called"))


def find_keys(*, organisation_id: uuid.UUID, wanted: KeyFilter) -> QuerySet[ApiKey]:
    """An account's keys that match, in whatever state, with their projects."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id).select_related("project")
    if wanted.text:
        rows = rows.filter(Q(name__icontains=wanted.text) | Q(last_four=wanted.text.lower()))
    if wanted.project_id is not None:
        rows = rows.filter(project_id=wanted.project_id)
    if wanted.state is not None:
        rows = rows.filter(_is(wanted.state, now()))
    if wanted.scope:
        rows = rows.filter(scopes__contains=[wanted.scope])
    return rows


def get_key(*, organisation_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    """Raises 404 for an unknown key, and for one of another account alike."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id).select_related("project")
    row = rows.filter(pk=key_id).first()
    if row is None:
        raise errors.not_found("key")
    return row


def find_replaced(*, organisation_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey | None:
    """The key that was rotated to this one; None where there was none."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id, replaced_by=key_id)
    return rows.first()


def makers_of(*, organisation_id: uuid.UUID, keys: Iterable[ApiKey]) -> dict[uuid.UUID, str]:
    """Who made these keys of an account: a person's address, or the name of a key of its own.

    Who is gone has no entry.
    """
    wanted = {key.created_by for key in keys if key.created_by is not None}
    if not wanted:
        return {}
    people = Person.objects.filter(pk__in=wanted).values_list("id", "email")
    rows = ApiKey.objects.filter(organisation_id=organisation_id, pk__in=wanted)
    return dict(people.union(rows.values_list("id", "name"), all=True))


def warnings_of(*, organisation_id: uuid.UUID) -> dict[State, KeyWarning]:
    """Live keys that expire within 14 days, and live keys that nobody uses: for 90 days, or for
    14 days since they were made.

    A key that was rotated is meant to end, and is not told.
    """
    moment = now()
    rows = ApiKey.objects.filter(organisation_id=organisation_id, replaced_by=None)
    asked: tuple[State, State] = ("expiring", "unused")
    parts = [
        rows.filter(_is(state, moment))
        .order_by("-created_at", "-id")
        .annotate(told=Value(state))[: MOST_TOLD + 1]
        for state in asked
    ]
    found = list(parts[0].union(parts[1], all=True))
    warned: dict[State, KeyWarning] = {}
    for state in asked:
        keys = [row for row in found if row.told == state]
        if keys:
            warned[state] = KeyWarning(keys[:MOST_TOLD], len(keys) > MOST_TOLD)
    return warned


def _is(state: State, moment: datetime) -> Q:
    if state == "revoked":
        return Q(revoked_at__isnull=False)
    if state == "expired":
        return Q(revoked_at=None, expires_at__lte=moment)
    live = Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=moment))
    if state == "expiring":
        return live & Q(expires_at__lte=moment + EXPIRES_SOON)
    if state == "unused":
        never = Q(last_used_at=None, created_at__lte=moment - NEVER_USED_FOR)
        return live & (never | Q(last_used_at__lte=moment - UNUSED_FOR))
    return live
