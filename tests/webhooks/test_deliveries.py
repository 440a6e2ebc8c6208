"""Deliveries to a receiver on loopback: signed, repeated, given up, stopped (contract, 18)."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

from standardwebhooks.webhooks import Webhook

from tests.api_client import Api, Box, ok, refused, unique, wait_for
from tests.webhooks.conftest import Home
from tests.webhooks.receiver import Receiver, Request, receiving


def verify(secret: str, request: Request) -> None:
    """By the library that receivers use; raises where the signature is not right."""
    assert Webhook(secret).verify(request.body, request.headers)


def await_event(receiver: Receiver, event: str) -> Request:
    return wait_for(event, lambda: receiver.of(event))[0]


def test_a_memory_is_told_when_it_is_stored_and_when_its_facts_are_there(home: Home) -> None:
    user = unique("user")
    with receiving() as receiver:
        webhook = home.register(receiver.url)
        memory = home.api.told("I live in Rome.", user, agent_id="bot")
        created = await_event(receiver, "memory.created")
        ready = await_event(receiver, "memory.ready")
        whose = {"id": memory["id"], "user_id": user, "agent_id": "bot"}
        assert created.data == whose
        assert ready.data == {**whose, "status": "ready", "facts": 1}
        assert created.headers["content-type"] == "application/json"
        assert set(created.headers) >= {"webhook-id", "webhook-timestamp", "webhook-signature"}
        assert abs(int(created.headers["webhook-timestamp"]) - time.time()) < 60
        verify(webhook["secret"], created)
        assert created.id != ready.id
        home.ended(webhook)
        assert home.shown(webhook)["last_success_at"] is not None
        # What was sent is kept for a redelivery, without the text, which never was there.
        kept = home.rows("SELECT body FROM webhooks_payload WHERE user_id = %s", user)
        assert sorted(body for (body,) in kept) == sorted(
            request.body.decode() for request in receiver.got
        )
        assert not [body for (body,) in kept if "Rome" in body]


def test_two_failures_then_success_are_one_event_with_growing_waits(home: Home) -> None:
    with receiving(500, 500, 200) as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        memory = home.api.add("Try again.", user_id="patient")
        delivery = home.ended(webhook)
        assert [delivery["attempts"], delivery["response_status"]] == [3, 200]
        assert [delivery["error"], delivery["next_attempt_at"]] == [None, None]
        assert len(receiver.got) == 3
        assert {request.id for request in receiver.got} == {delivery["message_id"]}
        assert len({request.body for request in receiver.got}) == 1
        for request in receiver.got:
            verify(webhook["secret"], request)
        first, second = (later.at - earlier.at for earlier, later in pairwise(receiver.got))
        assert (first >= 0.5, second >= 2) == (True, True)  # the waits of this installation
        assert receiver.got[0].data["id"] == memory["id"]
        shown = home.shown(webhook)
        assert shown["last_failure_at"] < shown["last_success_at"]


def test_a_worker_killed_between_tries_and_in_one_loses_no_delivery(home: Home) -> None:
    with receiving(500, held=True) as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Survive.", user_id="survivor")
        wait_for("the first try", lambda: receiver.got)
        kill_worker(home)  # in the middle of the try: nobody sees its answer
        receiver.hold.set()
        delivery = home.ended(webhook)
        assert delivery["attempts"] >= 2
        assert {request.id for request in receiver.got} == {delivery["message_id"]}
    with receiving(500) as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Survive again.", user_id="survivor")
        wait_for("the failure", lambda: home.deliveries(webhook)[0]["attempts"] == 1)
        kill_worker(home)
        assert home.ended(webhook)["attempts"] == 2


def kill_worker(home: Home) -> None:
    old = home.stack.pids()["worker"]
    os.killpg(old, signal.SIGKILL)
    wait_for("another worker", lambda: home.stack.pids().get("worker", old) != old)


def test_a_delivery_that_fails_eight_times_is_dead(home: Home) -> None:
    with receiving() as receiver:
        receiver.otherwise = 503
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("In vain.", user_id="x")
        delivery = home.ended(webhook, "dead")
        assert [delivery["attempts"], delivery["response_status"]] == [8, 503]
        assert delivery["error"] == "answered 503"
        assert len(receiver.got) == 8
        assert home.shown(webhook)["state"] == "enabled"


def test_an_endpoint_that_is_gone_is_disabled_at_once(home: Home) -> None:
    with receiving() as receiver:
        receiver.otherwise = 410
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Gone.", user_id="x")
        delivery = home.ended(webhook, "dead")
        assert [delivery["attempts"], delivery["response_status"]] == [1, 410]
        assert delivery["error"] == "answered 410"
        shown = home.shown(webhook)
        assert [shown["state"], shown["disabled_reason"]] == ["disabled", "gone"]
        enabled = ok(home.boot.patch(f"/admin/webhooks/{webhook['id']}", {"enabled": True}))
        assert [enabled["state"], enabled["disabled_reason"]] == ["enabled", None]


def test_five_days_of_nothing_but_failures_disable_an_endpoint(home: Home) -> None:
    with receiving(500) as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        key = webhook["id"].removeprefix("whk_")
        home.change(
            "UPDATE webhooks_endpoint SET failing_since = now() - interval '5 days' WHERE id = %s",
            key,
        )
        home.api.add("Too long.", user_id="x")
        assert home.ended(webhook, "dead")["attempts"] == 1
        shown = home.shown(webhook)
        assert [shown["state"], shown["disabled_reason"]] == ["disabled", "failing"]


def test_a_redirect_is_a_failure_and_is_not_followed(home: Home) -> None:
    with receiving() as elsewhere, receiving(302) as receiver:
        receiver.location = elsewhere.url
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Over there.", user_id="x")
        assert home.ended(webhook)["attempts"] == 2
        assert elsewhere.got == []


def test_a_disabled_endpoint_gets_nothing_and_what_waited_is_given_up(home: Home) -> None:
    with receiving(500) as receiver, receiving() as control:
        webhook = home.register(receiver.url, events=["memory.created"])
        other = home.register(control.url, events=["memory.created"])
        path = f"/admin/webhooks/{webhook['id']}"
        home.api.add("One.", user_id="x")
        wait_for("the failure", lambda: home.deliveries(webhook)[0]["attempts"] == 1)
        assert ok(home.boot.patch(path, {"enabled": False}))["state"] == "disabled"
        assert home.deliveries(webhook)[0]["state"] == "dead"
        refused(home.boot.post(f"{path}/test"), 409, "conflict")
        home.api.add("Two.", user_id="x")
        wait_for("the control", lambda: len(control.got) == 2)
        assert len(receiver.got) == 1
        ok(home.boot.patch(path, {"enabled": True}))
        home.api.add("Three.", user_id="x")
        wait_for("the enabled one", lambda: len(receiver.got) == 2)
        ok(home.boot.delete(path))
        home.api.add("Four.", user_id="x")
        wait_for("the control", lambda: len(control.got) == 4)
        assert len(receiver.got) == 2
        assert home.shown(other)["state"] == "enabled"


def test_a_slow_receiver_holds_up_neither_writes_nor_extraction(home: Home) -> None:
    with receiving(held=True) as receiver:
        for _ in range(3):
            home.register(receiver.url, events=["memory.created"])
        began = time.monotonic()
        for number in range(6):
            home.api.add(f"I like tea number {number}.", user_id="quick")
        assert time.monotonic() - began < 5
        home.api.settle("quick")
        assert time.monotonic() - began < 10
        assert len(receiver.got) <= 6 * 3


def test_a_rotated_secret_signs_beside_the_one_before_for_a_day(home: Home) -> None:
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=["quota.warning"])
        path = f"/admin/webhooks/{webhook['id']}"
        rotated = ok(home.boot.post(f"{path}/rotate-secret"))
        assert rotated["id"] == webhook["id"]
        assert rotated["secret"] != webhook["secret"]
        sent = ok(home.boot.post(f"{path}/test"), 202)
        request = await_event(receiver, "webhook.test")
        assert request.data == {"webhook_id": webhook["id"]}
        assert request.id == sent["message_id"]
        assert len(request.headers["webhook-signature"].split(" ")) == 2
        verify(webhook["secret"], request)
        verify(rotated["secret"], request)
        home.change(
            "UPDATE webhooks_endpoint SET former_until = now() WHERE id = %s",
            webhook["id"].removeprefix("whk_"),
        )
        ok(home.boot.post(f"{path}/test"), 202)
        wait_for("the second test", lambda: len(receiver.got) == 2)
        assert len(receiver.got[1].headers["webhook-signature"].split(" ")) == 1
        verify(rotated["secret"], receiver.got[1])


def test_only_events_of_the_endpoints_project_reach_it(home: Home) -> None:
    other = Box(home.boot)
    with receiving() as receiver, receiving() as whole:
        home.register(receiver.url, events=["memory.created"])
        account = ok(home.boot.post("/admin/webhooks", {"url": whole.url}), 201)
        other.api.add("Elsewhere.", user_id="e")
        home.api.add("Here.", user_id="h")
        wait_for(
            "both", lambda: {r.data["user_id"] for r in whole.of("memory.created")} == {"e", "h"}
        )
        wait_for("one", lambda: receiver.got)
        assert [request.data["user_id"] for request in receiver.got] == ["h"]
        ok(home.boot.delete(f"/admin/webhooks/{account['id']}"))


def test_every_way_a_fact_ends_is_told(home: Home) -> None:
    user = unique("user")

    def said(subject: str, predicate: str, value: str) -> dict[str, Any]:
        body = {"subject": subject, "predicate": predicate, "object": value, "user_id": user}
        return ok(home.api.post("/v1/facts", body), 201)

    with receiving() as receiver:
        home.register(receiver.url, events=["fact.invalidated"])
        rome, milan = said(user, "lives_in", "Rome"), said(user, "lives_in", "Milan")
        tea, job = said(user, "likes", "tea"), said(user, "works_at", "Acme")
        coffee = ok(home.api.patch(f"/v1/facts/{tea['id']}", {"object": "coffee"}))
        forgotten = ok(home.api.post(f"/v1/facts/{job['id']}/forget", {}))
        memory = home.api.told("I like jazz.", user)
        ok(home.api.delete(f"/v1/memories/{memory['id']}"))
        wait_for("four", lambda: len(receiver.got) == 4)
        told = {request.data["fact_id"]: request.data for request in receiver.got}
        assert told[rome["id"]]["invalidated_by"] == milan["id"]
        assert told[rome["id"]]["at"] == milan["valid_from"]
        assert told[tea["id"]]["invalidated_by"] == coffee["id"]
        assert told[job["id"]] == {
            "fact_id": job["id"],
            "invalidated_by": None,
            "at": forgotten["invalid_at"],
        }
        assert memory["facts"][0]["id"] in told


def test_an_erased_end_user_is_told_to_nobody_any_more(home: Home) -> None:
    user = unique("user")
    with receiving(500) as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Not for long.", user_id=user)
        wait_for("the failure", lambda: home.deliveries(webhook)[0]["attempts"] == 1)
        ok(home.api.delete(f"/v1/users/{user}/memories"))
        assert home.rows("SELECT count(*) FROM webhooks_payload WHERE user_id = %s", user) == [(0,)]
        delivery = home.ended(webhook, "dead")
        assert delivery["error"] == "whom it concerned was erased"
        assert len(receiver.got) == 1


def test_the_write_that_reaches_80_percent_is_told_once(home: Home) -> None:
    from tests.operations import manage

    with receiving() as receiver:
        made = ok(Api(home.stack.base_url, None).post("/v1/agents/init", {}), 201)
        api = Api(home.stack.base_url, made["api_key"])
        account = home.change(
            "UPDATE accounts_apikey SET scopes = scopes || 'admin'::varchar WHERE lookup = %s"
            " RETURNING organisation_id",
            api.key[9:17],
        )[0][0]
        home.change("INSERT INTO billing_plan (slug, writes_per_month) VALUES ('five', 5)")
        manage(home.stack, "set_plan", str(account), "five")
        webhook = ok(api.post("/admin/webhooks", {"url": receiver.url}), 201)
        for number in range(5):
            api.add(f"Write {number}.", user_id="x")
        warning = await_event(receiver, "quota.warning")
        assert warning.data == {"used": 4, "limit": 5, "percent": 80}
        wait_for("the fifth", lambda: len(receiver.of("memory.created")) == 5)
        assert len(receiver.of("quota.warning")) == 1
        ok(api.delete("/v1/account", confirm="true"))
        gone = webhook["id"].removeprefix("whk_")
        assert home.rows("SELECT count(*) FROM webhooks_endpoint WHERE id = %s", gone) == [(0,)]


def test_a_deleted_projects_webhooks_go_and_what_waits_of_it_moves_along(home: Home) -> None:
    with receiving(500) as receiver, receiving() as whole:
        whole.otherwise = 500
        own = home.register(receiver.url, events=["memory.created"])
        account = ok(
            home.boot.post("/admin/webhooks", {"url": whole.url, "events": ["memory.created"]}),
            201,
        )
        home.api.add("To be moved.", user_id="mover")
        wait_for("both", lambda: receiver.got and whole.got)
        ok(home.boot.delete(f"/admin/projects/{home.box.project['id']}"))
        listed = ok(home.boot.get("/admin/webhooks"))["webhooks"]
        assert own["id"] not in [row["id"] for row in listed]
        whole.otherwise = 200
        delivery = home.ended(account)
        assert delivery["attempts"] > 1
        assert {request.id for request in whole.got} == {delivery["message_id"]}
        ok(home.boot.delete(f"/admin/webhooks/{account['id']}"))
        assert home.rows("SELECT count(*) FROM webhooks_payload WHERE user_id = 'mover'") == [(0,)]


def test_an_endpoint_that_fails_on_and_on_is_left_alone_then_probed_once(home: Home) -> None:
    with receiving() as receiver:
        receiver.otherwise = 500
        webhook = home.register(receiver.url, events=["memory.created"])
        home.change(
            "UPDATE webhooks_endpoint SET failures = 11 WHERE id = %s",
            webhook["id"].removeprefix("whk_"),
        )
        home.api.add("The last straw.", user_id="x")
        wait_for("the breaker to open", lambda: home.deliveries(webhook)[0]["attempts"] == 1)
        opened = time.time()
        for number in range(4):
            home.api.add(f"Waits {number}.", user_id="x")
        receiver.otherwise = 204
        wait_for(
            "all of them",
            lambda: {one["state"] for one in home.deliveries(webhook)} == {"delivered"},
        )
        assert len(receiver.got) == 6
        assert receiver.got[1].at - opened > 2  # the pause is three seconds
        assert [one["attempts"] for one in home.deliveries(webhook)] == [1, 1, 1, 1, 2]


def test_webhooks_deleted_and_disabled_while_others_write_fail_no_write(home: Home) -> None:
    with receiving() as receiver:
        stop = threading.Event()

        def write(number: int) -> int:
            api = Api(home.api.base_url, home.api.key)
            count = 0
            while not stop.is_set():
                api.add(f"Write {number}.", user_id=f"w{number}")
                count += 1
            return count

        with ThreadPoolExecutor(3) as pool:
            writers = [pool.submit(write, number) for number in range(3)]
            try:
                for _ in range(6):
                    webhook = home.register(receiver.url, events=["memory.created"])
                    path = f"/admin/webhooks/{webhook['id']}"
                    wait_for("a delivery", partial(home.deliveries, webhook))
                    ok(home.boot.patch(path, {"enabled": False}))
                    states = {one["state"] for one in home.deliveries(webhook, limit=200)}
                    assert "pending" not in states
                    ok(home.boot.patch(path, {"enabled": True}))
                    ok(home.boot.delete(path))
            finally:
                stop.set()
            assert all(writer.result() for writer in writers)
        left = home.rows(
            "SELECT (SELECT count(*) FROM webhooks_payload WHERE user_id LIKE 'w_'),"
            " (SELECT count(*) FROM work_work WHERE kind = 'webhook' AND project_id = %s)",
            home.box.project["id"].removeprefix("prj_"),
        )
        assert left == [(0, 0)]


def test_no_secret_url_or_end_user_reaches_the_logs(home: Home) -> None:
    user = unique("hush")
    with receiving(500) as receiver:
        webhook = home.register(f"{receiver.url}/quite-secret", events=["memory.created"])
        home.api.add("Say nothing.", user_id=user)
        home.ended(webhook)
    logs = "".join(path.read_text() for path in (home.stack.data_dir / "logs").glob("*.log"))
    assert "memory.added" in logs
    for hidden in (webhook["secret"].removeprefix("whsec_"), "quite-secret", user):
        assert hidden not in logs


def test_each_stored_item_of_a_batch_is_told(home: Home) -> None:
    items = [{"content": f"Item {number}.", "user_id": f"b{number}"} for number in range(5)]
    with receiving() as receiver:
        home.register(receiver.url, events=["memory.created"])
        ok(home.api.post("/v1/batch", {"memories": items}), 202)
        wait_for("five", lambda: len(receiver.got) == 5)
        assert {one.data["user_id"] for one in receiver.got} == {f"b{n}" for n in range(5)}
        listed = ok(home.api.get("/v1/memories"))["memories"]
        assert {one.data["id"] for one in receiver.got} == {one["id"] for one in listed}
