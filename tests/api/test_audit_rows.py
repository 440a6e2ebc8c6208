"""What the audit log holds of each call: ids, counts and labels, never content."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused
from tests.db.audit_rig import connected

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


def test_all_that_touched_an_end_users_memory_is_told_under_that_end_user(
    fresh: WatchedBox,
) -> None:
    api = fresh.api
    made = api.told("I live in Rome.", "anna")
    path = f"/v1/memories/{made['id']}"
    ok(api.get(f"{path}/history"))
    ok(api.delete(path))
    ok(api.get(f"{path}/history"))
    events = ok(api.get("/v1/audit", user_id="anna"))["events"]
    told = [(e["action"], e["meta"].get("call")) for e in reversed(events)]
    assert told == [
        ("write", None),
        ("fact_write", None),
        ("read", "get"),
        ("read", "history"),
        ("forget", None),
        ("read", "history"),
    ]
    assert {e["target_id"] for e in events} == {made["id"]}
    assert [e["ip"] for e in events if e["actor"] == "worker"] == [None]


def test_a_denied_call_of_a_known_key_is_an_event(fresh: WatchedBox) -> None:
    reader = fresh.key("memories:read")
    refused(reader.post("/v1/memories", {"content": SECRET}), 403, "forbidden")
    confined = fresh.key(users=["anna"])
    refused(confined.get("/v1/memories", user_id="bob"), 403, "forbidden")
    denied = rows(fresh, result="denied")
    assert [(row.actor, row.action) for row in denied] == [("rest", "write"), ("rest", "read")]
    assert len({row.key_id for row in denied}) == 2
    refused(reader.get("/admin/keys"), 403, "forbidden")
    refused(reader.delete("/v1/memories/nothing"), 403, "forbidden")
    denied = rows(fresh, result="denied")[2:]
    assert [(row.action, row.meta) for row in denied] == [
        ("admin", {"scope": "admin"}),
        ("write", {"scope": "memories:write"}),
    ]
    assert {row.ip for row in rows(fresh, result="denied")} == {"127.0.0.1"}


def test_a_write_past_the_agent_cap_is_a_denied_one(on_plan: Any) -> None:
    api = on_plan(agents=1)
    api.add("One.", agent_id="first")
    refused(
        api.post("/v1/memories", {"content": "Two.", "agent_id": "second"}),
        403,
        "agent_cap_exceeded",
    )
    (denied,) = [e for e in ok(api.get("/v1/audit"))["events"] if e["result"] == "denied"]
    assert (denied["action"], denied["actor"], denied["target_id"]) == ("write", "rest", None)


def test_what_is_refused_otherwise_leaves_no_event(fresh: WatchedBox) -> None:
    api = fresh.api
    before = len(rows(fresh))
    unknown = f"/v1/memories/mem_{uuid.uuid4().hex}"
    refused(api.get(unknown), 404, "not_found")
    refused(api.get(f"{unknown}/history"), 404, "not_found")
    refused(api.delete(unknown), 404, "not_found")
    refused(api.get("/v1/memories", limit=0), 422, "invalid_request")
    refused(api.post("/v1/memories", {"content": ""}), 422, "invalid_request")
    assert len(rows(fresh)) == before


def test_key_and_project_acts_are_told_in_the_project_they_concern(fresh: WatchedBox) -> None:
    made = fresh.mint()
    ok(fresh.boot.post(f"/admin/keys/{made['id']}/revoke"))
    acts = [(row.action, row.target_id) for row in rows(fresh)]
    assert acts[0] == ("project_create", fresh.project["id"])
    assert acts[1][0] == "key_create"
    assert acts[-2:] == [("key_create", made["id"]), ("key_revoke", made["id"])]


def test_no_event_holds_content_questions_names_or_keys(fresh: WatchedBox, stack: Stack) -> None:
    """Every column of every row, as the database spells it."""
    api = fresh.api
    made = api.told(SECRET, "anna", metadata={"pin": "swordfish"})
    api.search("what is the swordfish password?", types=["memories", "facts"])
    api.context("swordfish?")
    ok(api.get("/v1/facts", entity="swordfish", subject="swordfish"))
    ok(api.get("/v1/profile", user_id="anna"))
    fact = {"subject": "lighthouse", "predicate": "likes", "object": "swordfish"}
    fact = ok(api.post("/v1/facts", {**fact, "user_id": "anna"}), 201)
    ok(api.patch(f"/v1/facts/{fact['id']}", {"object": "two swordfish"}))
    ok(api.post("/v1/users/anna/names", {"name": "Swordfish Anna"}), 201)
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": f"{SECRET} Still."}))
    api.settle()
    ok(api.delete(f"/v1/memories/{made['id']}"))
    refused(api.get("/admin/keys"), 403, "forbidden")
    key = fresh.mint(name="swordfish key", users=["anna"])
    ok(fresh.boot.post(f"/admin/keys/{key['id']}/revoke"))
    ok(api.delete("/v1/users/anna/memories"))
    project = uuid.UUID(fresh.project["id"].removeprefix("prj_"))
    with connected(stack, "thief") as connection:
        found = connection.execute(
            "SELECT event::text FROM billing_auditevent event WHERE project_id = %s", [project]
        ).fetchall()
    text = " ".join(row for (row,) in found).lower()
    assert len(found) >= 15
    assert "fact_write" in text
    for word in ("swordfish", "lighthouse", "password", "still"):
        assert word not in text
    for secret in (str(api.key), str(fresh.boot.key), key["key"]):
        assert secret.rpartition("_")[2] not in text
        assert secret.rpartition("_")[2][:8] not in text


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
