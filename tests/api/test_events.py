"""GET /v1/events."""

from __future__ import annotations

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused


def test_status_goes_from_processing_to_ready_and_events_tell(fresh: WatchedBox) -> None:
    made = fresh.api.add("I live in Rome.", user_id="a", agent_id="bot")
    assert made["status"] == "processing"
    fresh.api.settle()
    answer = ok(fresh.api.get("/v1/events"))
    assert answer == {
        "events": [
            {
                "memory_id": made["id"],
                "user_id": "a",
                "agent_id": "bot",
                "status": "ready",
                "created_at": made["created_at"],
            }
        ],
        "processing": 0,
    }
    assert ok(fresh.api.get(f"/v1/memories/{made['id']}"))["status"] == "ready"


def test_events_are_newest_first_and_status_filters_before_the_limit(api: Api, uid: str) -> None:
    ids = [api.add(f"Note {n}.", user_id=uid)["id"] for n in range(4)][::-1]
    api.settle(uid)

    def listed(**query: object) -> list[str]:
        events = ok(api.get("/v1/events", user_id=uid, **query))["events"]
        return [one["memory_id"] for one in events]

    assert listed() == ids
    assert listed(limit=2) == ids[:2]
    assert listed(status="ready", limit=3) == ids[:3]
    assert listed(status="error") == []
    assert listed(status="processing") == []
    ok(api.delete(f"/v1/memories/{ids[0]}"))
    assert listed() == ids[1:]


def test_processing_counts_whatever_status_and_limit_say(fresh: WatchedBox) -> None:
    for n in range(6):
        fresh.api.add(f"I like thing{n}.", user_id="busy")
    answer = ok(fresh.api.get("/v1/events", status="error", limit=1, user_id="busy"))
    assert answer["events"] == []
    assert 0 <= answer["processing"] <= 6
    assert ok(fresh.api.get("/v1/events", user_id="idle"))["processing"] == 0
    fresh.api.settle()
    assert ok(fresh.api.get("/v1/events", status="processing", limit=1))["processing"] == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("status", "done"), ("status", "Ready"), ("status", ""), ("limit", 0), ("limit", 201)],
)
def test_a_refused_value_is_422_naming_it(api: Api, name: str, value: object) -> None:
    refused(api.get("/v1/events", **{name: value}), 422, "invalid_request", name)


def test_extraction_that_failed_leaves_the_memory_searchable_and_can_be_tried_again(
    fresh: WatchedBox,
) -> None:
    """A memory whose attempts are spent is `error`; put back to work it becomes ready."""
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory
    from memories.services import retry_failed

    made = fresh.api.told("I live in Rome.", "a")
    project, memory = parse("prj", fresh.project["id"]), parse("mem", made["id"])
    assert project is not None
    with project_scope(project):
        Memory.objects.filter(id=memory).update(status=Memory.ERROR)
    answer = ok(fresh.api.get("/v1/events", status="error"))
    assert [one["memory_id"] for one in answer["events"]] == [made["id"]]
    assert answer["processing"] == 0
    assert [hit["id"] for hit in fresh.api.search("Rome")] == [made["id"]]
    assert retry_failed(project_id=project) == 1
    fresh.api.settle()
    assert ok(fresh.api.get(f"/v1/memories/{made['id']}"))["status"] == "ready"
    (fact,) = fresh.api.facts(include_invalidated=True)
    assert fact["observation_count"] == 1
