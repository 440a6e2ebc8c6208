"""When an add without a key is one sent again, and when it is meant."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, unique
from tests.openmem.client import Mos, texts


def add(mos: Mos, uid: str, text: str = "I like jazz.", **fields: Any) -> str:
    """The task of an add that waits."""
    task: str = mos.say(uid, text, **fields)["task_id"]
    return task


def messages(mos: Mos, uid: str) -> list[str]:
    found = mos.data("/get/message", user_id=uid, conversation_id="c1")["message_detail_list"]
    return [one["content"] for one in found]


def test_the_same_bytes_by_the_same_key_are_told_their_first_task(
    fresh: Box, fresh_mos: Mos, uid: str
) -> None:
    assert len({add(fresh_mos, uid) for _ in range(3)}) == 1
    assert ok(fresh.api.get("/v1/memories", user_id=uid))["total"] == 1
    assert messages(fresh_mos, uid) == ["I like jazz."]
    other = Mos(fresh.api.base_url, fresh.key().key)
    add(other, uid)
    assert messages(fresh_mos, uid) == ["I like jazz."] * 2


def test_other_words_another_conversation_and_a_key_of_its_own_are_meant(
    mos: Mos, uid: str
) -> None:
    tasks = {
        add(mos, uid),
        add(mos, uid, tags=["x"]),
        add(mos, uid, conversation_id="c2"),
        add(mos, unique("other")),
    }
    body = {"user_id": uid, "conversation_id": "c1", "async_mode": False}
    said = [{"role": "user", "content": "I like jazz."}]
    for _ in range(2):
        header = {"Idempotency-Key": unique("key")}
        answer = mos.post("/add/message", header, **body, messages=said)
        tasks.add(answer.json()["data"]["task_id"])
    assert len(tasks) == 6


def test_what_is_said_after_something_else_is_meant(mos: Mos, uid: str) -> None:
    first = add(mos, uid, "Next.")
    add(mos, uid, "Blue.")
    assert add(mos, uid, "Next.") != first
    assert messages(mos, uid) == ["Next.", "Blue.", "Next."]


@pytest.mark.parametrize("what", ["memory", "preference", "user"])
def test_what_was_deleted_and_is_said_again_is_stored_again(
    api: Api, mos: Mos, uid: str, what: str
) -> None:
    first = add(mos, uid)
    listed = mos.listed(uid)
    if what == "memory":
        mos.data("/delete/memory", memory_ids=[listed["memory_detail_list"][0]["id"]])
    elif what == "preference":
        ok(api.post(f"/v1/facts/{listed['preference_detail_list'][0]['id']}/forget"))
    else:
        ok(api.delete(f"/v1/users/{uid}/memories"))
    assert add(mos, uid) != first
    assert texts(mos.listed(uid)) == ["user: I like jazz."]
    preferences = mos.listed(uid)["preference_detail_list"]
    assert [one["preference"] for one in preferences] == ["The user likes jazz."]


def test_what_was_corrected_or_changed_and_is_said_again_is_stored_again(
    api: Api, mos: Mos, uid: str
) -> None:
    first = add(mos, uid, "I live in Rome.")
    mos.data("/add/feedback", user_id=uid, feedback_content="Rome should be Oslo")
    second = add(mos, uid, "I live in Rome.")
    assert second != first
    (memory,) = [
        one for one in mos.listed(uid)["memory_detail_list"] if one["memory_value"][:5] == "user:"
    ]
    ok(api.patch(f"/v1/memories/{memory['id']}", {"content": "user: I live in Bergen."}))
    assert add(mos, uid, "I live in Rome.") not in {first, second}


def test_a_minute_and_a_half_later_the_same_is_meant(stack: Stack, mos: Mos, uid: str) -> None:
    first = add(mos, uid)
    with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
        connection.execute(
            "SELECT set_config('korely.project_id', (SELECT project_id::text FROM accounts_apikey"
            " WHERE lookup = %s), true)",
            [mos.http.headers["authorization"].partition("_")[2].partition("_")[2][:8]],
        )
        moved = connection.execute(
            "UPDATE memories_task SET created_at = created_at - interval '91 s' WHERE user_id = %s",
            [uid],
        )
        assert moved.rowcount == 1
        connection.execute(
            "UPDATE memories_message SET created_at = created_at - interval '91 s'"
            " WHERE user_id = %s",
            [uid],
        )
    assert add(mos, uid) != first


def test_one_sent_again_costs_nothing(stack: Stack, fresh: Box, fresh_mos: Mos, uid: str) -> None:
    def writes() -> int:
        with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
            row = connection.execute("SELECT sum(writes) FROM billing_usage").fetchone()
        assert row is not None
        return int(row[0])

    add(fresh_mos, uid)
    before = writes()
    add(fresh_mos, uid)
    assert writes() == before
