"""Keys without the scope that a call needs: refused, and nothing changes."""

from __future__ import annotations

from functools import partial

from korely.kernel.caller import ADMIN, READ, WRITE
from korely.rest.isolation.evidence import at, require_kinds, send, unchanged
from korely.rest.isolation.ground import Ground
from korely.rest.isolation.report import Report
from korely.rest.isolation.surface import Call, calls

PART = "scopes"
LACKING = {
    "read": ("a read-only key", (WRITE, ADMIN)),
    "write": ("a write-only key", (READ, ADMIN)),
    "exact": ("a confined key", (ADMIN,)),
}


def attempt(ground: Ground, report: Report) -> None:
    """Every call whose scope a key lacks, on objects of the key's own project."""
    for name, (told, lacking) in LACKING.items():
        for call in calls():
            if call.wanted.scope in lacking:
                report.try_out(PART, f"{call} by {told}", partial(_refused, ground, call, name))


def _refused(ground: Ground, call: Call, name: str) -> str | None:
    require_kinds(call, ground.one.objects)
    aim = at(call, ground.one.objects)

    def go() -> str | None:
        answer = send(ground.keys[name], call, aim.objects, aim.values)
        return None if answer.status == 403 else f"{answer.status} instead of 403"

    return unchanged([ground.home, ground.sibling], go, audit=False)
