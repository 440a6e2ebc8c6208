"""What a request costs: each call over HTTP, one at a time, against its floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import httpx

from benchmarks import floors
from benchmarks.installation import OTHERS, OTHERS_SIZE, Installation, Project
from benchmarks.pace import Side, compare
from benchmarks.processes import own_meter, tree_meter
from benchmarks.result import Result
from benchmarks.texts import Writer

LOAD_BAR_S = 60.0
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
        seconds = round(project.load_seconds, 1)
        yield Result("load", {"memories": size}, {"load_s": seconds}, bar={"load_s": LOAD_BAR_S})
        bar = {"ratio": SEARCH_BAR} if size == BAR_SIZE else {}
        yield _compared(
            installation,
            effort,
            project,
            name="search",
            request=partial(_search, project),
            floor=partial(floors.search, project=project.id),
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
        request=partial(_search, project, user_id=user),
        floor=partial(floors.search, project=project.id, user_id=user),
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
            request=partial(_context, project),
            floor=partial(floors.context, project=project.id),
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
            floor=partial(floors.add, project=project.id),
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
        floor=partial(floors.listing, project=project.id),
        cases=ids,
    )
    yield _compared(
        installation,
        effort,
        project,
        name="get",
        request=lambda id_: project.http.get(f"/v1/memories/mem_{id_}"),
        floor=partial(floors.get, project=project.id),
        cases=ids,
    )
    yield _compared(
        installation,
        effort,
        project,
        name="facts",
        request=lambda user: project.http.get("/v1/facts", params={"user_id": user}),
        floor=partial(floors.facts, project=project.id),
        cases=users,
    )


def _search(project: Project, question: str, **narrowed: str) -> httpx.Response:
    return project.http.post("/v1/memories/search", json={"query": question, **narrowed})


def _context(project: Project, question: str) -> httpx.Response:
    return project.http.get("/v1/context", params={"query": question})


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
