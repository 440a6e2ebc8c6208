"""How fast the worker turns stored texts into facts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

from benchmarks.calls import Effort
from benchmarks.installation import Installation, Project
from benchmarks.processes import own_meter, tree_meter
from benchmarks.result import Result
from benchmarks.texts import Writer
from facts.extraction import engine
from korely.embedding import embedder

SIZE = 1_000  # memories in the project before
USERS = 8
DEADLINE = 180.0


def extraction(installation: Installation, effort: Effort) -> Iterator[Result]:
    """Memories a second through the real worker, against engine and model alone in this process.

    The memories are stored while the worker is stopped. The clock starts when it has finished the
    first of them, so that its start is left out.
    """
    project = installation.project(SIZE)
    writer = Writer(3)
    texts = [writer.memory() for _ in range(effort.requests)]
    since = datetime.now(UTC)
    installation.stack.hold("worker")
    for number, text in enumerate(texts):
        body = {"content": text, "user_id": f"talker-{number % USERS}"}
        project.http.post("/v1/memories", json=body).raise_for_status()
    installation.stack.release("worker")
    before = _waiting(installation, project)
    while (at_start := _waiting(installation, project)) == before:
        _pause()
    meters = {
        "worker": tree_meter(installation.pid("worker")),
        "database": tree_meter(installation.pid("postgres")),
    }
    began, used = time.perf_counter(), {who: read() for who, read in meters.items()}
    while _waiting(installation, project):
        if time.perf_counter() - began > DEADLINE:
            raise TimeoutError(f"extraction has not ended after {DEADLINE:.0f} s")
        _pause()
    seconds = time.perf_counter() - began
    parts = {
        f"cpu_{who}_ms": 1000 * (read() - used[who]) / at_start for who, read in meters.items()
    }
    cpu = sum(parts.values())
    least_seconds, least_cpu, facts = _floor(texts)
    yield Result(
        "extraction",
        {"memories": len(texts), "end_users": USERS, "worker_processes": 1},
        {
            "drained_per_s": round(at_start / seconds, 1),
            "cpu_ms": round(cpu, 2),
            **{name: round(value, 2) for name, value in parts.items()},
            "facts_per_memory": round(_facts(installation, project, since) / len(texts), 2),
        },
        {
            "drained_per_s": round(len(texts) / least_seconds, 1),
            "cpu_ms": round(1000 * least_cpu / len(texts), 2),
            "facts_per_memory": round(facts / len(texts), 2),
        },
        round(cpu / (1000 * least_cpu / len(texts)), 2),
    )


def _floor(texts: list[str]) -> tuple[float, float, int]:
    """Seconds, CPU seconds and facts of reading all texts and embedding what they say."""
    moment = datetime.now(UTC)
    model, reader, found = embedder(), engine(), 0
    reader.extract(texts[0], user_id="talker", names=(), timestamp=moment)
    began, used = time.perf_counter(), own_meter()
    for text in texts:
        facts = reader.extract(text, user_id="talker", names=(), timestamp=moment)
        if facts:
            model.embed([f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts])
        found += len(facts)
    return time.perf_counter() - began, own_meter() - used, found


def _waiting(installation: Installation, project: Project) -> int:
    row = installation.owner.execute(
        "SELECT count(*) FROM work_work WHERE project_id = %s", [project.id]
    ).fetchone()
    assert row is not None
    return int(row[0])


def _facts(installation: Installation, project: Project, since: datetime) -> int:
    with installation.application(project.id) as connection:
        row = connection.execute(
            "SELECT count(*) FROM facts_factsource WHERE created_at > %s", [since]
        ).fetchone()
        assert row is not None
        return int(row[0])


def _pause() -> None:
    time.sleep(0.02)
