"""Every string that breaks careless software, in every other place that takes text."""

from __future__ import annotations

import re
from typing import Any

from tests.api.nasty import STRINGS
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, wait_for

TEXTS = [text for _, text in STRINGS]
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
LINES = {"Content-Type": "application/x-ndjson"}


def is_id(text: str) -> bool:
    """Whether the text may be the id of an end user or an agent."""
    spelled = text not in {".", ".."} and "/" not in text and not CONTROLS.search(text)
    return spelled and 1 <= len(text) <= 255 and bool(text.strip())


def test_every_one_is_a_question_or_a_422_that_names_it(api: Api, uid: str) -> None:
    api.add("Something to find.", user_id=uid)
    for text in TEXTS:
        searched = api.post("/v1/memories/search", {"query": text, "user_id": uid})
        asked = api.get("/v1/context", query=text, user_id=uid)
        if len(text) > 2_000:
            refused(searched, 422, "invalid_request", "query")
            refused(asked, 422, "invalid_request", "query")
        else:
            assert len(ok(searched)["results"]) == 1
            assert "Something to find." in ok(asked)["context"]


def test_every_one_is_an_id_of_a_batch_or_refuses_it_whole(fresh: WatchedBox) -> None:
    items: list[dict[str, Any]] = [
        {
            "content": text,
            "user_id": text,
            "agent_id": text,
            "run_id": text,
            "metadata": {"t": text},
        }
        for text in TEXTS
    ]
    for item in items:
        if not is_id(item["user_id"]):
            told = refused(
                fresh.api.post("/v1/batch", {"memories": [item]}), 422, "invalid_request"
            )
            assert {entry["loc"][:2] == ["body", "memories"] for entry in told["detail"]} == {True}
    fine = [item for item in items if is_id(item["user_id"])]
    assert len(fine) > 60
    job = ok(fresh.api.post("/v1/batch", {"memories": fine}), 202)

    def ended() -> dict[str, Any]:
        found = ok(fresh.api.get(f"/v1/batch/{job['id']}"))
        return found if found["status"] == "completed" else {}

    done = wait_for("the batch", ended)
    assert (done["imported"], done["failed"]) == (len(fine), 0)
    for item in fine:
        (memory,) = ok(
            fresh.api.get("/v1/memories", user_id=item["user_id"], agent_id=item["agent_id"])
        )["memories"]
        assert {name: memory[name] for name in item} == {**item, "content": item["content"].strip()}


def test_every_one_is_an_object_of_a_fact_and_survives_an_export(
    fresh: WatchedBox, boot: Api, uid: str
) -> None:
    short = [text for text in TEXTS if len(text) <= 500]
    written = {}
    for number, text in enumerate(short):
        # A subject each: an object said again in another form would be the same fact.
        body = {"subject": f"List {number}", "predicate": "holds", "object": text, "user_id": uid}
        fact = ok(fresh.api.post("/v1/facts", body), 201)
        assert fact["object"] == text.strip()
        written[fact["id"]] = fact["object"]
    memory = fresh.api.add("First.", user_id=uid)
    changed = {}
    for text in TEXTS[:20]:
        path = f"/v1/memories/{memory['id']}"
        changed[text] = ok(fresh.api.patch(path, {"content": text}))["content"]
        assert changed[text] == text.strip()
    fresh.api.settle(uid)
    raw = fresh.api.get("/v1/export").content
    other = WatchedBox(boot, fresh.oracle)
    told = ok(other.api.request("POST", "/v1/import", content=raw, headers=LINES))
    assert told["complete"] and not told["errors"]
    query = {"user_id": uid, "predicate": "holds", "limit": 200}
    assert {fact["id"]: fact["object"] for fact in other.api.facts(**query)} == written
    assert ok(other.api.get(f"/v1/memories/{memory['id']}"))["content"] == TEXTS[19].strip()
