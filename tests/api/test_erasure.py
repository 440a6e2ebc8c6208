"""DELETE /v1/users/{user_id}/memories."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import WatchedBox
from tests.api.rows import left_in
from tests.api_client import Api, ok, refused, unique

NOTHING = {"memories_deleted": 0, "facts_deleted": 0} | {
    "memories_forgotten": 0,
    "facts_invalidated": 0,
}


def erase(api: Api, user: str) -> dict[str, Any]:
    return ok(api.delete(f"/v1/users/{quote(user, safe='')}/memories"))


def declare(api: Api, user: str, name: str, **fields: Any) -> None:
    path = f"/v1/users/{quote(user, safe='')}/names"
    ok(api.post(path, {"name": name, **fields}), 201)


def test_erasing_a_user_leaves_nothing_on_any_path(fresh: WatchedBox, stack: Stack) -> None:
    api = fresh.api
    first = api.told("I live in Rome.", "u", agent_id="bot")
    api.told("I moved to Milan.", "u", agent_id="bot")
    gone = api.add("What was forgotten earlier?", user_id="u")
    ok(api.delete(f"/v1/memories/{gone['id']}"))
    declare(api, "u", "Ursula")
    receipt = erase(api, "u")
    assert receipt == {
        "user_id": "u",
        "memories_deleted": 3,
        "facts_deleted": 2,
        "memories_forgotten": 3,
        "facts_invalidated": 2,
        "erasure": "permanent",
        "audit_id": receipt["audit_id"],
    }
    assert left_in(stack, fresh.project["id"]) == {}
    assert ok(api.get("/v1/memories", user_id="u"))["total"] == 0
    assert api.search("Rome Milan", user_id="u", types=["memories", "facts"]) == []
    clocks = ({}, {"include_invalidated": True}, {"as_of": "2026-06-01"})
    for clock in (*clocks, {"known_as_of": "2030-01-01"}):
        assert ok(api.get("/v1/facts", user_id="u", **clock))["total"] == 0
    assert api.context("Rome Milan", user_id="u")["context"] == ""
    assert ok(api.get("/v1/profile", user_id="u"))["total"] == 0
    for path in (first["id"], gone["id"]):
        refused(api.get(f"/v1/memories/{path}"), 404, "not_found")
        refused(api.get(f"/v1/memories/{path}/history"), 404, "not_found")
        refused(api.delete(f"/v1/memories/{path}"), 404, "not_found")
    assert ok(api.get("/v1/events", user_id="u")) == {"events": [], "processing": 0}
    assert ok(api.get("/v1/users"))["users"] == []
    assert ok(api.get("/v1/agents"))["agents"] == []


def test_the_event_of_an_erasure_keeps_the_counts(fresh: WatchedBox) -> None:
    from billing.models import AuditEvent
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    fresh.api.told("I live in Rome.", "u")
    declare(fresh.api, "u", "Ursula")
    receipt = erase(fresh.api, "u")
    project = parse("prj", fresh.project["id"])
    assert project is not None
    with project_scope(project):
        (row,) = AuditEvent.objects.filter(action="erase")
    assert receipt["audit_id"] == f"aud_{row.id.hex}"
    assert (row.user_id, row.target_id, row.result) == ("u", None, "ok")
    assert row.meta == {"memories": 1, "facts": 1, "names": 1}


def test_only_the_named_user_of_this_project_is_erased(
    fresh: WatchedBox, api: Api, stranger: Api, stack: Stack
) -> None:
    """The same texts of three users, of nobody, and of namesakes elsewhere."""
    mine = fresh.api
    for owner in ("a", "b", "A", "ab"):
        mine.add("I live in Rome.", user_id=owner, agent_id="bot")
    mine.add("I live in Rome.")
    declare(mine, "b", "Bea")
    for other in (api, stranger):
        other.told("I live in Rome.", "a")
    mine.settle()
    before = {owner: mine.facts(user_id=owner) for owner in ("b", "A", "ab")}
    assert all(before.values())
    receipt = erase(mine, "a")
    assert (receipt["memories_deleted"], receipt["facts_deleted"]) == (1, 1)
    assert {owner: mine.facts(user_id=owner) for owner in before} == before
    left = left_in(stack, fresh.project["id"])
    assert (left["memories_memory"], left["facts_fact"], left["facts_declaredname"]) == (4, 4, 1)
    assert ok(mine.get("/v1/agents"))["agents"][0]["memories"] == 3
    assert len(mine.search("Rome")) == 4
    for other in (api, stranger):
        assert ok(other.get("/v1/memories", user_id="a"))["total"] == 1
        assert len(other.facts(user_id="a")) == 1
        assert other.search("live in Rome", user_id="a")
        erase(other, "a")


@pytest.mark.parametrize(
    "suffix",
    [
        "",
        "@example.com",
        "#1",
        "?x=1",
        " space",
        "%2f",
        "🙂",
        "+&=",
        "é",
        ";a=b",
        "\\b",
        "'--",
        "%",
    ],
)
def test_any_id_that_is_stored_can_be_erased_by_its_path(api: Api, suffix: str) -> None:
    user = unique("erase") + suffix
    kept = api.add("Kept.", user_id=user[:-1] or "x")
    api.add("Gone.", user_id=user)
    receipt = erase(api, user)
    assert (receipt["user_id"], receipt["memories_deleted"]) == (user, 1)
    ok(api.get(f"/v1/memories/{kept['id']}"))


def test_a_user_of_250_memories_is_erased_whole(fresh: WatchedBox) -> None:
    fill(fresh, "u", 250, terms=3)
    assert ok(fresh.api.get("/v1/memories", user_id="u"))["total"] == 250
    assert erase(fresh.api, "u")["memories_deleted"] == 250
    assert ok(fresh.api.get("/v1/memories", user_id="u"))["total"] == 0
    assert ok(fresh.api.get("/v1/facts", user_id="u", include_invalidated=True))["total"] == 0


def test_an_unknown_user_and_a_second_erasure_count_zero(api: Api, uid: str) -> None:
    api.add("Once.", user_id=uid)
    assert erase(api, uid)["memories_deleted"] == 1
    for user in (uid, unique("nobody")):
        receipt = erase(api, user)
        assert {key: receipt[key] for key in NOTHING} == NOTHING
        assert receipt["erasure"] == "permanent"


@pytest.mark.parametrize("segment", ["a%2Fb", "%00", "a%0Ab", "%20", "%2E%2E", "x" * 256])
def test_an_id_that_could_never_be_stored_is_422(fresh: WatchedBox, segment: str) -> None:
    made = fresh.api.add("Kept.", user_id="a")
    path = f"/v1/users/{segment}/memories"
    refused(fresh.api.delete(path), 422, "invalid_request", "user_id")
    ok(fresh.api.get(f"/v1/memories/{made['id']}"))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/users//memories", 404),
        ("/v1/users/memories", 404),
        ("/v1/users/a", 404),
        ("/v1/users/a/memories/", 404),
        ("/v1/users", 405),
        ("/v1/users/", 404),
        ("/v1/memories", 405),
        ("/v1/agents", 405),
        ("/v1/agents/", 404),
    ],
)
def test_a_missing_segment_never_means_everyone(fresh: WatchedBox, path: str, status: int) -> None:
    made = fresh.api.add("Kept.", user_id="a", agent_id="bot")
    assert fresh.api.delete(path).status_code == status
    assert fresh.api.delete(path, user_id="a").status_code == status
    ok(fresh.api.get(f"/v1/memories/{made['id']}"))


def test_a_confined_key_erases_its_own_and_no_other(fresh: WatchedBox) -> None:
    kept = fresh.api.add("Kept.", user_id="bob")
    fresh.api.add("Gone.", user_id="team-1")
    key = fresh.key(users=["team-*"])
    refused(key.delete("/v1/users/bob/memories"), 403, "forbidden", "confined")
    ok(fresh.api.get(f"/v1/memories/{kept['id']}"))
    assert erase(key, "team-1")["memories_deleted"] == 1
    reader = fresh.key("memories:read")
    refused(reader.delete("/v1/users/bob/memories"), 403, "forbidden", "memories:write")
    ok(fresh.api.get(f"/v1/memories/{kept['id']}"))


def test_an_erasure_is_free(on_plan: Any) -> None:
    small = on_plan(writes_per_month=1, queries_per_month=0)
    small.add("Kept.", user_id="a")
    assert erase(small, "a")["memories_deleted"] == 1
    assert erase(small, "a")["memories_deleted"] == 0


def test_an_erasure_beats_extraction_still_running(fresh: WatchedBox, stack: Stack) -> None:
    for turn in range(4):
        for n in range(5):
            fresh.api.add(f"I like thing{n}.", user_id="u")
        if turn % 2:
            time.sleep(0.05)  # so that some are extracted, some are not, one is under way
        assert erase(fresh.api, "u")["memories_deleted"] == 5
    fresh.api.settle()
    assert left_in(stack, fresh.project["id"]) == {}


def fill(box: WatchedBox, user: str, count: int, *, terms: int) -> None:
    """Rows of an end user as writes leave them, made in bulk."""
    from django.db import connection

    from korely.kernel.tenancy import project_scope

    project = uuid.UUID(box.project["id"][4:])
    values = {"project": project, "user": user, "count": count, "terms": terms}
    with project_scope(project), connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO memories_memory (project_id, id, user_id, agent_id, kind, content, metadata,
                status, revision, created_at, updated_at, update_times)
            SELECT %(project)s, gen_random_uuid(), %(user)s, NULL, 'note', 'Text ' || n, '{}',
                'ready', 1, now(), now(), '{}' FROM generate_series(1, %(count)s) n
            """,
            values,
        )
        cursor.execute(
            """
            INSERT INTO memories_memoryvector (project_id, id, part, user_id, kind, created_at,
                words, model, vector)
            SELECT project_id, id, 0, user_id, kind, created_at, 2, 'some-model',
                (SELECT array_agg(random())::halfvec FROM generate_series(1, 384))
            FROM memories_memory WHERE project_id = %(project)s AND user_id = %(user)s
            """,
            values,
        )
        cursor.execute(
            """
            INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)
            SELECT project_id, id, n, 1 FROM memories_memory, generate_series(1, %(terms)s) n
            WHERE project_id = %(project)s AND user_id = %(user)s
            """,
            values,
        )
        cursor.execute(
            """
            INSERT INTO facts_fact (project_id, id, user_id, subject, subject_key, subject_type,
                predicate, predicate_raw, predicate_family, object, object_key, object_text_key,
                object_is_literal, confidence, tense, valid_from, observation_count, direct,
                said_at, created_at)
            SELECT project_id, id, user_id, 's', 's', 'self', 'likes', 'likes', 'preferences',
                content, content, content, false, 0.9, 'current', now(), 1, false, now(), now()
            FROM memories_memory WHERE project_id = %(project)s AND user_id = %(user)s
            """,
            values,
        )
        cursor.execute(
            """
            INSERT INTO facts_factsource (project_id, id, fact_id, memory_id, is_session,
                span_start, span_end, created_at)
            SELECT project_id, id, id, id, false, 0, 1, now()
            FROM memories_memory WHERE project_id = %(project)s AND user_id = %(user)s
            """,
            values,
        )


def test_5000_memories_go_within_5_seconds_while_others_are_read(
    fresh: WatchedBox, stack: Stack
) -> None:
    fresh.api.told("I live in Rome.", "other")
    for _ in range(8):  # the server's sessions have plans for few rows
        fresh.api.add("I like tea.", user_id="u")
        erase(fresh.api, "u")
    fill(fresh, "u", 5_000, terms=10)
    reader = fresh.key()
    slowest = 0.0
    with ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        erasure = pool.submit(erase, fresh.api, "u")
        reads = 0
        while not erasure.done():
            asked = time.monotonic()
            assert len(reader.search("Rome", user_id="other")) == 1
            assert len(reader.facts(user_id="other")) == 1
            assert ok(reader.get("/v1/memories", user_id="other"))["total"] == 1
            slowest = max(slowest, time.monotonic() - asked)
            reads += 1
        took = time.monotonic() - began
    receipt = erasure.result()
    assert (receipt["memories_deleted"], receipt["facts_deleted"]) == (5_000, 5_000)
    assert took < 5, f"{took:.1f} s, {reads} reads, the slowest {slowest:.1f} s"
    assert reads > 0 and slowest < 2, (reads, slowest)
    assert left_in(stack, fresh.project["id"])["memories_memory"] == 1
