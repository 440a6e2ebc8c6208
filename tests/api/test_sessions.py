"""Logs of work sessions: kept like any memory, left out of every read that asks for it."""

from __future__ import annotations

from typing import Any

from tests.api.lines import exported, imported
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, wait_for
from tests.fact_calls import write


def seen(api: Api, user: str, **query: Any) -> dict[str, set[str]]:
    """What each read that takes `exclude_sessions` shows of an end user: texts and objects."""
    listed = ok(api.get("/v1/memories", user_id=user, **query))
    facts = ok(api.get("/v1/facts", user_id=user, **query))
    profile = ok(api.get("/v1/profile", user_id=user, **query))
    for page, kind in ((listed, "memories"), (facts, "facts"), (profile, "facts")):
        assert page["total"] == len(page[kind])
    asked = {"query": "home and work", "user_id": user, **query}
    both = ok(api.post("/v1/memories/search", {**asked, "types": ["memories", "facts"]}))
    block = ok(api.get("/v1/context", **asked))["context"].splitlines()
    hits = both["results"]
    return {
        "list": {one["content"] for one in listed["memories"]},
        "search": {one["snippet"] for one in hits if one["type"] == "memory"},
        "facts": {one["object"] for one in facts["facts"]},
        "profile": {one["object"] for one in profile["facts"]},
        "fact search": {one["fact"]["object"] for one in hits if one["type"] == "fact"},
        "context": {line.partition("] ")[2] for line in block if line.startswith("- [")},
        "context facts": {
            line.split(" (since")[0].rpartition(" ")[2] for line in block if "(since" in line
        },
    }


TEXTS, OBJECTS = ("list", "search", "context"), ("facts", "profile", "fact search", "context facts")


def showing(texts: set[str], objects: set[str]) -> dict[str, set[str]]:
    return {**dict.fromkeys(TEXTS, texts), **dict.fromkeys(OBJECTS, objects)}


NOTE, LOG = "I live in Oslo.", "I work at Siemens."


def test_every_read_leaves_out_sessions_and_what_they_alone_state(api: Api, uid: str) -> None:
    note, log = api.told(NOTE, uid), api.told(LOG, uid, kind="session")
    assert (note["kind"], log["kind"]) == ("note", "session")
    assert seen(api, uid) == showing({NOTE, LOG}, {"Oslo", "Siemens"})
    assert seen(api, uid, exclude_sessions=False) == seen(api, uid)
    assert seen(api, uid, exclude_sessions=True) == showing({NOTE}, {"Oslo"})
    # By id, and in the list of end users, a session is a memory like any other.
    assert ok(api.get(f"/v1/memories/{log['id']}"))["facts"][0]["object"] == "Siemens"
    users = ok(api.get("/v1/users", limit=200))["users"]
    assert [(one["memories"], one["facts"]) for one in users if one["user_id"] == uid] == [(2, 2)]


def test_a_fact_is_a_sessions_own_again_once_its_note_is_forgotten(api: Api, uid: str) -> None:
    api.told(NOTE, uid)
    api.told(LOG, uid, kind="session")
    stating = api.told(LOG, uid)
    assert seen(api, uid, exclude_sessions=True) == showing({NOTE, LOG}, {"Oslo", "Siemens"})
    ok(api.delete(f"/v1/memories/{stating['id']}"))
    assert seen(api, uid, exclude_sessions=True) == showing({NOTE}, {"Oslo"})
    assert seen(api, uid) == showing({NOTE, LOG}, {"Oslo", "Siemens"})


def test_a_fact_written_directly_is_no_sessions(api: Api, uid: str) -> None:
    api.told(LOG, uid, kind="session")
    write(api, uid, "works_at", "Siemens", user_id=uid)
    assert seen(api, uid, exclude_sessions=True) == showing(set(), {"Siemens"})


def test_a_changed_session_stays_one(api: Api, uid: str) -> None:
    made = api.told(LOG, uid, kind="session")
    changed = ok(api.patch(f"/v1/memories/{made['id']}", {"content": "I work at Bosch."}))
    api.settle(uid)
    assert changed["kind"] == "session"
    assert seen(api, uid) == showing({"I work at Bosch."}, {"Bosch"})
    assert seen(api, uid, exclude_sessions=True) == showing(set(), set())


def test_on_both_clocks_sessions_are_left_out_too(api: Api, uid: str) -> None:
    api.told("I live in Oslo.", uid, timestamp="2024-01-05")
    before = api.told("I work at Siemens.", uid, kind="session", timestamp="2024-01-05")
    clocks = {"as_of": "2024-02-01", "known_as_of": before["created_at"]}
    for clock, instant in clocks.items():
        for path in ("/v1/facts", "/v1/profile"):
            page = ok(api.get(path, user_id=uid, exclude_sessions=True, **{clock: instant}))
            assert "Siemens" not in {one["object"] for one in page["facts"]}, (path, clock)
    page = ok(api.get("/v1/facts", user_id=uid, exclude_sessions=True, as_of="2024-02-01"))
    assert (page["total"], page["facts"][0]["object"]) == (1, "Oslo")
    past = ok(api.get("/v1/facts", user_id=uid, exclude_sessions=True, include_invalidated=True))
    assert past["total"] == 1


def test_sessions_of_batches_and_imports_are_sessions(fresh: WatchedBox, boot: Api) -> None:
    api, user = fresh.api, "worker"
    items = [
        {"content": NOTE, "user_id": user},
        {"content": LOG, "user_id": user, "kind": "session"},
    ]
    job = ok(api.post("/v1/batch", {"memories": items}), 202)["id"]
    wait_for("the batch", lambda: ok(api.get(f"/v1/batch/{job}"))["status"] == "completed")
    api.settle(user)
    other = WatchedBox(boot, fresh.oracle).api
    imported(other, exported(api))
    for one in (api, other):
        assert seen(one, user) == showing({NOTE, LOG}, {"Oslo", "Siemens"})
        assert seen(one, user, exclude_sessions=True) == showing({NOTE}, {"Oslo"})
