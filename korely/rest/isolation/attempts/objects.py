"""Ids of somebody else, in paths and in what is sent: as unknown as an id that nothing has."""

from __future__ import annotations

from functools import partial

from korely.rest.isolation.evidence import (
    at,
    at_nothing,
    difference,
    require_kinds,
    unchanged,
)
from korely.rest.isolation.ground import (
    ACCOUNT_WIDE,
    PREFIXES,
    Ground,
    Site,
    id_of_nothing,
)
from korely.rest.isolation.report import NotTried, Report
from korely.rest.isolation.samples import parts
from korely.rest.isolation.surface import Call, calls

PART = "ids"


def attempt(ground: Ground, report: Report) -> None:
    """Every call that names an object, by keys of another project and of another account."""
    for call in calls():
        for who, attacker in _strangers(ground, call) if call.segments else ():
            told = f"{call} by {who}"
            report.try_out(PART, told, partial(_path, ground, call, attacker))
        for name in parts(call.shape):
            kind = name.removesuffix("_id")
            if kind in PREFIXES and kind != name:
                told = f"{call} with a {name} of another account"
                report.try_out(PART, told, partial(_field, ground, call, name, kind))


def _strangers(ground: Ground, call: Call) -> list[tuple[str, Site]]:
    found = [("a key of another account", ground.foreign)]
    if not set(call.kinds) & set(ACCOUNT_WIDE):
        found.append(("a key of another project", ground.sibling))
    return found


def _path(ground: Ground, call: Call, attacker: Site) -> str | None:
    require_kinds(call, ground.one.objects)
    target, nothing = at(call, ground.one.objects), at_nothing(call)

    def go() -> str | None:
        answer, problem = difference(attacker.client, call, target, nothing)
        if problem is None and answer.status != 404 and set(call.kinds) != {"user"}:
            raise NotTried(f"the server answers {answer.status}, whatever the id")
        return problem

    others = [site for site in (ground.home, ground.sibling) if site is not attacker]
    return unchanged(others, go)


def _field(ground: Ground, call: Call, name: str, kind: str) -> str | None:
    """The path names what is the attacker's own, the field what is not."""
    require_kinds(call, ground.stranger.objects)
    target = at(call, ground.stranger.objects, **{name: ground.one.objects[kind]})
    nothing = at(call, ground.stranger.objects, **{name: id_of_nothing(kind)})

    def go() -> str | None:
        answer, problem = difference(ground.foreign.client, call, target, nothing)
        if problem is None and answer.status != 404:
            raise NotTried(f"the server answers {answer.status}, whatever the id")
        return problem

    return unchanged([ground.home, ground.sibling], go)
