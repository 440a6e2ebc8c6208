"""DELETE /v1/memories/{id}."""

from __future__ import annotations

import uuid

import pytest

from tests.api_client import Api, ok, refused


def test_a_forgotten_memory_is_gone_from_every_read(api: Api, uid: str) -> None:
    made = api.told("I live in Rome.", uid)
    kept = api.add("What should I cook tonight?", user_id=uid)
    path = f"/v1/memories/{made['id']}"
    receipt = ok(api.delete(path))
    assert (receipt["id"], receipt["status"]) == (made["id"], "forgotten")
    assert receipt["facts_invalidated"] == 1
    refused(api.get(path), 404, "not_found")
    refused(api.patch(path, {"content": "Back."}), 404, "not_found")
    refused(api.delete(path), 404, "not_found")
    page = ok(api.get("/v1/memories", user_id=uid))
    assert ([one["id"] for one in page["memories"]], page["total"]) == ([kept["id"]], 1)
    assert [hit["id"] for hit in api.search("I live in Rome", user_id=uid)] == [kept["id"]]
    assert api.search("I live in Rome", user_id=uid, types=["facts"]) == []
    events = ok(api.get("/v1/events", user_id=uid))["events"]
    assert [one["memory_id"] for one in events] == [kept["id"]]
    context = api.context("where do I live, Rome?", user_id=uid)
    assert context["sources"] == [kept["id"]]
    assert "Rome" not in context["context"]
    later = api.context("where do I live, Rome?", user_id=uid, known_as_of=kept["created_at"])
    assert made["id"] not in later["sources"]


def test_the_facts_only_it_stated_are_closed_and_stay_readable(api: Api, uid: str) -> None:
    made = api.told("I live in Rome.", uid, timestamp="2026-01-01")
    between = ok(api.get("/v1/facts", user_id=uid))["facts"][0]["created_at"]
    ok(api.delete(f"/v1/memories/{made['id']}"))
    assert api.facts(user_id=uid) == []
    (row,) = api.facts(user_id=uid, include_invalidated=True)
    assert (row["invalidated_by"], row["closed_reason"]) == (None, "erased_source")
    assert row["invalid_at"] == row["closed_known_at"]
    assert (row["source_memory_id"], row["source_memory_ids"]) == (None, [])
    assert [one["id"] for one in api.facts(user_id=uid, as_of="2026-02-01")] == [row["id"]]
    (then,) = api.facts(user_id=uid, known_as_of=between)
    assert (then["id"], then["invalid_at"], then["closed_reason"]) == (row["id"], None, None)


def test_a_fact_that_another_memory_states_loses_one_source_and_stays_open(
    api: Api, uid: str
) -> None:
    first, second = api.told("I live in Rome.", uid), api.told("I live in Rome.", uid)
    (fact,) = api.facts(user_id=uid)
    assert fact["source_memory_ids"] == [first["id"], second["id"]]
    assert ok(api.delete(f"/v1/memories/{first['id']}"))["facts_invalidated"] == 0
    (fact,) = api.facts(user_id=uid)
    assert (fact["source_memory_id"], fact["invalid_at"]) == (second["id"], None)
    assert ok(api.delete(f"/v1/memories/{second['id']}"))["facts_invalidated"] == 1
    assert api.facts(user_id=uid) == []


def test_forgetting_a_superseded_statement_does_not_bring_it_back(api: Api, uid: str) -> None:
    old = api.told("I live in Rome.", uid, timestamp="2026-01-01")
    api.told("I live in Milan.", uid, timestamp="2026-02-01")
    assert ok(api.delete(f"/v1/memories/{old['id']}"))["facts_invalidated"] == 0
    assert [fact["object"] for fact in api.facts(user_id=uid)] == ["Milan"]
    rome = api.facts(user_id=uid, as_of="2026-01-15")
    assert [(fact["object"], fact["closed_reason"]) for fact in rome] == [("Rome", "superseded")]


