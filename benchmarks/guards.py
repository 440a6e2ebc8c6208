"""What stands before and beside every answer: key check, rate limits, quota, audit.

One view in this process, as it is and with the four taken out, in turns. Its plan limits
everything, so that each of them has to count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

from benchmarks.calls import Effort
from benchmarks.crowd import ACCOUNTS, KEYS_OF_EACH
from benchmarks.installation import Installation
from benchmarks.pace import Side, compare
from benchmarks.processes import own_meter, tree_meter
from benchmarks.result import Result

ADDED_BAR_MS = 3.0  # CPU a request, of all processes
MEMORIES = 50
CALLS_IN_TURN = 40
PLENTY = 1_000_000_000


def guards(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`GET /v1/memories/{id}` with and without its guards, alone and among many accounts."""
    view, key, ids = _target()
    if not installation.crowded:
        yield _measured(installation, effort, view, key, ids, accounts=1)
    installation.crowd()
    yield _measured(installation, effort, view, key, ids, accounts=ACCOUNTS)


def _target() -> tuple[Callable[..., Any], str, list[str]]:
    """The view, a key whose plan limits everything, and the memories it reads."""
    from accounts import authentication, services
    from billing.models import Plan
    from korely.rest.memories import Memory
    from memories.services import add_memory

    plan = Plan.objects.create(
        slug="limits-everything",
        writes_per_month=PLENTY,
        queries_per_month=PLENTY,
        agents=PLENTY // 10,
        per_minute=PLENTY,
        per_hour=PLENTY,
        per_day=PLENTY,
    )
    organisation, project = services.create_organisation(name="Guarded", plan=plan.slug)
    key = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="guarded"
    ).key
    caller = authentication.authenticate(f"Bearer {key}")
    ids = [
        add_memory(caller=caller, content=f"Note number {number} about plants.").id.hex
        for number in range(MEMORIES)
    ]
    return Memory.as_view(), key, ids


def _measured(
    installation: Installation,
    effort: Effort,
    view: Callable[..., Any],
    key: str,
    ids: list[str],
    *,
    accounts: int,
) -> Result:
    meters = {
        "process": own_meter,
        "database": tree_meter(installation.pid("postgres")),
        "cache": tree_meter(installation.pid("valkey")),
    }
    cases = [ids[number % len(ids)] for number in range(8 * effort.requests)]
    read = _reader(view, key)
    bare = _without_guards(read, key)
    for id_ in 2 * ids:  # both sides warm: every statement prepared, every plan chosen
        read(id_)
        bare(id_)
    # Short turns: the machine's own speed drifts by more than what is measured.
    rounds = len(cases) // CALLS_IN_TURN
    made, least = compare(Side(read, meters), Side(bare, meters), cases, rounds=rounds)
    figures, floor = made.figures(), least.figures()
    figures["added_cpu_ms"] = round(figures["cpu_ms"] - floor["cpu_ms"], 2)
    return Result(
        "guards",
        {"accounts": accounts, "keys": accounts * KEYS_OF_EACH, "requests": len(cases)},
        figures,
        floor,
        round(figures["cpu_ms"] / floor["cpu_ms"], 2),
        {"added_cpu_ms": ADDED_BAR_MS},
    )


def _reader(view: Callable[..., Any], key: str) -> Callable[[str], None]:
    from django.test import RequestFactory

    factory = RequestFactory(headers={"Authorization": f"Bearer {key}"})

    def read(id_: str) -> None:
        request = factory.get(f"/v1/memories/mem_{id_}")
        response = view(request, memory_id=f"mem_{id_}")
        assert response.status_code == 200, response.content

    return read


def _without_guards(read: Callable[[str], None], key: str) -> Callable[[str], None]:
    """The same read while the four do nothing; taking them out and back costs a few µs."""
    from accounts import authentication
    from billing import services as billing
    from korely.http import guard, rate_limits

    caller = authentication.authenticate(f"Bearer {key}")
    swaps: list[tuple[Any, str, Any]] = [
        (guard, "authenticate", lambda request: caller),
        (rate_limits, "count", lambda caller: None),
        (billing, "spending", lambda caller, kind, spent=None: nullcontext()),
        (billing, "record", lambda *args, **kwargs: ""),
    ]
    kept = [getattr(module, name) for module, name, _ in swaps]

    def bare(id_: str) -> None:
        for module, name, nothing in swaps:
            setattr(module, name, nothing)
        try:
            read(id_)
        finally:
            for (module, name, _), real in zip(swaps, kept, strict=True):
                setattr(module, name, real)

    return bare
