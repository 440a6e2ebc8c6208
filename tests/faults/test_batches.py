"""Batches while their worker stands still or is killed: nothing is lost, repeated or paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.api_client import Api, Box, ok, refused, unique, wait_for
from tests.concurrency.at_once import at_once, clients, statuses
from tests.faults.rig import Rig, all_memories

ERASED = "erased before it was stored"
Job = dict[str, Any]


def send(api: Api, items: list[dict[str, Any]]) -> Job:
    return ok(api.post("/v1/batch", {"memories": items}), 202)


def of(*users: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"content": f"Text {n}.", "user_id": who, **fields} for n, who in enumerate(users)]


def finished(api: Api, job: Job) -> Job:
    def look() -> Job | None:
        seen = ok(api.get(f"/v1/batch/{job['id']}"))
        return seen if seen["status"] == "completed" else None

    return wait_for("the batch", look, 120)


def contents(api: Api) -> list[str]:
    """Texts of the memories, oldest first."""
    return [memory["content"] for memory in reversed(all_memories(api))]


@contextmanager
def running_at_most(rig: Rig, most: int) -> Iterator[None]:
    """The plan of the rig's account allows so many running batches."""
    change = "UPDATE billing_plan SET running_batches = %s WHERE slug = 'self_hosted'"
    rig.change(change, most)
    try:
        yield
    finally:
        rig.change(change, None)


def test_of_12_batches_at_once_exactly_as_many_run_as_the_plan_allows(rig: Rig) -> None:
    box, spent = rig.box(), rig.spent()[0]
    other = rig.box()  # another project of the account
    with running_at_most(rig, 3):
        with rig.frozen("worker"):
            apis = clients(box.api, 6) + clients(other.api, 6)
            sent = at_once([lambda api=api: api.post("/v1/batch", body(2)) for api in apis])
            assert statuses(sent) == [202] * 3 + [429] * 9
            for answer in sent:
                if answer.status_code == 429:
                    refused(answer, 429, "too_many_batches")
                    assert "retry-after" not in answer.headers
            assert rig.spent()[0] == spent + 6
            refused(box.api.post("/v1/batch", body(1)), 429, "too_many_batches")
            box.api.add("One memory is no batch.")
        for answer, api in zip(sent, apis, strict=True):
            if answer.status_code == 202:
                assert finished(api, answer.json())["imported"] == 2
        assert finished(box.api, send(box.api, of("u")))["imported"] == 1


def body(count: int) -> dict[str, Any]:
    return {"memories": of(*["u"] * count)}


def test_a_worker_killed_again_and_again_stores_every_item_once_and_in_order(rig: Rig) -> None:
    box, spent = rig.box(), rig.spent()[0]
    filler = "The harbour was calm and the boats lay still. " * 12
    items = [{"content": f"{n}. {filler}", "user_id": f"u{n % 3}"} for n in range(120)]
    items[70]["content"] = " "
    with rig.frozen("worker"):
        job = send(box.api, items)

    def stored(least: int) -> bool:
        return int(ok(box.api.get(f"/v1/batch/{job['id']}"))["imported"]) >= least

    for least in (1, 60):
        wait_for("the worker to be in the middle", lambda least=least: stored(least))
        rig.kill("worker")
    end = finished(box.api, job)
    assert (end["imported"], end["errors"]) == (119, [{"index": 70, "error": "content is empty"}])
    expected = [item["content"].strip() for item in items if item["content"].strip()]
    assert contents(box.api) == expected
    project = box.project["id"]
    assert rig.count("memories_batchitem", project) == 0
    assert rig.spent()[0] == spent + 119
    written = "SELECT count(*) FROM billing_auditevent WHERE project_id = %s AND action = 'write'"
    assert rig.rows(written, project.removeprefix("prj_")) == [(119,)]
    box.api.settle()
    assert rig.statuses(project) == {"ready": 119}


def test_a_web_server_killed_while_it_takes_batches_has_taken_writes_for_those_it_kept_alone(
    rig: Rig,
) -> None:
    box, spent = rig.box(), rig.spent()[0]
    apis = clients(box.api, 4)
    big = {"memories": [{"content": f"Item {n} of many."} for n in range(400)]}

    def one(api: Api) -> httpx.Response | None:
        try:
            return api.post("/v1/batch", big)
        except httpx.HTTPError:
            return None

    def kill() -> None:
        wait_for("a batch", lambda: rig.count("memories_batch", box.project["id"]))
        rig.kill("web")

    with rig.frozen("worker"):
        answers = at_once([*[lambda api=api: one(api) for api in apis], kill])
        rig.await_ready()
        kept = rig.rows(
            "SELECT coalesce(sum(received), 0), count(*) FROM memories_batch WHERE project_id = %s",
            box.project["id"].removeprefix("prj_"),
        )
        received, jobs = (int(value) for value in kept[0])
        assert rig.spent()[0] == spent + received
        assert rig.count("memories_batchitem", box.project["id"]) == received == jobs * 400
        assert jobs >= sum(1 for answer in answers if answer is not None)
        ok(rig.boot.delete(f"/admin/projects/{box.project['id']}", erase="true"))
        assert rig.spent()[0] == spent


