"""What a request costs: each call over HTTP, one at a time, against its floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx

from benchmarks import floors
from benchmarks.installation import OTHERS, OTHERS_SIZE, Installation, Project
from benchmarks.pace import Side, compare
from benchmarks.processes import own_meter, tree_meter
from benchmarks.result import Result
from benchmarks.texts import Writer

SEARCH_BAR = 4.0  # times the floor's CPU, at the size below
BAR_SIZE = 10_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure."""

    rounds: int
    requests: int
    sizes: tuple[int, ...]


def search(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`POST /v1/memories/search` at each size, and narrowed to one end user at the bar's."""
    for size in effort.sizes:
        project = installation.project(size)
        bar = {"ratio": SEARCH_BAR} if size == BAR_SIZE else {}
        yield _compared(
            installation,
            effort,
            project,
            name="search",
            request=lambda q, p=project: p.http.post("/v1/memories/search", json={"query": q}),
            floor=lambda c, p=project: floors.search(c, p.id),
            cases=_questions(effort, size),
            bar=bar,
        )
    project = installation.project(BAR_SIZE)
    user = project.loaded.users[0]
    yield _compared(
        installation,
        effort,
        project,
        name="search_one_user",
        request=lambda q: project.http.post(
            "/v1/memories/search", json={"query": q, "user_id": user}
        ),
        floor=lambda c: floors.search(c, project.id, user),
        cases=_questions(effort, 7),
    )


def context(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`GET /v1/context` over a whole project: facts and memories, meaning and words."""
    for size in effort.sizes[:2]:
        project = installation.project(size)
        yield _compared(
            installation,
            effort,
            project,
            name="context",
            request=lambda q, p=project: p.http.get("/v1/context", params={"query": q}),
            floor=lambda c, p=project: floors.context(c, p.id),
            cases=_questions(effort, size),
        )


def add(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`POST /v1/memories`, while no worker takes CPU for what was added before."""
    project = installation.project(BAR_SIZE)
    writer = Writer(11)
    installation.stack.hold("worker")
    try:
        yield _compared(
            installation,
            effort,
            project,
            name="add",
            request=lambda text: project.http.post(
                "/v1/memories", json={"content": text, "user_id": "user-00"}
            ),
            floor=lambda c: floors.add(c, project.id),
            cases=[writer.memory() for _ in range(effort.requests)],
        )
        installation.owner.execute("DELETE FROM work_work WHERE project_id = %s", [project.id])
    finally:
        installation.stack.release("worker")


def reads(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`GET /v1/memories`, `/v1/memories/{id}` and `/v1/facts`."""
    project = installation.project(BAR_SIZE)
    ids = [id_.hex for id_ in project.loaded.ids[: effort.requests]]
    users = [project.loaded.users[n % len(project.loaded.users)] for n in range(effort.requests)]
    yield _compared(
        installation,
        effort,
        project,
        name="list",
        request=lambda _: project.http.get("/v1/memories"),
        floor=lambda c: floors.listing(c, project.id),
        cases=ids,
    )
    yield _compared(
        installation,
        effort,
        project,
        name="get",
        request=lambda id_: project.http.get(f"/v1/memories/mem_{id_}"),
        floor=lambda c: floors.get(c, project.id),
        cases=ids,
    )
    yield _compared(
        installation,
        effort,
        project,
        name="facts",
        request=lambda user: project.http.get("/v1/facts", params={"user_id": user}),
        floor=lambda c: floors.facts(c, project.id),
        cases=users,
    )


def _questions(effort: Effort, seed: int) -> list[str]:
    writer = Writer(seed + 1)
    return [writer.question() for _ in range(effort.requests)]


def _compared(
    installation: Installation,
    effort: Effort,
    project: Project,
    *,
    name: str,
    request: Callable[[str], httpx.Response],
    floor: Callable[..., floors.Call],
    cases: list[str],
    bar: dict[str, float] | None = None,
) -> Result:
    with installation.application(project.id) as connection:
        backend = connection.info.backend_pid
        made, least = compare(
            Side(
                lambda case: request(case).raise_for_status(),
                {
                    "web": tree_meter(installation.pid("web")),
                    "database": tree_meter(installation.pid("postgres")),
                },
            ),
            Side(floor(connection), {"process": own_meter, "database": tree_meter(backend)}),
            cases,
            rounds=effort.rounds,
        )
    figures, bottom = made.figures(), least.figures()
    return Result(
        name,
        {
            "memories": project.size,
            "other_projects": OTHERS,
            "memories_of_each": OTHERS_SIZE,
            "requests": len(cases),
        },
        figures,
        bottom,
        round(figures["cpu_ms"] / bottom["cpu_ms"], 2),
        bar or {},
    )
