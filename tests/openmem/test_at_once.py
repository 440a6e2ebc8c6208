"""Calls of the dialect that run at the same time as themselves."""

from __future__ import annotations

from functools import partial
from typing import Any

import httpx

from tests.api_client import unique
from tests.concurrency.at_once import at_once, statuses
from tests.openmem.client import Mos, denied, good


def several(mos: Mos, path: str, headers: Any = None, /, **body: Any) -> list[httpx.Response]:
    """The same call four times at once, each over a connection of its own."""
    key = mos.http.headers["authorization"].partition(" ")[2]
    made = [Mos(str(mos.http.base_url), key) for _ in range(4)]
    return at_once([partial(one.post, path, headers, **body) for one in made])


def test_one_key_takes_a_conversation_in_once(mos: Mos, uid: str) -> None:
    messages = [{"role": "user", "content": "Where is the key?"}]
    key = {"Idempotency-Key": unique("key")}
    answers = several(mos, "/add/message", key, user_id=uid, messages=messages)
    assert len({good(one)["task_id"] for one in answers}) == 1
    assert mos.listed(uid)["total"] == 1


def test_without_a_key_the_same_bytes_are_one_sent_again(mos: Mos, uid: str) -> None:
    body = {"user_id": uid, "conversation_id": "c", "async_mode": False}
    messages = [{"role": "user", "content": "I like jazz."}]
    answers = several(mos, "/add/message", **body, messages=messages)
    assert len({good(one)["task_id"] for one in answers}) == 1
    found = mos.data("/get/message", user_id=uid, conversation_id="c")["message_detail_list"]
    assert len(found) == 1
    assert len(mos.listed(uid)["preference_detail_list"]) == 1


def test_an_item_is_deleted_by_one_of_them(mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.")
    listed = mos.listed(uid)
    ids = [
        one["id"]
        for name in ("memory_detail_list", "preference_detail_list")
        for one in listed[name]
    ]
    answers = several(mos, "/delete/memory", memory_ids=ids)
    assert statuses(answers) == [200, 404, 404, 404]
    for one in answers:
        if one.status_code == 404:
            denied(one, 404, 40307)
    assert mos.listed(uid)["total"] == 0


def test_feedback_corrects_once(mos: Mos, uid: str) -> None:
    mos.say(uid, "I work at Siemens.")
    text = "Siemens should be Bosch"
    for one in several(mos, "/add/feedback", user_id=uid, feedback_content=text):
        good(one)
    facts = [one for one in mos.listed(uid)["memory_detail_list"] if one["id"].startswith("fct")]
    assert [one["memory_value"] for one in facts] == [f"{uid} works at Bosch"]
