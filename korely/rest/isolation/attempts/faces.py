"""The other ways to the same store, MCP and the MemOS dialect: the same walls stand there.

They are spoken to over HTTP alone, as anybody would: a face never imports another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from korely.rest.isolation import rows
from korely.rest.isolation.evidence import Hidden, unchanged
from korely.rest.isolation.ground import Ground, Owner, id_of_nothing, words_of
from korely.rest.isolation.report import NotTried, Report
from korely.rest.isolation.wire import Answer, Client

PART = "faces"
MCP = "/agent/mcp"
BASE = "/api/openmem/v1"

Message = tuple[str, str, dict[str, Any]]  # what it is called, its path, its body


def attempt(ground: Ground, report: Report) -> None:
    """Every read of both by keys of others, deletions of what is not theirs, and dead keys."""
    everything = Hidden(
        rows.ids_of(ground.home.project_id), words_of([ground.one, ground.two, ground.nobody])
    )
    for told, path, body in _reads(ground.one):
        by_owner = partial(_shown, ground.home.client, path, body, everything)
        report.try_out(PART, f"{told} by its owner shows it", by_owner)
    for who, client in _others(ground):
        for told, path, body in _reads(ground.one):
            run = partial(_hidden, client, path, body, everything)
            report.try_out(PART, f"{told} by {who}", run)
        told, path, body = _deletion(ground.one.objects["memory"])
        gone = partial(_unknown, ground, client, path, body)
        report.try_out(PART, f"{told} by {who}", gone)
    beyond = Hidden(
        rows.ids_of(ground.home.project_id, but_of=ground.one.user),
        words_of([ground.two, ground.nobody]),
    )
    for name in ("exact", "prefix"):
        for told, path, body in (*_reads(ground.one), *_reads(ground.two)):
            run = partial(_hidden, ground.keys[name], path, body, beyond)
            report.try_out(PART, f"{told} by a confined key ({name})", run)
    for who, client in ground.dead.items():
        for told, path, body in (*_reads(ground.one), _deletion(ground.one.objects["memory"])):
            report.try_out(PART, f"{told} by {who}", partial(_dead, ground, client, path, body))


def _others(ground: Ground) -> Iterator[tuple[str, Client]]:
    yield "a key of another account", ground.foreign.client
    yield "a key of another project", ground.sibling.client


def _reads(owner: Owner) -> Iterator[Message]:
    """What asks for the owner's, by name and by topic."""
    user = {"user_id": owner.user}
    for tool, more in (
        ("korely_search", {"query": owner.topic, "limit": 50, "full_text": True}),
        ("korely_get_context", {"query": owner.topic, "token_budget": 8000}),
        ("korely_get_facts", {"include_invalidated": True, "limit": 200}),
    ):
        for named in ({}, user):
            params = {"name": tool, "arguments": {**more, **named}}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            yield f"{tool}{' of an end user' if named else ''}", MCP, body
    searched = {**user, "query": owner.topic, "include_tool_memory": True}
    yield "search/memory", f"{BASE}/search/memory", {**searched, "memory_limit_number": 25}
    yield "get/memory", f"{BASE}/get/memory", {**user, "size": 50}
    said = {**user, "conversation_id": owner.run}
    yield "get/message", f"{BASE}/get/message", said


def _deletion(memory: str) -> Message:
    return "delete/memory", f"{BASE}/delete/memory", {"memory_ids": [memory]}


def _shown(client: Client, path: str, body: dict[str, Any], everything: Hidden) -> str | None:
    """Whoever may see it does, so that not seeing it says something."""
    answer = client.send("POST", path, body=body)
    if answer.status != 200:
        raise NotTried(f"the server answers {answer.status}")
    if not path.endswith("get/message") and everything.shown_in(answer) is None:
        raise NotTried("its owner finds nothing either")
    return None


def _hidden(client: Client, path: str, body: dict[str, Any], hidden: Hidden) -> str | None:
    answer = client.send("POST", path, body=body)
    if answer.status >= 500:
        raise NotTried(f"the server answers {answer.status}")
    return hidden.shown_in(answer)


def _unknown(ground: Ground, client: Client, path: str, body: dict[str, Any]) -> str | None:
    """A memory of somebody else is as unknown as none, and stays."""

    def go() -> str | None:
        answer = client.send("POST", path, body=body)
        nothing = client.send("POST", path, body={"memory_ids": [id_of_nothing("memory")]})
        return _told_apart(answer, nothing)

    return unchanged([ground.home], go)


def _told_apart(answer: Answer, nothing: Answer) -> str | None:
    if answer.status != 404:
        return f"{answer.status} instead of 404"
    found, other = answer.json().get("code"), nothing.json().get("code")
    return None if found == other else "another answer than to an id that nothing has"


def _dead(ground: Ground, client: Client, path: str, body: dict[str, Any]) -> str | None:
    def go() -> str | None:
        answer = client.send("POST", path, body=body)
        return None if answer.status == 401 else f"{answer.status} instead of 401"

    return unchanged([ground.home], go)
