"""What the newer MemOS client alone has, and what the evaluation's own client asserts."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.api_client import Api, Box, unique
from tests.clients.memos.client import Memos, Raised
from tests.clients.memos.test_memos_clients import LISTS, listed, ok, say, texts


def test_lists_are_narrowed_by_agent_view_filter_floor_and_page(new: Memos, uid: str) -> None:
    say(new, uid, "Where is the red key?", agent_id="one")
    say(new, uid, "Where is the blue key?", agent_id="two", info={"n": 2})
    page = ok(new, "MemOSGetMemoryResponse", new.get_memory(uid, page=2, size=1))
    assert texts(page) == ["user: Where is the red key?"]
    assert [page[name] for name in ("total", "size", "current", "pages")] == [2, 1, 2, 2]
    kept = new.get_memory(uid, filter={"and": [{"n": {"gte": 2}}]}, include_tool_memory=False)
    assert texts(kept["data"]) == ["user: Where is the blue key?"]
    none = new.get_memory(uid, include_memory_view=["preference"])
    assert texts(none["data"]) == []
    found = ok(new, "MemOSSearchResponse", new.search_memory("key", uid, relativity=1))
    assert texts(found) == []
    assert [found[f"{name}_detail_list"] for name in ("skill", "profile", "event")] == [[], [], []]


def test_an_add_and_feedback_need_no_conversation(new: Memos, uid: str) -> None:
    lines = [{"role": "user", "content": "Where is the key?"}]
    added = ok(new, "MemOSAddResponse", new.add_message(lines, uid, async_mode=False))
    assert added["status"] == "completed"
    told = new.add_feedback(uid, feedback_content="The key is in the drawer.")
    assert ok(new, "MemOSAddFeedBackResponse", told)["success"] is True


def test_a_status_tells_what_an_add_came_to(new: Memos, uid: str) -> None:
    task = say(new, uid, "I like jazz.")["task_id"]
    data = ok(new, "MemOSGetTaskStatusResponse", new.get_task_status(task))
    assert (data["task_id"], data["status"]) == (task, "completed")
    (memory,) = listed(new, uid)["memory_detail_list"]
    assert data["memory_views"]["detail_factual"]["memory_ids"] == [memory["id"]]


def test_end_users_and_agents_are_erased(new: Memos, uid: str) -> None:
    agent = unique("agent")
    say(new, uid, "Where is the key?", agent_id=agent)
    say(new, uid, "Where is the lamp?", "c2")
    gone = ok(new, "MemOSDeleteMemoryResponse", new.delete_memory(agent_id=agent))
    assert gone == {"success": True}
    assert texts(listed(new, uid)) == ["user: Where is the lamp?"]
    new.delete_memory(user_id=uid)
    assert texts(listed(new, uid)) == []
    with pytest.raises(Raised) as raised:
        new.delete_memory(user_id=uid)
    assert (raised.value.status, raised.value.told["code"]) == (404, 40308)


def test_a_deletion_by_filter_or_type_is_refused_and_deletes_nothing(new: Memos, uid: str) -> None:
    say(new, uid, "Where is the key?")
    (memory,) = listed(new, uid)["memory_detail_list"]
    root = {"and": [{"app_id": "x"}]}
    for fields in ({"filter": root}, {"memory_ids": [memory["id"]], "memory_type": "LongTerm"}):
        with pytest.raises(Raised) as raised:
            new.delete_memory(**fields)
        assert (raised.value.status, raised.value.told["code"]) == (400, 40000)
    assert [one["id"] for one in listed(new, uid)["memory_detail_list"]] == [memory["id"]]


def test_files_of_a_base_are_listed_by_pages(new: Memos) -> None:
    base = new.create_knowledgebase("Manuals")["data"]["id"]
    content = "data:text/plain;base64,VGhlIHB1bXAgaXMgYmx1ZS4="
    files = [{"content": content, "name": f"{number}.txt"} for number in range(3)]
    assert len(new.add_knowledgebase_file_json(base, files)["data"]) == 3
    page = new.get_knowledgebase_file(knowledgebase_id=base, page=2, page_size=2)
    data = ok(new, "MemOSGetKnowledgebaseFileResponse", page)
    assert [data[name] for name in ("total", "page", "page_size")] == [3, 2, 2]
    assert len(data["file_detail_list"]) == 1
    new.delete_knowledgebase(base)


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("get_memory_by_id", {"memid": "mem_" + "0" * 32}),
        ("update_memory", {"memory_id": "mem_" + "0" * 32, "content": "x"}),
        ("extract_memory", {"messages": [{"role": "user", "content": "x"}]}),
        ("rerank", {"query": "x", "documents": ["y"]}),
        ("bind_profile_template", {"bind_list": [{"user_id": "u"}]}),
        ("edit_profile", {"profile_template_id": "p", "user_id": "u", "metadata": {}}),
        ("delete_profile", {"profile_template_id": "p", "user_id": "u"}),
    ],
)
def test_what_the_service_has_not_is_told_by_its_path(
    new: Memos, method: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(Raised) as raised:
        getattr(new, method)(**fields)
    assert (raised.value.status, raised.value.told["code"]) == (404, 50000)
    assert "/api/openmem/v1/" in raised.value.told["message"]


def test_a_search_of_an_agent_alone_is_asked_for_its_end_user(new: Memos) -> None:
    with pytest.raises(Raised) as raised:
        new.search_memory("x", agent_id="bot")
    assert (raised.value.status, raised.value.told["code"]) == (400, 40002)
    assert "user_id" in raised.value.told["message"]


def test_what_the_evaluation_asserts_holds(box: Box, api: Api, uid: str) -> None:
    headers = {"Content-Type": "application/json", "Authorization": f"Token {api.key}"}
    root = f"{box.api.base_url}/api/openmem/v1"

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = httpx.post(root + path, content=json.dumps(body), headers=headers, timeout=60)
        assert answer.status_code == 200
        assert answer.json()["message"] == "ok"
        found: dict[str, Any] = answer.json()["data"]
        return found

    line = {"role": "user", "content": "I like jazz.", "chat_time": "2023-05-08 13:56:00"}
    post("/add/message", {"messages": [line], "user_id": uid, "conversation_id": None})
    api.settle(uid)
    search = {"query": "music", "user_id": uid, "memory_limit_number": 20, "mode": "fast"}
    search |= {"include_preference": True, "preference_limit_number": 6}
    data = post("/search/memory", search)
    assert all(isinstance(data[name], list) for name in LISTS)
    assert [one["memory_value"] for one in data["memory_detail_list"]] == ["user: I like jazz."]
    assert data["preference_detail_list"][0]["preference"] == "The user likes jazz."
    assert isinstance(data["preference_note"], str)
