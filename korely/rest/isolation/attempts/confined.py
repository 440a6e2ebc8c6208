"""Keys confined to some end users: others are out of reach, by name and by id."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from korely.kernel.caller import READ, WRITE
from korely.rest.isolation.evidence import (
    Aim,
    at,
    at_nothing,
    difference,
    require_kinds,
    send,
    unchanged,
)
from korely.rest.isolation.ground import NAMED, Ground, Owner
from korely.rest.isolation.report import NotTried, Report
from korely.rest.isolation.samples import naming
from korely.rest.isolation.surface import Call, calls
from korely.rest.isolation.wire import Client

PART = "confined"
KEYS = {"exact": "a key confined to another", "prefix": "a key confined to a prefix"}


def attempt(ground: Ground, report: Report) -> None:
    """Every call such a key has the scope for."""
    for call in calls():
        if call.wanted.scope not in (READ, WRITE):
            continue
        if call.wanted.lines:
            continue  # a line out of reach fails by itself, and the others are taken
        for name, told in KEYS.items():
            key = ground.keys[name]
            for what, run in _attempts(ground, call, key):
                report.try_out(PART, f"{call} {what} by {told}", partial(_untouched, ground, run))


def _attempts(ground: Ground, call: Call, key: Client) -> Iterator[tuple[str, partial[str | None]]]:
    if call.segments:
        yield "of another end user", partial(_object, call, key, ground.two)
        if not set(call.kinds) & set(NAMED):
            yield "of no end user", partial(_object, call, key, ground.nobody)
        return
    other = naming(call, str(ground.two.user))
    if other is not None:
        yield "naming another end user", partial(_refused, call, key, Aim({}, other))
    if call.wanted.scope == WRITE:
        none = naming(call, None)
        aim = at(call, {}) if none is None else Aim({}, none)
        yield "naming no end user", partial(_refused, call, key, aim)


def _object(call: Call, key: Client, owner: Owner) -> str | None:
    """An object is as unknown as one that nothing has; a name in the path is refused."""
    require_kinds(call, owner.objects)
    target = at(call, owner.objects)
    if set(call.kinds) & set(NAMED):
        return _refused(call, key, target)
    answer, problem = difference(key, call, target, at_nothing(call))
    if problem is None and answer.status != 404:
        raise NotTried(f"the server answers {answer.status}, whatever the id")
    return problem


def _refused(call: Call, key: Client, aim: Aim) -> str | None:
    answer = send(key, call, aim.objects, aim.values)
    return None if answer.status == 403 else f"{answer.status} instead of 403"


def _untouched(ground: Ground, run: partial[str | None]) -> str | None:
    return unchanged([ground.home], run, audit=False)