def test_forgetting_beats_extraction_still_running(api: Api, uid: str) -> None:
    for n in range(6):
        ok(api.delete(f"/v1/memories/{api.add(f'I like thing{n}.', user_id=uid)['id']}"))
    last = api.told("I live in Rome.", uid)
    assert [fact["source_memory_id"] for fact in api.facts(user_id=uid)] == [last["id"]]
    assert ok(api.get("/v1/events", user_id=uid))["processing"] == 0


def test_near_identical_notes_stay_apart_when_some_are_deleted(api: Api, uid: str) -> None:
    """Of 12 near-identical notes 5 are deleted: search, context and list show the 7 live ones."""
    notes = [
        api.add(f"The bakery on the corner sells rye bread, note {n}.", user_id=uid)["id"]
        for n in range(12)
    ]
    for one in notes[::2][:5]:
        ok(api.delete(f"/v1/memories/{one}"))
    live = set(notes) - set(notes[::2][:5])
    assert {hit["id"] for hit in api.search("rye bread", user_id=uid, limit=10)} == live
    assert set(api.context("rye bread at the bakery", user_id=uid)["sources"]) == live
    page = ok(api.get("/v1/memories", user_id=uid))
    assert (page["total"], {one["id"] for one in page["memories"]}) == (7, live)


def test_identical_memories_are_each_kept_and_confirm_one_fact(api: Api, uid: str) -> None:
    """The same text three times: three memories, one open fact seen three times."""
    ids = [api.add("I live in Rome.", user_id=uid)["id"] for _ in range(3)]
    api.settle(uid)
    assert ok(api.get("/v1/memories", user_id=uid))["total"] == 3
    (fact,) = api.facts(user_id=uid, include_invalidated=True)
    assert (fact["observation_count"], fact["source_memory_ids"]) == (3, ids)
    assert fact["last_confirmed_at"]
    ok(api.delete(f"/v1/memories/{ids[0]}"))
    assert len(api.facts(user_id=uid)) == 1


def test_unknown_ids_are_404_and_what_search_finds_can_be_read_and_deleted(
    api: Api, uid: str
) -> None:
    refused(api.delete(f"/v1/memories/mem_{uuid.uuid4().hex}"), 404, "not_found")
    api.add("A note to be found.", user_id=uid)
    (hit,) = api.search("note to be found", user_id=uid)
    assert ok(api.get(f"/v1/memories/{hit['id']}"))["id"] == hit["id"]
    ok(api.delete(f"/v1/memories/{hit['id']}"))
    refused(api.delete(f"/v1/memories/{hit['id']}"), 404, "not_found")
    assert api.search("note to be found", user_id=uid) == []


def test_deleting_one_end_user_s_memory_leaves_the_others_unchanged(api: Api, uid: str) -> None:
    mine = api.told("I live in Rome.", uid)
    theirs = api.told("I live in Rome.", f"{uid}-b")
    bots = api.told("I live in Rome.", uid, agent_id="bot")
    ok(api.delete(f"/v1/memories/{mine['id']}"))
    assert ok(api.get(f"/v1/memories/{theirs['id']}")) == theirs
    assert ok(api.get(f"/v1/memories/{bots['id']}")) == bots
    assert len(api.facts(user_id=f"{uid}-b")) == 1
    assert [fact["agent_id"] for fact in api.facts(user_id=uid)] == ["bot"]


@pytest.mark.parametrize("path", ["/v1/users/{uid}/memories", "/v1/memories/{id}"])
def test_a_field_that_delete_does_not_take_is_422_and_takes_nothing_away(
    api: Api, uid: str, path: str
) -> None:
    made = api.add("To stay.", user_id=uid)
    target = path.format(uid=uid, id=made["id"])
    body = {"before": "2020-01-01"}
    refused(api.request("DELETE", target, json=body), 422, "invalid_request", "before")
    assert ok(api.get(f"/v1/memories/{made['id']}"))["content"] == "To stay."


def test_a_body_on_delete_is_not_asked_for(api: Api, uid: str) -> None:
    made = api.add("To go.", user_id=uid)
    path = f"/v1/memories/{made['id']}"
    wrong = api.request("DELETE", path, content=b"{", headers={"Content-Type": "application/json"})
    refused(wrong, 422, "invalid_request")
    ok(api.get(path))
    ok(api.request("DELETE", path, json={}))
