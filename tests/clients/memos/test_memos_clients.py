"""What both generations of the official MemOS client do, against the live server."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.api_client import Api, Box, unique, wait_for
from tests.clients.memos.client import Memos, Raised

JAZZ = [
    {"role": "user", "content": "I like jazz and I live in Bergen."},
    {"role": "assistant", "content": "Noted."},
]
LISTS = ("memory_detail_list", "preference_detail_list", "tool_memory_detail_list")


def ok(client: Memos, kind: str, answer: dict[str, Any]) -> Any:
    """The data of an answer that the client read as an object of this class."""
    assert (client.kind, answer["code"], answer["message"]) == (kind, 0, "ok")
    return answer["data"]


def say(client: Memos, uid: str, text: str, conversation: str = "c1", **fields: Any) -> Any:
    lines = [{"role": "user", "content": text}]
    added = client.add_message(lines, uid, conversation, async_mode=False, **fields)
    return ok(client, "MemOSAddResponse", added)


def status_of(client: Memos, task_id: str) -> dict[str, Any]:
    """The older client reads the list of one as it is, the newer one the object in it."""
    data = ok(client, "MemOSGetTaskStatusResponse", client.get_task_status(task_id))
    (one,) = data if isinstance(data, list) else [data]
    found: dict[str, Any] = one
    return found


def texts(data: dict[str, Any]) -> list[str]:
    return [one["memory_value"] for one in data["memory_detail_list"]]


def listed(client: Memos, uid: str) -> dict[str, Any]:
    found: dict[str, Any] = ok(client, "MemOSGetMemoryResponse", client.get_memory(uid))
    return found


def test_a_conversation_goes_in_and_is_found_listed_and_read(memos: Memos, uid: str) -> None:
    added = ok(memos, "MemOSAddResponse", memos.add_message(JAZZ, uid, "c1", async_mode=False))
    assert (added["success"], added["status"]) == (True, "completed")
    assert status_of(memos, added["task_id"])["status"] == "completed"
    found = ok(memos, "MemOSSearchResponse", memos.search_memory("What music?", uid, "c1"))
    said = "user: I like jazz and I live in Bergen.\nassistant: Noted."
    assert texts(found)[0] == said
    (preference,) = found["preference_detail_list"]
    assert preference["preference"] == "The user likes jazz."
    assert found["tool_memory_detail_list"] == []
    assert found["preference_note"].startswith("# Note")
    assert said in texts(listed(memos, uid))
    read = ok(memos, "MemOSGetMessagesResponse", memos.get_message(uid, "c1"))
    assert [(one["role"], one["content"]) for one in read["message_detail_list"]] == [
        (one["role"], one["content"]) for one in JAZZ
    ]


def test_an_add_that_does_not_wait_is_found_at_once_and_its_task_completes(
    memos: Memos, uid: str
) -> None:
    added = ok(memos, "MemOSAddResponse", memos.add_message(JAZZ, uid, "c1"))
    assert added["status"] == "running"
    assert texts(ok(memos, "MemOSSearchResponse", memos.search_memory("jazz", uid, "c1")))
    wait_for("the task", lambda: status_of(memos, added["task_id"])["status"] == "completed")


def test_every_keyword_of_an_add_and_a_search_is_taken(memos: Memos, uid: str) -> None:
    base = memos.create_knowledgebase("Told", "of adds")["data"]["id"]
    say(
        memos,
        uid,
        "Where is the boiler?",
        info={"scene": "home", "n": 3},
        source="tests",
        app_id="app",
        agent_id="bot",
        tags=["t1"],
        allow_public=True,
        allow_knowledgebase_ids=[base],
    )
    found = memos.search_memory(
        "boiler",
        uid,
        "c1",
        memory_limit_number=3,
        include_preference=False,
        knowledgebase_ids=[base],
        filter={"and": [{"app_id": "app"}, {"scene": "home"}, {"tags": {"contains": "t1"}}]},
        source="tests",
        include_tool_memory=True,
        preference_limit_number=2,
        tool_memory_limit_number=2,
    )
    data = ok(memos, "MemOSSearchResponse", found)
    assert texts(data) == ["user: Where is the boiler?"]
    assert data["memory_detail_list"][0]["tags"] == ["t1"]
    memos.delete_knowledgebase(base)


def test_feedback_corrects_what_is_remembered(memos: Memos, uid: str) -> None:
    say(memos, uid, "I work at Siemens.")
    told = memos.add_feedback(uid, "c1", "Siemens should be Bosch")
    data = ok(memos, "MemOSAddFeedBackResponse", told)
    assert data["success"] is True
    wait_for("the task", lambda: status_of(memos, data["task_id"])["status"] == "completed")
    facts = [one for one in texts(listed(memos, uid)) if " works at " in one]
    assert facts == [f"{uid} works at Bosch"]


def test_ids_are_deleted(memos: Memos, api: Api, uid: str) -> None:
    say(memos, uid, "Where is the key?")
    say(memos, uid, "Where is the lamp?", "c2")
    wanted, other = listed(memos, uid)["memory_detail_list"]
    gone = memos.delete_memory(user_ids=[uid], memory_ids=[wanted["id"]])
    assert ok(memos, "MemOSDeleteMemoryResponse", gone) == {"success": True}
    assert [one["id"] for one in listed(memos, uid)["memory_detail_list"]] == [other["id"]]
    assert api.get(f"/v1/memories/{wanted['id']}").status_code == 404


def test_documents_are_added_found_and_deleted(memos: Memos, tmp_path: Path, uid: str) -> None:
    made = memos.create_knowledgebase("Manuals", "of the house")
    base = ok(memos, "MemOSCreateKnowledgebaseResponse", made)["id"]
    pump = b64encode(b"The pump is blue.").decode()
    sent = memos.add_knowledgebase_file_json(base, [{"name": "pump.txt", "content": pump}])
    (first,) = ok(memos, "MemOSAddKnowledgebaseFileResponse", sent)
    note = tmp_path / "boiler.md"
    note.write_text("# Boiler\nThe pressure is two bar.")
    sent = memos.add_knowledgebase_file_form(base, [str(note)])
    (second,) = ok(memos, "MemOSAddKnowledgebaseFileResponse", sent)
    ids = [first["id"], second["id"]]

    def read() -> list[dict[str, Any]] | None:
        data = ok(memos, "MemOSGetKnowledgebaseFileResponse", memos.get_knowledgebase_file(ids))
        files: list[dict[str, Any]] = data["file_detail_list"]
        return files if all(one["status"] == "completed" for one in files) else None

    files = wait_for("the files", read)
    assert {one["name"] for one in files} == {"pump.txt", "boiler.md"}
    found = memos.search_memory("pump", uid, "c1", knowledgebase_ids=[base])["data"]
    assert texts(found)[0] == "The pump is blue."
    assert found["memory_detail_list"][0]["memory_key"] == "pump.txt"
    gone = memos.delete_knowledgebase_file([ids[0]])
    assert ok(memos, "MemOSDeleteKnowledgebaseResponse", gone) == {"success": True}
    found = memos.search_memory("pump", uid, "c1", knowledgebase_ids=[base])["data"]
    assert "The pump is blue." not in texts(found)
    gone = memos.delete_knowledgebase(base)
    assert ok(memos, "MemOSDeleteKnowledgebaseResponse", gone) == {"success": True}
    with pytest.raises(Raised) as raised:
        memos.search_memory("pump", uid, "c1", knowledgebase_ids=[base])
    assert (raised.value.status, raised.value.told["code"]) == (404, 50123)


def test_a_refusal_is_an_exception_and_stores_nothing_however_often(
    memos: Memos, fresh: Box
) -> None:
    uid = unique("user")
    memos.connect(fresh.api.base_url, str(fresh.api.key))
    wrong = [{"role": "nobody", "content": "I like jazz."}]
    with pytest.raises(Raised) as raised:
        memos.add_message(wrong, uid, "c1")
    assert (raised.value.name, raised.value.status) == ("HTTPError", 400)
    assert raised.value.told["code"] == 40000
    assert "role" in raised.value.told["message"]
    assert fresh.api.get("/v1/memories").json()["total"] == 0
    assert memos.get_message(uid, "c1")["data"]["message_detail_list"] == []
    memos.connect(fresh.api.base_url, "kor_self_" + "0" * 32)
    with pytest.raises(Raised) as raised:
        memos.search_memory("x", uid, "c1")
    assert (raised.value.status, raised.value.told["code"]) == (401, 40132)


def test_chat_says_that_there_is_no_language_model(memos: Memos, uid: str) -> None:
    with pytest.raises(Raised) as raised:
        memos.chat(uid, "c1", "What now?")
    assert (raised.value.status, raised.value.told["code"]) == (503, 50002)
