"""Search is exact: what PostgreSQL really does with the product's own statement and driver."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np
import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box

MODEL = "plan-test"
DIMENSIONS = 384
SMALL, LARGE = 150, 1_500

FILTERS: dict[str, dict[str, Any]] = {
    "none": {},
    "user": {"user_id": "user-1"},
    "agent": {"agent_id": "agent-1"},
    "run": {"run_id": "run-1"},
    "number": {"metadata": {"rank": 3}},
    "words": {"metadata": {"topic": "t1", "rank": 1}},
    "sessions": {"exclude_sessions": True},
    "everything": {
        "user_id": "user-2",
        "agent_id": "agent-2",
        "metadata": {"topic": "t0"},
        "exclude_sessions": True,
    },
    "nobody": {"user_id": "nobody"},
}
KEYS: dict[str, tuple[str, ...] | None] = {
    "whole": None,
    "exact": ("user-1", "user-3"),
    "prefix": ("guest*",),
    "none": (),
}


def project_of(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


def fill(project: uuid.UUID, count: int) -> None:
    """Memories in random directions; every tenth repeats the direction of the one before."""
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory, MemoryVector

    vectors = np.random.default_rng(count).standard_normal((count, DIMENSIONS))
    vectors[10::10] = vectors[9:-1:10]
    memories, rows = [], []
    for number, vector in enumerate(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)):
        memory = Memory(
            project_id=project,
            user_id=(None, "user-1", "user-2", "user-3", "guest-1", "guest-2")[number % 6],
            agent_id=f"agent-{number % 4}",
            run_id=f"run-{number % 5}",
            kind=(Memory.NOTE, Memory.NOTE, Memory.SESSION, Memory.TOOL)[number // 3 % 4],
            content=f"text {number}",
            metadata={"rank": number % 7, "topic": f"t{number % 2}"},
            status=Memory.READY,
            created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number // 2),
        )
        memories.append(memory)
        same = {
            name: getattr(memory, name)
            for name in ("id", "project_id", "user_id", "agent_id", "run_id", "kind", "created_at")
        }
        rows.append(MemoryVector(**same, words=2, model=MODEL, vector=vector.tolist()))
    rows[0].model = "another model"
    with project_scope(project):
        Memory.objects.bulk_create(memories)
        MemoryVector.objects.bulk_create(rows)


@pytest.fixture(scope="module")
def tenants(stack: Stack, boot: Api) -> Iterator[dict[int, uuid.UUID]]:
    """A small tenant beside a large one, by their number of rows; statistics are fresh."""
    from django.db import connection

    made = {size: project_of(Box(boot)) for size in (SMALL, LARGE)}
    for size, project in made.items():
        fill(project, size)
    with psycopg.connect(stack.env["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("ANALYZE memories_memory, memories_memoryvector")
    yield made
    connection.close()


def question(seed: int = 5) -> Any:
    from memories.vectors import Vector

    values = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return Vector((values / np.linalg.norm(values)).tolist(), MODEL)


def caller(project: uuid.UUID, users: tuple[str, ...] | None = None) -> Any:
    from korely.kernel.caller import Caller

    return Caller(organisation_id=uuid.uuid4(), project_id=project, users=users)


def search(project: uuid.UUID, users: tuple[str, ...] | None = None, **wanted: Any) -> list[Any]:
    from korely.kernel.tenancy import project_scope
    from memories.selectors import SearchFilter, nearest_memories

    with project_scope(project):
        return nearest_memories(
            caller=caller(project, users),
            wanted=SearchFilter(**wanted),
            vector=question(),
            limit=10,
        )


def context(project: uuid.UUID) -> object:
    from korely.kernel.tenancy import project_scope
    from memories.selectors import SearchFilter
    from memories.selectors.relevance import recall_memories

    with project_scope(project):
        return recall_memories(
            caller=caller(project),
            wanted=SearchFilter(),
            query="text 7",
            vector=question(),
            known_as_of=None,
            room=3_200,
        )


def explained(call: Any) -> list[dict[str, Any]]:
    """The plan nodes of the one statement a call makes, asked for on its own cursor."""
    from django.db import connection

    plans = []

    def explain(execute: Any, sql: str, values: Any, many: bool, details: Any) -> Any:
        if "memories_memoryvector" in sql:
            execute(f"EXPLAIN (FORMAT JSON) {sql}", values, many, details)
            found = details["cursor"].fetchone()[0]
            plans.append(json.loads(found) if isinstance(found, str) else found)
        return execute(sql, values, many, details)

    with connection.execute_wrapper(explain):
        call()
    assert len(plans) == 1
    pending, nodes = [plans[0][0]["Plan"]], []
    while pending:
        node = pending.pop()
        nodes.append(node)
        pending += node.get("Plans", [])
    return nodes


def scans(nodes: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """(table, kind of scan, condition looked up in an index or "") of every read of a table."""
    found = []
    for node in nodes:
        if "Relation Name" in node:
            below = [n for n in node.get("Plans", []) if n["Node Type"] == "Bitmap Index Scan"]
            looked_up = " ".join(n.get("Index Cond", "") for n in (node, *below))
            found.append((node["Relation Name"], node["Node Type"], looked_up))
    return found


@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
def test_a_small_tenants_search_reads_its_own_rows_alone(
    tenants: dict[int, uuid.UUID], wanted: dict[str, Any]
) -> None:
    project = tenants[SMALL]
    nodes = explained(lambda: search(project, **wanted))
    assert {table for table, _, _ in scans(nodes)} == {"memories_memory", "memories_memoryvector"}
    for table, kind, looked_up in scans(nodes):
        assert kind in {"Index Scan", "Bitmap Heap Scan"}, table
        assert f"project_id = '{project}'" in looked_up, table


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_vector_inside_the_filter_is_compared_and_sorted(
    tenants: dict[int, uuid.UUID], size: int
) -> None:
    nodes = explained(lambda: search(tenants[size]))
    keys = [str(n["Sort Key"]) for n in nodes if n["Node Type"] == "Sort"]
    assert len([key for key in keys if "<=>" in key and "min(" not in key]) == 1
    assert not [n for n in nodes if "Order By" in n]  # how an approximate index would answer


def test_context_reads_its_own_vectors_alone(tenants: dict[int, uuid.UUID]) -> None:
    nodes = explained(lambda: context(tenants[SMALL]))
    reads = [scan for scan in scans(nodes) if scan[0] == "memories_memoryvector"]
    assert len(reads) == 1
    assert f"project_id = '{tenants[SMALL]}'" in reads[0][2]
    assert not [n for n in nodes if "Order By" in n]


@pytest.mark.parametrize("table", ["memories_memoryvector", "facts_factvector"])
def test_no_index_of_a_vector_exists(stack: Stack, table: str) -> None:
    with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
        indexes = connection.execute(
            """SELECT m.amname, array_agg(a.attname::text ORDER BY k.place)
               FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
               JOIN pg_am m ON m.oid = c.relam
               CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place)
               LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
               WHERE i.indrelid = %s::regclass GROUP BY i.indexrelid, m.amname""",
            [table],
        ).fetchall()
    assert indexes
    for method, columns in indexes:
        assert method == "btree"
        assert columns[0] == "project_id"
        assert None not in columns  # no expression, which could hide the vector
        assert "vector" not in columns


@cache
def stored(project: uuid.UUID) -> tuple[list[Any], np.ndarray, dict[uuid.UUID, dict[str, Any]]]:
    """The vector rows of a project, their vectors as one array, the metadata of its memories."""
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory, MemoryVector

    with project_scope(project):
        metadata = dict(Memory.objects.values_list("id", "metadata"))
        rows = list(MemoryVector.objects.filter(model=MODEL))
    return rows, np.array([row.vector for row in rows], dtype=np.float64), metadata


def by_brute_force(project: uuid.UUID, users: tuple[str, ...] | None, **wanted: Any) -> list[Any]:
    """(id, cosine) of the ten nearest, judged here over everything the project stores."""
    from memories.models import Memory

    rows, vectors, metadata = stored(project)
    exact = wanted.get("metadata", {}).items()
    given = {name: wanted[name] for name in ("user_id", "agent_id", "run_id") if name in wanted}
    reached = caller(project, users)
    kept = [
        number
        for number, row in enumerate(rows)
        if row.kind != Memory.TOOL
        and not (wanted.get("exclude_sessions") and row.kind == Memory.SESSION)
        and reached.reaches(row.user_id)
        and all(getattr(row, name) == value for name, value in given.items())
        and exact <= metadata[row.id].items()
    ]
    asked = np.array(json.loads(question().text)).astype(np.float16).astype(np.float64)
    cosines = vectors @ asked / np.linalg.norm(vectors, axis=1) / np.linalg.norm(asked)
    scored = [(round(float(cosines[n]), 9), rows[n].created_at, rows[n].id) for n in kept]
    return [(id_, cosine) for cosine, _, id_ in sorted(scored, reverse=True)[:10]]


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
def test_a_search_finds_what_comparing_everything_finds(
    tenants: dict[int, uuid.UUID], wanted: dict[str, Any], size: int
) -> None:
    expected = by_brute_force(tenants[size], None, **wanted)
    found = search(tenants[size], **wanted)
    assert [hit.id for hit in found] == [id_ for id_, _ in expected]
    assert [hit.score for hit in found] == pytest.approx([c for _, c in expected], abs=1e-6)
    assert bool(found) == (wanted != FILTERS["nobody"])


@pytest.mark.parametrize("users", KEYS.values(), ids=KEYS)
def test_a_confined_key_finds_what_comparing_its_users_rows_finds(
    tenants: dict[int, uuid.UUID], users: tuple[str, ...] | None
) -> None:
    expected = by_brute_force(tenants[LARGE], users)
    assert [hit.id for hit in search(tenants[LARGE], users)] == [id_ for id_, _ in expected]
    assert bool(expected) == (users != ())
