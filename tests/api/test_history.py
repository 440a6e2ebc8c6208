"""GET /v1/memories/{id}/history."""

from __future__ import annotations

from korely.kernel import clock
from tests.api_client import Api, ok, refused

ORDER = ["created", "updated", "fact_extracted", "fact_invalidated", "deleted"]


def test_history_tells_the_life_of_a_memory_in_order(api: Api, uid: str) -> None:
    made = api.told("I live in Rome.", uid)
    path = f"/v1/memories/{made['id']}"
    (rome,) = api.facts(user_id=uid)
    done = ok(api.patch(path, {"content": "I live in Milan."}))
    api.settle(uid)
    (milan,) = api.facts(user_id=uid)
    receipt = ok(api.delete(path))
    history = ok(api.get(f"{path}/history"))
    assert history["id"] == made["id"]
    events = history["events"]
    assert (events[0]["event"], events[0]["at"]) == ("created", made["created_at"])
    assert events[-1]["event"] == "deleted"
    times = [clock.read(one["at"]) for one in events]
    assert times == sorted(times)
    ranks = [(at, ORDER.index(one["event"])) for at, one in zip(times, events, strict=True)]
    assert ranks == sorted(ranks)
    updated = [one["at"] for one in events if one["event"] == "updated"]
    assert updated == [done["updated_at"]]
    told = [(one["event"], one["fact_id"], one["fact"]) for one in events if one["fact"]]
    assert told == [
        ("fact_extracted", rome["id"], f"{uid} lives_in Rome"),
        *sorted(
            [
                ("fact_extracted", milan["id"], f"{uid} lives_in Milan"),
                ("fact_invalidated", rome["id"], f"{uid} lives_in Rome"),
            ]
        ),
        ("fact_invalidated", milan["id"], f"{uid} lives_in Milan"),
    ]
    for one in events:
        assert (one["fact_id"] is None) == (not one["event"].startswith("fact_"))
    assert receipt["facts_invalidated"] == 1


def test_a_fact_s_time_is_when_this_memory_became_a_source(api: Api, uid: str) -> None:
    first = api.told("I live in Rome.", uid)
    second = api.told("I live in Rome.", uid)
    (fact,) = api.facts(user_id=uid)
    events = [
        ok(api.get(f"/v1/memories/{one['id']}/history"))["events"][1] for one in (first, second)
    ]
    assert [one["event"] for one in events] == ["fact_extracted"] * 2
    assert [one["fact_id"] for one in events] == [fact["id"]] * 2
    assert clock.read(events[0]["at"]) < clock.read(second["created_at"])
    assert clock.read(events[1]["at"]) > clock.read(second["created_at"])


def test_a_memory_without_facts_has_one_event(api: Api, uid: str) -> None:
    made = api.told("What is the weather like today?", uid)
    history = ok(api.get(f"/v1/memories/{made['id']}/history"))["events"]
    assert history == [
        {"event": "created", "at": made["created_at"], "fact": None, "fact_id": None}
    ]


def test_history_of_another_project_s_memory_is_404(api: Api, stranger: Api, uid: str) -> None:
    made = api.add("Mine.", user_id=uid)
    refused(stranger.get(f"/v1/memories/{made['id']}/history"), 404, "not_found")
