"""What the audit log holds of each call: ids, counts and labels, never content."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused

SECRET = "The lighthouse password is swordfish."


def rows(box: WatchedBox, **where: Any) -> list[Any]:
    """The project's audit events, oldest first, read as the application role."""
    from billing.models import AuditEvent
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    project = parse("prj", box.project["id"])
    assert project is not None
    with project_scope(project):
        return list(AuditEvent.objects.filter(**where).order_by("ts", "id"))


def wire(prefix: str, values: list[uuid.UUID]) -> list[str]:
    return [f"{prefix}_{value.hex}" for value in values]


def test_each_read_of_memories_or_facts_writes_one_event_with_what_it_returned(
    fresh: WatchedBox,
) -> None:
    api = fresh.api
    made = api.told("I live in Rome.", "anna")
    (fact,) = made["facts"]
    known = {row.id for row in rows(fresh)}

    def added() -> Any:
        new = [row for row in rows(fresh) if row.id not in known]
        known.update(row.id for row in new)
        return new

    path = f"/v1/memories/{made['id']}"
    both = {"query": "Rome", "types": ["memories", "facts"]}
    calls: list[tuple[Any, list[str], list[str]]] = [
        (lambda: api.get("/v1/memories"), [made["id"]], []),
        (lambda: api.get(path), [made["id"]], [fact["id"]]),
        (lambda: api.get(f"{path}/history"), [made["id"]], [fact["id"]]),
        (lambda: api.post("/v1/memories/search", both), [made["id"]], [fact["id"]]),
        (lambda: api.get("/v1/facts", user_id="anna"), [], [fact["id"]]),
        (lambda: api.get("/v1/context", query="Rome"), [made["id"]], [fact["id"]]),
    ]
    for call, memories, facts in calls:
        ok(call())
        (row,) = added()
        assert (row.actor, row.action, row.result, row.ip) == ("rest", "read", "ok", "127.0.0.1")
        assert wire("mem", row.read_memories) == memories
        assert wire("fct", row.read_facts) == facts
    for free in ("/v1/ping", "/v1/events"):
        ok(api.get(free))
        assert added() == []


def test_writes_forgetting_and_the_worker_leave_their_events(fresh: WatchedBox) -> None:
    made = fresh.api.told("I live in Rome.", "anna")
    path = f"/v1/memories/{made['id']}"
    ok(fresh.api.patch(path, {"content": "I live in Oslo."}))
    fresh.api.settle()
    receipt = ok(fresh.api.delete(path))
    told = [(row.actor, row.action) for row in rows(fresh, target_id=made["id"])]
    assert told == [
        ("rest", "write"),
        ("worker", "fact_write"),
        ("rest", "read"),
        ("rest", "write"),
        ("worker", "fact_write"),
        ("worker", "fact_invalidate"),
        ("rest", "forget"),
    ]
    (row,) = rows(fresh, action="forget")
    assert receipt["audit_id"] == f"aud_{row.id.hex}"
    assert (row.user_id, row.meta) == ("anna", {"facts_invalidated": 1})
    assert row.read_memories is None


def test_a_denied_call_of_a_known_key_is_an_event(fresh: WatchedBox) -> None:
    reader = fresh.key("memories:read")
    refused(reader.post("/v1/memories", {"content": SECRET}), 403, "forbidden")
    confined = fresh.key(users=["anna"])
    refused(confined.get("/v1/memories", user_id="bob"), 403, "forbidden")
    denied = rows(fresh, result="denied")
    assert [(row.actor, row.action) for row in denied] == [("rest", "write"), ("rest", "read")]
    assert len({row.key_id for row in denied}) == 2


def test_key_and_project_acts_are_told_in_the_project_they_concern(fresh: WatchedBox) -> None:
    made = fresh.mint()
    ok(fresh.boot.post(f"/admin/keys/{made['id']}/revoke"))
    acts = [(row.action, row.target_id) for row in rows(fresh)]
    assert acts[0] == ("project_create", fresh.project["id"])
    assert acts[1][0] == "key_create"
    assert acts[-2:] == [("key_create", made["id"]), ("key_revoke", made["id"])]


def test_no_event_holds_content_questions_or_keys(fresh: WatchedBox) -> None:
    made = fresh.api.told(SECRET, "anna", metadata={"pin": "swordfish"})
    fresh.api.search("what is the swordfish password?")
    fresh.api.context("swordfish?")
    ok(fresh.api.get("/v1/facts", entity="swordfish"))
    ok(fresh.api.patch(f"/v1/memories/{made['id']}", {"content": f"{SECRET} Still."}))
    fresh.api.settle()
    text = repr([vars(row) for row in rows(fresh)])
    assert "swordfish" not in text
    assert "lighthouse" not in text
    assert str(fresh.api.key).rpartition("_")[2] not in text


@pytest.mark.parametrize("count", [101])
def test_a_read_names_at_most_100_of_each_kind(fresh: WatchedBox, count: int) -> None:
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory

    project = parse("prj", fresh.project["id"])
    assert project is not None
    with project_scope(project):
        for n in range(count):
            Memory(project_id=project, content=f"Row {n}", status="ready").save(force_insert=True)
    api: Api = fresh.api
    assert len(ok(api.get("/v1/memories", limit=200))["memories"]) == count
    (row,) = rows(fresh, action="read")
    assert (len(row.read_memories), row.meta["returned"]) == (100, count)