def test_what_waits_of_an_erased_user_is_never_stored_and_gives_its_writes_back(rig: Rig) -> None:
    box, spent, secret = rig.box(), rig.spent()[0], unique("secret")
    with rig.frozen("worker"):
        job = send(box.api, of("u", "v", "u", "v"))
        alone = send(box.api, [{"content": secret, "user_id": "u"}])
        assert rig.spent()[0] == spent + 5
        receipt = ok(box.api.delete("/v1/users/u/memories"))
        assert receipt["memories_deleted"] == 0
        assert rig.spent()[0] == spent + 2
        held = "SELECT user_id FROM memories_batchitem WHERE project_id = %s"
        rows = rig.rows(held, box.project["id"].removeprefix("prj_"))
        assert rows == [("v",), ("v",)]
        named = "SELECT user_ids FROM memories_batch WHERE project_id = %s ORDER BY id"
        rows = rig.rows(named, box.project["id"].removeprefix("prj_"))
        assert rows == [(["v"],), ([],)]
    end = finished(box.api, job)
    assert (end["imported"], end["failed"]) == (2, 2)
    assert end["errors"] == [{"index": n, "error": ERASED} for n in (0, 2)]
    assert finished(box.api, alone)["errors"] == [{"index": 0, "error": ERASED}]
    assert contents(box.api) == ["Text 1.", "Text 3."]
    assert rig.spent()[0] == spent + 2


def test_what_waits_of_a_purged_agent_is_never_stored(rig: Rig) -> None:
    box, spent = rig.box(), rig.spent()[0]
    with rig.frozen("worker"):
        job = send(box.api, [*of("u", agent_id="bot"), *of("u", agent_id="other"), *of("u")])
        assert ok(box.api.delete("/v1/agents/bot"))["memories_deleted"] == 0
        refused(box.api.delete("/v1/agents/bot"), 404, "not_found")
        assert rig.spent()[0] == spent + 2
    end = finished(box.api, job)
    assert (end["imported"], end["errors"]) == (2, [{"index": 0, "error": ERASED}])
    agents = ok(box.api.get("/v1/agents"))["agents"]
    assert [agent["agent_id"] for agent in agents] == ["other"]


def test_what_waits_in_a_deleted_project_goes_with_it(rig: Rig) -> None:
    erased, moved, spent = rig.box(), rig.box(), rig.spent()[0]
    user = unique("moved")
    with rig.frozen("worker"):
        send(erased.api, of("u", "v"))
        job = send(moved.api, of(user, user, user))
        assert rig.spent()[0] == spent + 5
        for box, erase in ((erased, "true"), (moved, "false")):
            ok(rig.boot.delete(f"/admin/projects/{box.project['id']}", erase=erase))
        assert rig.spent()[0] == spent + 3
        assert rig.count("memories_batchitem", erased.project["id"]) == 0
    # Its key sees the default project now, where the batch went on.
    assert finished(moved.api, job)["imported"] == 3
    found = ok(moved.api.get("/v1/memories", user_id=user))["memories"]
    assert [memory["content"] for memory in found] == ["Text 2.", "Text 1.", "Text 0."]
    assert rig.spent()[0] == spent + 3


def test_texts_that_cannot_be_embedded_are_reported_and_give_their_writes_back(rig: Rig) -> None:
    box, spent = rig.box(), rig.spent()[0]
    with rig.broken_model("worker"):
        end = finished(box.api, send(box.api, of("u", "v")))
        assert end["errors"] == [
            {"index": n, "error": "the text could not be embedded"} for n in (0, 1)
        ]
        assert rig.spent()[0] == spent
    assert contents(box.api) == []
    assert finished(box.api, send(box.api, of("u")))["imported"] == 1


def test_a_broker_killed_with_all_its_data_loses_no_batch(rig: Rig) -> None:
    box: Box = rig.box()
    with rig.frozen("worker"):
        jobs = [send(box.api, of(*[f"u{n}"] * 20)) for n in range(3)]
        rig.kill("valkey")
        wait_for("the broker", lambda: rig.checks().get("broker") == "ok")
    assert [finished(box.api, job)["imported"] for job in jobs] == [20, 20, 20]
