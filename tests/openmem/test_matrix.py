"""Every call × every kind of key: scopes, dead keys, other accounts, confinement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import URLPattern

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, unique
from tests.openmem.client import Mos, denied, everything, good

READ, WRITE = "memories:read", "memories:write"
SECRET = "the vault opens at nine"


@dataclass(frozen=True)
class Call:
    """`body` names the end user `{user}` and what belongs to them: `{memory}`, `{task}`."""

    path: str
    scope: str
    body: dict[str, Any]
    of_user: bool = True  # the body says whose it is

    def fields(self, **objects: str) -> dict[str, Any]:
        return {key: _filled(value, objects) for key, value in self.body.items()}

    def __str__(self) -> str:
        return self.path


def _filled(value: Any, objects: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_filled(one, objects) for one in value]
    return value.format(**objects) if isinstance(value, str) else value


HELLO = [{"role": "user", "content": "Hello there."}]
CALLS = [
    Call("/add/message", WRITE, {"user_id": "{user}", "messages": HELLO}),
    Call("/add/feedback", WRITE, {"user_id": "{user}", "feedback_content": "Hello."}),
    Call("/search/memory", READ, {"user_id": "{user}", "query": "vault"}),
    Call("/get/memory", READ, {"user_id": "{user}"}),
    Call("/get/message", READ, {"user_id": "{user}", "conversation_id": "c1"}),
    Call("/get/status", READ, {"task_id": "{task}"}, of_user=False),
    Call("/delete/memory", WRITE, {"memory_ids": ["{memory}"]}, of_user=False),
]


@pytest.fixture
def objects(box: Box, mos: Mos) -> dict[str, str]:
    """An end user with a memory that any test may use up."""
    user = unique("matrix")
    task = mos.say(user, SECRET)["task_id"]
    memory = mos.listed(user)["memory_detail_list"][0]["id"]
    return {"user": user, "task": task, "memory": memory}


def unchanged(mos: Mos, objects: dict[str, str]) -> None:
    found = mos.listed(objects["user"])
    assert [one["id"] for one in found["memory_detail_list"]] == [objects["memory"]]


def test_every_call_is_in_the_list() -> None:
    from korely.openmem.urls import urlpatterns

    served = {f"/{one.pattern}" for one in urlpatterns if isinstance(one, URLPattern)}
    assert {path for path in served if "[" not in path} == {call.path for call in CALLS} | {
        "/chat",  # which needs a language model: test_chat.py
        *(path for path in served if "knowledgebase" in path),  # knowledge/test_searching.py
    }


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_key_does_what_its_scope_allows(
    box: Box, mos: Mos, objects: dict[str, str], call: Call
) -> None:
    lacks = Mos(box.boot.base_url, box.key(READ if call.scope == WRITE else WRITE).key)
    denied(lacks.post(call.path, **call.fields(**objects)), 403, 40103, call.scope)
    unchanged(mos, objects)
    has = Mos(box.boot.base_url, box.key(call.scope).key)
    good(has.post(call.path, **call.fields(**objects)))


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_dead_key_changes_nothing(
    box: Box, mos: Mos, objects: dict[str, str], call: Call
) -> None:
    revoked = box.mint()
    ok(box.boot.post(f"/admin/keys/{revoked['id']}/revoke"))
    dead = Mos(box.boot.base_url, revoked["key"])
    denied(dead.post(call.path, **call.fields(**objects)), 401, 40132)
    unchanged(mos, objects)


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_another_project_and_another_account_see_and_change_nothing(
    boot: Api, other_account: Api, mos: Mos, objects: dict[str, str], call: Call
) -> None:
    for key in (Box(boot).api.key, other_account.key):
        response = Mos(boot.base_url, key).post(call.path, **call.fields(**objects))
        if call.of_user:
            assert "vault opens" not in everything(good(response))
        else:
            assert response.status_code == 404
    unchanged(mos, objects)


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_confined_key_reaches_its_own_alone(
    box: Box, mos: Mos, objects: dict[str, str], call: Call
) -> None:
    for users in ([unique("else")], ["else*"]):
        away = Mos(box.boot.base_url, box.key(users=users).key)
        response = away.post(call.path, **call.fields(**objects))
        if call.of_user:
            denied(response, 403, 40103)
        else:
            assert response.status_code == 404
        unchanged(mos, objects)
    near = Mos(box.boot.base_url, box.key(users=[objects["user"]]).key)
    good(near.post(call.path, **call.fields(**objects)))


def test_a_key_out_of_reach_leaves_a_denial_in_the_log(box: Box, objects: dict[str, str]) -> None:
    away = Mos(box.boot.base_url, box.key(users=[unique("else")]).key)
    denied(away.post("/get/memory", user_id=objects["user"]), 403, 40103)
    newest = ok(box.api.get("/v1/audit", limit=1))["events"][0]
    assert (newest["action"], newest["result"]) == ("read", "denied")


def test_a_confined_key_cannot_purge_an_agent(box: Box, mos: Mos, uid: str) -> None:
    agent = unique("agent")
    mos.say(uid, SECRET, agent_id=agent)
    confined = Mos(box.boot.base_url, box.key(users=[uid]).key)
    denied(confined.post("/delete/memory", agent_id=agent), 403, 40103)
    assert mos.listed(uid, agent_id=agent)["total"] == 1


def test_public_memories_stay_within_the_reach_of_a_confined_key(
    stack: Stack, box: Box, mos: Mos, uid: str
) -> None:
    word = unique("word")
    mos.say(uid, f"Where is the {word}?", allow_public=True)
    reader = unique("reader")
    assert mos.search(reader, word)["memory_detail_list"]
    confined = Mos(stack.base_url, box.key(users=[reader]).key)
    assert confined.search(reader, word)["memory_detail_list"] == []
