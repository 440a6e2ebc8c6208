"""The embedding model's files damaged: what needs it says so, everything else goes on."""

from __future__ import annotations

from tests.api_client import Api, ok, refused, wait_for
from tests.faults.rig import Rig, all_memories
from tests.faults.second_server import second_web_server

TRIPLE = {"subject": "u", "predicate": "likes", "object": "rum", "user_id": "u"}


def status(api: Api, memory_id: str) -> str:
    return str(ok(api.get(f"/v1/memories/{memory_id}"))["status"])


def attempts_logged(rig: Rig, memory_id: str) -> int:
    log = (rig.stack.data_dir / "logs" / "worker.log").read_text().splitlines()
    bare = memory_id.removeprefix("mem_")
    return sum('"memory.extraction_failed"' in line and bare in line for line in log)


def test_an_extraction_that_fails_ends_in_error_and_is_done_when_asked_again(rig):
    box = rig.box()
    with rig.broken_model("worker"):
        failing = box.api.add("I like tea.", user_id="u")["id"]
        plain = box.api.add("Good morning!", user_id="u")["id"]  # states no fact: needs no model
        updated = box.api.add("I like rum.", user_id="other")["id"]
        wait_for("the next memory", lambda: status(box.api, plain) == "ready")
        assert status(box.api, failing) != "ready"
        wait_for("the failing one to be given up", lambda: status(box.api, failing) == "error")
        wait_for("the other one too", lambda: status(box.api, updated) == "error")
        assert attempts_logged(rig, failing) == attempts_logged(rig, updated) == 3
        assert {memory["id"] for memory in all_memories(box.api)} == {failing, plain, updated}
        assert box.api.search("tea", user_id="u")[0]["id"] == failing
        events = ok(box.api.get("/v1/events", status="error"))
        assert [event["memory_id"] for event in events["events"]] == [updated, failing]
        assert events["processing"] == 0
        assert rig.count("work_work", box.project["id"]) == 0
        kinds = "SELECT failure FROM memories_memory WHERE project_id = %s AND id = %s"
        known = rig.rows(kinds, box.project["id"].removeprefix("prj_"), failing[4:])
        assert known == [("ModelUnavailable",)]
    ok(box.api.patch(f"/v1/memories/{updated}", {"content": "I like coffee."}))
    assert rig.manage("retry_failed") == "1 memories are being extracted again\n"
    box.api.settle()
    assert status(box.api, failing) == status(box.api, updated) == "ready"
    assert {fact["object"] for fact in box.api.facts()} == {"tea", "coffee"}


def test_a_text_whose_attempts_ended_with_their_workers_is_not_tried_for_ever(rig):
    box = rig.box()
    with rig.frozen("worker"):
        first = box.api.add("I like tea.", user_id="u")
        second = box.api.add("I like coffee.", user_id="u")
        rig.change(
            "UPDATE work_work SET attempts = 3 WHERE target_id = %s",
            first["id"].removeprefix("mem_"),
        )
    box.api.settle()
    assert (status(box.api, first["id"]), status(box.api, second["id"])) == ("error", "ready")
    kinds = "SELECT failure FROM memories_memory WHERE id = %s"
    assert rig.rows(kinds, first["id"].removeprefix("mem_")) == [("Abandoned",)]


def test_a_write_the_database_refuses_ends_in_error_and_not_in_endless_attempts(rig):
    box = rig.box()
    rig.alter("ALTER TABLE facts_fact ADD CONSTRAINT odd CHECK (object <> 'tea') NOT VALID")
    try:
        refused_one = box.api.add("I like tea.", user_id="u")
        other = box.api.add("I like coffee.", user_id="u")
        wait_for("the other", lambda: status(box.api, other["id"]) == "ready")
        wait_for("it to be given up", lambda: status(box.api, refused_one["id"]) == "error")
    finally:
        rig.alter("ALTER TABLE facts_fact DROP CONSTRAINT odd")
    assert [fact["object"] for fact in box.api.facts()] == ["coffee"]


def test_without_its_model_the_web_server_refuses_what_needs_it_and_answers_the_rest(rig):
    box = rig.box()
    made = box.api.told("I like tea.", "u")
    path = f"/v1/memories/{made['id']}"
    fact = f"/v1/facts/{made['facts'][0]['id']}"
    with rig.broken_model("web"):
        wait_for("the web server", lambda: rig.checks().get("model") == "failed")
        assert rig.checks() == {
            "database": "ok",
            "broker": "ok",
            "model": "failed",
            "migrations": "ok",
        }
        assert ok(rig.answer("/healthz")) == {"status": "ok"}
        spent = rig.spent()
        for response, code in (
            (box.api.post("/v1/memories", {"content": "x"}), "model_unavailable"),
            (box.api.patch(path, {"content": "I like coffee."}), "model_unavailable"),
            (box.api.post("/v1/facts", TRIPLE), "model_unavailable"),
            (box.api.patch(fact, {"object": "coffee"}), "model_unavailable"),
            (box.api.post("/v1/memories/search", {"query": "tea"}), "search_unavailable"),
            (
                box.api.post("/v1/memories/search", {"query": "tea", "types": ["facts"]}),
                "search_unavailable",
            ),
        ):
            refused(response, 503, code)
            assert response.headers["retry-after"] == "5"
        assert rig.spent() == spent
        block = box.api.context("tea", user_id="u")
        assert block["degraded"] is True
        assert set(block["degraded_parts"]) == {"facts", "memories"}
        assert block["context"].splitlines()[-1].startswith("NOTE: ")
        assert block["sources"] == [made["facts"][0]["id"], made["id"]]
        assert ok(box.api.get(path))["content"] == "I like tea."
        assert ok(box.api.get("/v1/memories"))["total"] == 1
        (kept,) = box.api.facts(include_invalidated=True)
        assert (kept["object"], kept["observation_count"]) == ("tea", 1)
        assert rig.spent() == (spent[0], spent[1] + 4)
        ok(box.api.post("/v1/users/u/names", {"name": "Una"}), 201)
        ok(box.api.post(f"{fact}/forget"))
    rig.await_ready()
    assert box.api.search("tea")
    assert box.api.context("tea", user_id="u")["degraded_parts"] == []
    box.api.told("I like coffee.", "u")


def test_a_paused_service_refuses_what_needs_the_model_and_answers_the_rest(rig):
    box = rig.box()
    made = box.api.told("I like tea.", "u")
    with second_web_server(rig.environment(), KORELY_PAUSED="1") as base:
        api = Api(base, box.api.key)
        spent = rig.spent()
        for response in (
            api.post("/v1/memories", {"content": "x"}),
            api.patch(f"/v1/memories/{made['id']}", {"content": "x"}),
            api.post("/v1/facts", TRIPLE),
            api.post("/v1/memories/search", {"query": "tea"}),
            api.get("/v1/context", query="tea"),
        ):
            refused(response, 503, "service_paused")
            assert response.headers["retry-after"] == "3600"
        assert rig.spent() == spent
        assert ok(api.get(f"/v1/memories/{made['id']}"))["content"] == "I like tea."
        assert ok(api.get("/v1/memories"))["total"] == 1
        assert len(api.facts(user_id="u")) == 1
        ok(api.get("/v1/events"))
        ok(api.get("/v1/ping"))
        ok(api.delete(f"/v1/memories/{made['id']}"))
