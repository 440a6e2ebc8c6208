"""Reads of facts on both clocks and direct writes, each over HTTP and against its floor."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import httpx

from benchmarks.calls import Effort
from benchmarks.facts import floors
from benchmarks.facts.loading import KNOWN, Crowd, load_facts
from benchmarks.facts.people import ADDING, BEGAN, DAYS, OWN_PREDICATES, WORDS
from benchmarks.floors import Call
from benchmarks.installation import Installation, client
from benchmarks.pace import Side, compare
from benchmarks.processes import own_meter, tree_meter
from benchmarks.result import Result

FACTS = 100_000
BAR = 3.0  # times the floor, 95th percentile


def facts(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`GET /v1/facts` and `/v1/profile` at instants of the past, and `POST /v1/facts`."""
    project = installation.create("facts")
    crowd = load_facts(installation.owner, project, FACTS)
    made = installation.boot.post(
        "/admin/keys", json={"name": "facts", "project_id": f"prj_{project.hex}"}
    )
    known, other = crowd.users[0], crowd.users[len(crowd.users) // 2]
    parameters = {"facts": crowd.rows, "end_users": len(crowd.users)}
    instants = _instants(effort.requests)
    key = made.raise_for_status().json()["key"]
    with (
        client(installation.stack, key) as http,
        installation.application(project) as connection,
    ):
        run = partial(_compared, installation, effort, connection.info.backend_pid)
        yield run(
            name="facts_as_of",
            parameters=parameters,
            request=lambda at: http.get("/v1/facts", params={"as_of": at}),
            floor=floors.as_of(connection, project),
            cases=instants,
            bar={"p95_to_floor": BAR},
        )
        yield run(
            name="facts_as_of_one_user",
            parameters=parameters,
            request=lambda at: http.get("/v1/facts", params={"as_of": at, "user_id": other}),
            floor=floors.as_of(connection, project, other),
            cases=instants,
        )
        yield run(
            name="profile",
            parameters={**parameters, "facts_of_the_user": KNOWN},
            request=lambda at: http.get("/v1/profile", params={"as_of": at, "user_id": known}),
            floor=floors.profile(connection, project, known),
            cases=instants,
            bar={"p95_to_floor": BAR},
        )
        yield run(
            name="fact_write",
            parameters=parameters,
            request=lambda body: http.post("/v1/facts", json=body),
            floor=floors.write(connection, project),
            cases=_triples(crowd, effort.requests),
            bar={"p95_to_floor": BAR},
        )


def _instants(count: int) -> list[str]:
    chance = random.Random(5)
    days = (chance.uniform(0.1, 1) * DAYS for _ in range(count))
    return [(BEGAN + timedelta(days=day)).isoformat() for day in days]


def _triples(crowd: Crowd, count: int) -> list[dict[str, str]]:
    """Statements of many end users about themselves: half in single slots, half that add up."""
    chance = random.Random(6)
    triples = []
    for number in range(count):
        user = chance.choice(crowd.users)
        predicate = chance.choice(OWN_PREDICATES if number % 2 else ADDING)
        value = f"{chance.choice(WORDS)} {chance.randrange(10_000)}"
        triples.append({"subject": user, "predicate": predicate, "object": value, "user_id": user})
    return triples


def _compared(
    installation: Installation,
    effort: Effort,
    backend: int,
    *,
    name: str,
    parameters: dict[str, Any],
    request: Callable[[Any], httpx.Response],
    floor: Call | Callable[[Any], object],
    cases: list[Any],
    bar: dict[str, float] | None = None,
) -> Result:
    made, least = compare(
        Side(
            lambda case: request(case).raise_for_status(),
            {
                "web": tree_meter(installation.pid("web")),
                "database": tree_meter(installation.pid("postgres")),
            },
        ),
        Side(floor, {"process": own_meter, "database": tree_meter(backend)}),
        cases,
        rounds=effort.rounds,
    )
    figures, bottom = made.figures(), least.figures()
    figures["p95_to_floor"] = round(figures["p95_ms"] / bottom["p95_ms"], 2)
    return Result(
        name,
        {**parameters, "requests": len(cases)},
        figures,
        bottom,
        round(figures["cpu_ms"] / bottom["cpu_ms"], 2),
        bar or {},
    )
