"""PATCH /v1/memories/{id}."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api_client import Api, ok, refused

KEPT = ("id", "user_id", "agent_id", "run_id", "client", "kind", "metadata", "timestamp")


def test_an_update_replaces_the_text_and_keeps_the_rest(api: Api, uid: str) -> None:
    """PATCH, then search: a hit for the new text, none for the old."""
    made = api.add(
        "The lighthouse keeper sleeps.",
        user_id=uid,
        agent_id="bot",
        run_id="r",
        metadata={"k": [1, None]},
        timestamp="2026-01-01",
        kind="session",
    )
    path = f"/v1/memories/{made['id']}"
    done = ok(api.patch(path, {"content": "  The dentist moved her clinic.\n"}))
    assert done["content"] == "The dentist moved her clinic."
    assert {name: done[name] for name in (*KEPT, "created_at")} == {
        name: made[name] for name in (*KEPT, "created_at")
    }
    assert clock.read(done["updated_at"]) > clock.read(made["updated_at"])
    assert done["status"] == "processing"
    hits = api.search("dentist clinic", user_id=uid)
    assert [hit["snippet"] for hit in hits] == ["The dentist moved her clinic."]
    context = api.context("lighthouse keeper", user_id=uid)
    assert "lighthouse" not in context["context"]
    api.settle(uid)
    ready = ok(api.get(path))
    assert (ready["status"], ready["updated_at"]) == ("ready", done["updated_at"])


def test_facts_follow_the_text(api: Api, uid: str) -> None:
    """Restated stays untouched, changed supersedes, no longer stated is closed."""
    made = api.told("I live in Rome. I like tea. I like jazz.", uid)
    before = {fact["object"]: fact for fact in api.facts(user_id=uid)}
    path = f"/v1/memories/{made['id']}"
    done = ok(api.patch(path, {"content": "I live in Milan. I like tea."}))
    api.settle(uid)
    now = {fact["object"]: fact for fact in api.facts(user_id=uid)}
    assert set(now) == {"Milan", "tea"}
    assert now["tea"] == before["tea"]
    rows = {fact["object"]: fact for fact in api.facts(user_id=uid, include_invalidated=True)}
    assert set(rows) == {"Milan", "Rome", "tea", "jazz"}
    assert rows["Rome"]["invalidated_by"] == now["Milan"]["id"]
    assert rows["Rome"]["closed_reason"] == "superseded"
    assert rows["jazz"]["invalidated_by"] is None
    assert rows["Rome"]["invalid_at"] == rows["jazz"]["invalid_at"] == done["updated_at"]
    assert clock.read(rows["jazz"]["closed_known_at"]) > clock.read(done["updated_at"])


def test_a_changed_value_takes_the_place_of_one_that_began_later(api: Api, uid: str) -> None:
    """A text put right: what it no longer says is no later value that the new one gives way to."""
    made = api.told("I moved to Rome yesterday.", uid, timestamp="2024-03-01T05:00:00Z")
    known = api.facts(user_id=uid)[0]["created_at"]
    path = f"/v1/memories/{made['id']}"
    ok(api.patch(path, {"content": "I moved to Oslo two weeks ago."}))
    api.settle(uid)
    (oslo,) = api.facts(user_id=uid)
    assert (oslo["object"], oslo["valid_from"]) == ("Oslo", "2024-02-16T00:00:00+00:00")
    assert oslo["invalid_at"] is None
    rows = {fact["object"]: fact for fact in api.facts(user_id=uid, include_invalidated=True)}
    assert rows["Rome"]["invalid_at"] == rows["Rome"]["valid_from"]
    assert rows["Rome"]["invalidated_by"] == oslo["id"]
    assert rows["Rome"]["closed_reason"] == "superseded"
    assert [fact["object"] for fact in api.facts(user_id=uid, as_of="2024-03-02")] == ["Oslo"]
    assert [fact["object"] for fact in api.facts(user_id=uid, known_as_of=known)] == ["Rome"]


def test_a_later_value_that_the_text_or_another_still_states_stays(api: Api, uid: str) -> None:
    """An earlier value that an update adds is history before what is still said."""
    made = api.told("I moved to Rome in 2023.", uid, timestamp="2024-03-01")
    path = f"/v1/memories/{made['id']}"
    ok(api.patch(path, {"content": "I moved to Oslo in 2021. I moved to Rome in 2023."}))
    api.settle(uid)
    rows = {fact["object"]: fact for fact in api.facts(user_id=uid, include_invalidated=True)}
    assert rows["Rome"]["invalid_at"] is None
    assert rows["Oslo"]["invalid_at"] == rows["Rome"]["valid_from"]
    api.told("I moved to Rome in 2023.", uid, timestamp="2024-04-01")
    ok(api.patch(path, {"content": "I moved to Bonn in 2022."}))
    api.settle(uid)
    assert [fact["object"] for fact in api.facts(user_id=uid)] == ["Rome"]
    assert [fact["object"] for fact in api.facts(user_id=uid, as_of="2022-06-01")] == ["Bonn"]


def test_an_update_that_says_the_same_counts_nothing(api: Api, uid: str) -> None:
    made = api.told("I live in Rome.", uid)
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": "I live in Rome."}))
    api.settle(uid)
    rows = api.facts(user_id=uid, include_invalidated=True)
    assert [(row["observation_count"], row["invalid_at"]) for row in rows] == [(1, None)]
    assert rows[0]["last_confirmed_at"] is None


def test_a_fact_that_another_memory_states_survives_an_update(api: Api, uid: str) -> None:
    first, second = api.told("I like tea.", uid), api.told("I like tea.", uid)
    ok(api.patch(f"/v1/memories/{first['id']}", {"content": "The sky is overcast today."}))
    api.settle(uid)
    (fact,) = api.facts(user_id=uid, predicate="likes")
    assert fact["source_memory_ids"] == [second["id"]]


def test_a_stale_update_is_409_and_a_current_one_is_taken(api: Api, uid: str) -> None:
    made = api.add("First.", user_id=uid)
    path = f"/v1/memories/{made['id']}"
    late = clock.write(clock.read(made["updated_at"]) - timedelta(hours=1))
    refused(api.patch(path, {"content": "x", "expected_updated_at": late}), 409, "stale_write")
    assert ok(api.get(path))["content"] == "First."
    done = ok(api.patch(path, {"content": "Second.", "expected_updated_at": made["updated_at"]}))
    again = {"content": "x", "expected_updated_at": made["updated_at"]}
    refused(api.patch(path, again), 409, "stale_write")
    ok(api.patch(path, {"content": "Third.", "expected_updated_at": done["updated_at"]}))
    assert ok(api.get(path))["content"] == "Third."


def test_the_expected_time_counts_at_the_precision_it_is_spelled_with(api: Api, uid: str) -> None:
    made = api.add("First.", user_id=uid)
    path = f"/v1/memories/{made['id']}"
    moment = clock.read(made["updated_at"])

    def send(expected: str) -> Any:
        return api.patch(path, {"content": "Next.", "expected_updated_at": expected})

    for step, form in (
        (timedelta(milliseconds=1), "%Y-%m-%dT%H:%M:%S.{ms}Z"),
        (timedelta(seconds=1), "%Y-%m-%dT%H:%M:%SZ"),
        (timedelta(minutes=1), "%Y-%m-%d %H:%M"),
        (timedelta(days=1), "%Y-%m-%d"),
    ):

        def spelled(at: Any, form: str = form) -> str:
            return str(at.strftime(form.replace("{ms}", f"{at.microsecond // 1000:03}")))

        refused(send(spelled(moment - step)), 409, "stale_write")
        refused(send(spelled(moment + step)), 409, "stale_write")
        done = ok(send(spelled(moment)))
        moment = clock.read(done["updated_at"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        ({"content": None}, "content"),
        ({"content": " "}, "content"),
        ({"content": "x" * 16_001}, "content"),
        ({"content": "nul\x00"}, "content"),
        ({"content": "x", "metadata": {}}, "metadata"),
        ({"content": "x", "user_id": "other"}, "user_id"),
        ({"content": "x", "kind": "note"}, "kind"),
        ({"content": "x", "expected_updated_at": "soon"}, "expected_updated_at"),
        ({"content": "x", "expected_updated_at": 5}, "expected_updated_at"),
    ],
)
def test_a_bad_update_is_422_and_changes_nothing(
    api: Api, uid: str, body: dict[str, Any], field: str
) -> None:
    made = api.add("Kept.", user_id=uid)
    path = f"/v1/memories/{made['id']}"
    refused(api.patch(path, body), 422, "invalid_request", field)
    now = ok(api.get(path))
    assert (now["content"], now["updated_at"]) == ("Kept.", made["updated_at"])


def test_updates_in_a_row_each_have_a_later_time(api: Api, uid: str) -> None:
    made = api.add("0", user_id=uid)
    times = [made["updated_at"]]
    for n in range(1, 4):
        times.append(ok(api.patch(f"/v1/memories/{made['id']}", {"content": str(n)}))["updated_at"])
    assert sorted(set(times), key=clock.read) == times


def test_of_two_updates_that_expect_the_same_time_one_wins(api: Api, uid: str) -> None:
    """Parallel updates with one `expected_updated_at`: a single 200, the rest 409."""
    made = api.add("First.", user_id=uid, metadata={"k": 1})
    path = f"/v1/memories/{made['id']}"

    def send(n: int) -> int:
        body = {"content": f"Version {n}.", "expected_updated_at": made["updated_at"]}
        return api.patch(path, body).status_code

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(send, range(4)))
    assert sorted(codes) == [200, 409, 409, 409]
    now = ok(api.get(path))
    assert now["content"] == f"Version {codes.index(200)}."
    kept = ("metadata", "user_id", "created_at")
    assert [now[name] for name in kept] == [made[name] for name in kept]


def test_a_replacement_said_again_does_not_undo_what_was_said_since(api: Api, uid: str) -> None:
    first = api.told("I switched from Vim to Emacs.", uid)
    api.told("I switched from Emacs to Vim.", uid)
    before = api.facts(user_id=uid, include_invalidated=True)
    assert [fact["object"] for fact in api.facts(user_id=uid)] == ["Vim"]
    ok(api.patch(f"/v1/memories/{first['id']}", {"content": "I switched from Vim to Emacs."}))
    api.settle(uid)
    assert [fact["object"] for fact in api.facts(user_id=uid)] == ["Vim"]
    assert api.facts(user_id=uid, include_invalidated=True) == before
