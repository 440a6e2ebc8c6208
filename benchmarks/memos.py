"""The MemOS dialect beside REST: the same questions over the same memories."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.calls import BAR_SIZE, Effort
from benchmarks.installation import Installation
from benchmarks.pace import Side, compare
from benchmarks.result import Result
from benchmarks.texts import Writer

SEARCH_BAR = 2.0  # times the 95th percentile of `POST /v1/memories/search`
ROUNDS = 10  # turns: both meet the same machine


def memos(installation: Installation, effort: Effort) -> Iterator[Result]:
    """`search/memory` against `/v1/memories/search`, all memories of one end user.

    REST compares meanings; the dialect weighs words too, and adds facts and preferences.
    """
    project = installation.project(BAR_SIZE, users=1)
    (user,) = project.loaded.users
    writer = Writer(11)

    def ask(path: str, question: str) -> None:
        body = {"user_id": user, "query": question}
        project.http.post(path, json=body).raise_for_status()

    made, least = compare(
        Side(lambda question: ask("/api/openmem/v1/search/memory", question), {}),
        Side(lambda question: ask("/v1/memories/search", question), {}),
        [writer.question() for _ in range(effort.requests)],
        rounds=ROUNDS,
    )
    figures, floor = made.figures(), least.figures()
    yield Result(
        "memos_search",
        {"memories": BAR_SIZE, "end_users": 1},
        figures,
        floor,
        round(figures["p95_ms"] / floor["p95_ms"], 2),
        {"ratio": SEARCH_BAR},
    )
