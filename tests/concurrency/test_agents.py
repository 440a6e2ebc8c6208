"""Agents and end users taken away while they are written to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg

from tests.accounts import organisation_of
from tests.api_client import Api, ok, refused
from tests.concurrency.at_once import at_once, clients, statuses


def names_and_rows(stack, api: Api) -> tuple[set[str], set[str]]:
    """The account's agent names that take a slot, and those that have a memory or fact."""
    organisation = organisation_of(api)
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"], autocommit=True) as connection:
        names = connection.execute(
            "SELECT project_id || agent_id FROM billing_agentname WHERE organisation_id = %s",
            [organisation],
        ).fetchall()
        rows = connection.execute(
            "SELECT project_id || agent_id FROM memories_memory WHERE agent_id IS NOT NULL"
            " AND project_id IN (SELECT id FROM accounts_project WHERE organisation_id = %(org)s)"
            " UNION SELECT project_id || agent_id FROM facts_fact WHERE agent_id IS NOT NULL"
            " AND project_id IN (SELECT id FROM accounts_project WHERE organisation_id = %(org)s)",
            {"org": organisation},
        ).fetchall()
    return {one for (one,) in names}, {one for (one,) in rows}


def while_writing(
    calls: list[Callable[[], httpx.Response]], act: Callable[[], None], allowed: set[int]
) -> int:
    """Repeat calls, each in a thread of its own, while something else is done; how many of them
    were answered 201. Others must be of a status allowed.
    """
    stop, written = threading.Event(), []

    def repeat(call: Callable[[], httpx.Response]) -> None:
        while not stop.is_set():
            response = call()
            if response.status_code == 201:
                written.append(response)
            else:
                assert response.status_code in allowed, response.text

    with ThreadPoolExecutor(len(calls)) as pool:
        running = [pool.submit(repeat, call) for call in calls]
        try:
            act()
        finally:
            stop.set()
        for one in running:
            one.result()
    return len(written)


def test_a_slot_is_counted_exactly_when_an_agent_is_purged_under_its_writers(stack, account):
    api, _ = account(agents=2)
    mine, other, third, purger = clients(api, 4)
    note = {"content": "I like tea.", "user_id": "u", "agent_id": "bot"}
    fact = {"subject": "s", "predicate": "likes", "object": "tea", "agent_id": "bot"}

    def purge() -> None:
        for _ in range(12):
            response = purger.delete("/v1/agents/bot")
            if response.status_code == 404:
                refused(response, 404, "not_found", "'bot'")
            else:
                assert ok(response)["slot_freed"] in (True, False)

    written = while_writing(
        [
            lambda: mine.post("/v1/memories", note),
            lambda: other.post("/v1/facts", fact),
            lambda: third.post("/v1/memories", {**note, "user_id": "v"}),
        ],
        purge,
        set(),
    )
    assert written
    api.settle()
    names, rows = names_and_rows(stack, api)
    assert names == rows
    used = ok(api.get("/v1/agents"))["used"]
    assert used == len(names)
    purger.delete("/v1/agents/bot")
    assert names_and_rows(stack, api) == (set(), set())
    for name in ("one", "two"):
        ok(api.post("/v1/memories", {**note, "agent_id": name}), 201)
    refused(api.post("/v1/memories", {**note, "agent_id": "three"}), 403, "agent_cap_exceeded")


def test_of_many_purges_of_one_agent_one_deletes_it(fresh):
    for user in ("u", "v"):
        fresh.api.add("I like tea.", user_id=user, agent_id="bot")
    answers = at_once([lambda c=c: c.delete("/v1/agents/bot") for c in clients(fresh.api, 6)])
    assert statuses(answers) == [200] + [404] * 5
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert won["memories_deleted"] == 2


def test_a_user_erased_while_writing_is_gone_up_to_the_erasure(stack, account):
    """Memories, updates, facts, names and forgetting of one end user, erased again and again."""
    api, _ = account(agents=3)
    one, two, three, four, five, eraser = clients(api, 6)
    note = {"content": "I like tea. I live in Rome.", "user_id": "u", "agent_id": "bot"}
    fact = {"subject": "u", "predicate": "lives_in", "object": "Oslo", "user_id": "u"}

    def newest(client: Api) -> str:
        rows = ok(client.get("/v1/memories", user_id="u", limit=1))["memories"]
        return rows[0]["id"] if rows else "mem_" + "0" * 32

    def erase() -> None:
        for _ in range(10):
            seen = ok(eraser.get("/v1/memories", user_id="u", limit=200))["memories"]
            receipt = ok(eraser.delete("/v1/users/u/memories"))
            assert receipt["memories_deleted"] >= 0
            for row in seen:
                refused(eraser.get(f"/v1/memories/{row['id']}"), 404, "not_found")

    while_writing(
        [
            lambda: one.post("/v1/memories", note),
            lambda: two.patch(f"/v1/memories/{newest(two)}", {"content": "I like cocoa."}),
            lambda: three.post("/v1/facts", fact),
            lambda: four.delete(f"/v1/memories/{newest(four)}"),
            lambda: five.post("/v1/users/u/names", {"name": "Ursula"}),
        ],
        erase,
        {200, 404},
    )
    ok(eraser.delete("/v1/users/u/memories"))
    api.settle()
    assert ok(api.get("/v1/memories", user_id="u"))["total"] == 0
    assert ok(api.get("/v1/facts", user_id="u", include_invalidated=True))["total"] == 0
    assert names_and_rows(stack, api) == (set(), set())


def test_users_and_agents_that_cross_are_erased_without_waiting_for_each_other(fresh):
    """An erasure of a user takes rows of an agent, a purge of the agent rows of the user."""
    api = fresh.api
    for turn in range(4):
        for user in ("u", "v"):
            for agent in ("a", "b"):
                api.add("I like tea.", user_id=user, agent_id=agent)
        paths = ["/v1/users/u/memories", "/v1/agents/a", "/v1/users/v/memories", "/v1/agents/b"]
        pairs = zip(clients(api, 4), paths, strict=True)
        answers = at_once([lambda c=c, path=path: c.delete(path) for c, path in pairs])
        assert {answer.status_code for answer in answers} <= {200, 404}, turn
        taken = [answer.json().get("memories_deleted", 0) for answer in answers]
        assert sum(taken) == 4
        assert ok(api.get("/v1/memories"))["total"] == 0
