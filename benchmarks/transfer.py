"""Import, batch and export: how near to the model they store, and how much memory they take."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import httpx

from benchmarks.calls import Effort
from benchmarks.facts.loading import load_facts
from benchmarks.installation import Installation, client
from benchmarks.processes import Meter, own_meter, tree_meter
from benchmarks.result import Result
from benchmarks.texts import Writer
from benchmarks.watch import Watch
from korely.embedding import embedder

TEXTS = 10_000  # imported; a fifth of them in a quick run
BATCH = 500  # memories of one batch, and batches in all
BATCHES = 4
EXPORTED_FACTS = 66_000  # with their memories some 100,000 lines
WARM = 1_000  # texts stored before anything is measured: memory has settled then
LONG_EVERY = 50  # one text in so many has many windows
SLOWER_BAR = 1.43  # times the bare model's time: 70 % of its throughput
GROWTH_BAR_MB = 32.0  # of the web process while it works, over what it had before
DEADLINE = 180.0

_HEADER = {"type": "header", "format": "korely-export", "version": 1}
_MOMENT = "2026-01-10T00:00:00+00:00"


def transfer(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`POST /v1/import` and `/v1/batch` against the bare model, `GET /v1/export` by itself.

    The floor embeds the same texts in this process, a block in one call, with as many threads as
    the server's. Blocks are in turns; a first one, of each, is not counted.
    """
    quick = effort.rounds < 5
    texts = _texts(TEXTS // 5 if quick else TEXTS, seed=21)
    yield _import(installation, _blocks(texts, effort.rounds))
    texts = _texts(BATCH * (2 if quick else BATCHES), seed=22)
    yield _batch(installation, _blocks(texts, len(texts) // BATCH))
    yield _export(installation, EXPORTED_FACTS // 10 if quick else EXPORTED_FACTS)


@dataclass(slots=True)
class Pace:
    """Seconds and CPU seconds of a side's blocks."""

    texts: int = 0
    seconds: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)

    def run(self, count: int, work: Callable[[], object], meters: Mapping[str, Meter]) -> None:
        used = {who: read() for who, read in meters.items()}
        began = time.perf_counter()
        work()
        self.seconds += time.perf_counter() - began
        self.texts += count
        for who, read in meters.items():
            self.cpu[who] = self.cpu.get(who, 0.0) + read() - used[who]

    @property
    def cpu_ms(self) -> float:
        return 1000 * sum(self.cpu.values()) / self.texts

    def figures(self) -> dict[str, float]:
        parts = {f"cpu_{who}_ms": 1000 * used / self.texts for who, used in self.cpu.items()}
        found = {"memories_per_s": self.texts / self.seconds, "cpu_ms": self.cpu_ms, **parts}
        return {name: round(value, 2) for name, value in found.items()}


def _import(installation: Installation, blocks: Sequence[Sequence[str]]) -> Result:
    with _project(installation, "imported") as http:

        def send(texts: Sequence[str]) -> None:
            headers = {"Content-Type": "application/x-ndjson"}
            answer = http.post("/v1/import", content=_lines(texts), headers=headers)
            done = answer.raise_for_status().json()
            if done["memories_imported"] != len(texts):
                raise RuntimeError(f"{done['memories_imported']} of {len(texts)} were imported")

        return _compared(installation, "import", blocks, send, embeds="web")


def _batch(installation: Installation, blocks: Sequence[Sequence[str]]) -> Result:
    project = installation.create("batches")
    unfinished = "SELECT 1 FROM memories_batch WHERE status <> 'completed' LIMIT 1"

    def send(texts: Sequence[str]) -> None:
        items = [{"content": text, "user_id": _user(n)} for n, text in enumerate(texts)]
        http.post("/v1/batch", json={"memories": items}).raise_for_status()
        deadline = time.monotonic() + DEADLINE
        while rows.execute(unfinished).fetchone():  # cheaper than a request
            if time.monotonic() > deadline:
                raise TimeoutError(f"the batch has not ended after {DEADLINE:.0f} s")
            time.sleep(0.02)

    def rest() -> None:
        """No worker takes CPU for what was stored before."""
        statement = "DELETE FROM work_work WHERE project_id = %s"
        while installation.owner.execute(statement, [project]).rowcount:
            time.sleep(0.5)

    with (
        _client(installation, "batches", project) as http,
        installation.application(project) as rows,
    ):
        return _compared(installation, "batch", blocks, send, embeds="worker", rest=rest)


def _export(installation: Installation, count: int) -> Result:
    project = installation.create("exported")
    load_facts(installation.owner, project, count)
    lines = size = 0
    with (
        _client(installation, "exported", project) as http,
        Watch(installation.pid("web")) as watch,
    ):
        used = tree_meter(installation.pid("web"))
        began, before = time.perf_counter(), used()
        with http.stream("GET", "/v1/export") as answer:
            answer.raise_for_status()
            for piece in answer.iter_bytes():
                lines += piece.count(b"\n")
                size += len(piece)
        seconds, cpu = time.perf_counter() - began, used() - before
    return Result(
        "export",
        {"facts": count, "lines": lines, "mb": round(size / 1e6, 1)},
        {
            "lines_per_s": round(lines / seconds),
            "cpu_web_us_per_line": round(1e6 * cpu / lines, 1),
            **watch.figures(),
        },
        bar={"rss_growth_mb": GROWTH_BAR_MB},
    )


def _compared(
    installation: Installation,
    name: str,
    blocks: Sequence[Sequence[str]],
    send: Callable[[Sequence[str]], None],
    *,
    embeds: str,
    rest: Callable[[], None] = lambda: None,
) -> Result:
    """Blocks through the product and through the bare model, by turns."""
    model, made, least = embedder(), Pace(), Pace()
    meters = {who: tree_meter(installation.pid(who)) for who in {"web", embeds}}
    meters["database"] = tree_meter(installation.pid("postgres"))
    warm = _texts(WARM, seed=23)
    model.embed_parts(warm)
    for block in _blocks(warm, WARM // BATCH):
        send(block)
    with Watch(installation.pid(embeds)) as watch:
        for block in blocks:
            rest()
            least.run(len(block), partial(model.embed_parts, block), {"model": own_meter})
            made.run(len(block), partial(send, block), meters)
        rest()
    bottom = {
        "memories_per_s": round(least.texts / least.seconds, 2),
        "cpu_ms": round(least.cpu_ms, 2),
    }
    slower = (made.seconds / made.texts) / (least.seconds / least.texts)
    return Result(
        name,
        {"memories": made.texts, "blocks": len(blocks)},
        {
            **made.figures(),
            "times_the_floor": round(slower, 2),
            "of_the_floor_percent": round(100 / slower, 1),
            **watch.figures(),
        },
        bottom,
        round(made.cpu_ms / least.cpu_ms, 2),
        {"times_the_floor": SLOWER_BAR, "rss_growth_mb": GROWTH_BAR_MB},
    )


def _texts(count: int, seed: int) -> list[str]:
    """Texts of mixed lengths, no two the same: equal ones would be embedded once."""
    writer, found = Writer(seed), dict[str, None]()
    while len(found) < count:
        sentences = 12 if len(found) % LONG_EVERY == 0 else 1
        found[" ".join(writer.memory() for _ in range(sentences))] = None
    return list(found)


def _blocks(texts: Sequence[str], count: int) -> list[Sequence[str]]:
    size = -(-len(texts) // count)
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def _lines(texts: Sequence[str]) -> bytes:
    rows = [
        {
            "type": "memory",
            "id": f"mem_{uuid.uuid4().hex}",
            "content": text,
            "user_id": _user(number),
            "metadata": {"rank": number % 10},
            "created_at": _MOMENT,
        }
        for number, text in enumerate(texts)
    ]
    return "".join(json.dumps(row) + "\n" for row in [_HEADER, *rows]).encode()


def _user(number: int) -> str:
    return f"user-{number % 50:02}"


def _project(installation: Installation, name: str) -> httpx.Client:
    return _client(installation, name, installation.create(name))


def _client(installation: Installation, name: str, project: uuid.UUID) -> httpx.Client:
    made = installation.boot.post(
        "/admin/keys", json={"name": name, "project_id": f"prj_{project.hex}"}
    )
    http = client(installation.stack, made.raise_for_status().json()["key"])
    http.timeout = httpx.Timeout(DEADLINE)
    return http
