"""Deliveries made again on request (our addition to the contract's section 18)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from tests.api_client import Api, Box, ok, refused, unique, wait_for
from tests.operations import manage
from tests.webhooks.conftest import Home
from tests.webhooks.receiver import receiving

CREATED = ["memory.created"]


def again(home: Home, webhook: dict[str, Any], delivery: dict[str, Any]) -> str:
    return f"/admin/webhooks/{webhook['id']}/deliveries/{delivery['id']}/redeliver"


def dead(home: Home, webhook: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A delivery whose tries are used up."""
    home.api.add("Not today.", **{"user_id": "late", **fields})
    return home.ended(webhook, "dead")


def test_a_dead_delivery_is_made_again_with_its_id_its_bytes_and_all_its_tries(home: Home) -> None:
    with receiving() as receiver:
        receiver.otherwise = 500
        webhook = home.register(receiver.url, events=CREATED)
        given_up = dead(home, webhook)
        assert len(receiver.got) == given_up["attempts"] == 8
        receiver.answers, receiver.otherwise = [500], 200
        asked = ok(home.boot.post(again(home, webhook, given_up)), 202)
        assert (asked["state"], asked["attempts"], asked["error"]) == ("pending", 0, None)
        assert (asked["id"], asked["message_id"]) == (given_up["id"], given_up["message_id"])
        assert asked["next_attempt_at"] is not None
        delivery = home.ended(webhook)
        assert (delivery["attempts"], delivery["response_status"]) == (2, 200)
        assert len(home.deliveries(webhook)) == 1
        assert len(receiver.got) == 10
        assert len({request.body for request in receiver.got}) == 1
        assert {request.id for request in receiver.got} == {given_up["message_id"]}
        newest = receiver.got[-1]
        assert Webhook(webhook["secret"]).verify(newest.body, newest.headers)


def test_a_delivered_event_is_delivered_again(home: Home) -> None:
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Twice.", user_id="twice")
        first = home.ended(webhook)
        asked = ok(home.boot.post(again(home, webhook, first)), 202)
        assert (asked["state"], asked["delivered_at"]) == ("pending", None)
        second = home.ended(webhook)
        assert second["attempts"] == 1
        assert second["delivered_at"] > first["delivered_at"]
        assert [request.id for request in receiver.got] == [first["message_id"]] * 2


def test_one_that_waits_is_tried_at_once_and_one_that_is_being_tried_goes_on(home: Home) -> None:
    with receiving(500, 500) as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Patience.", user_id="waits")
        waiting = wait_for(
            "two tries", lambda: [d for d in home.deliveries(webhook) if d["attempts"] == 2]
        )[0]
        ok(home.boot.post(again(home, webhook, waiting)), 202)
        assert home.ended(webhook)["attempts"] == 1  # counted anew
        assert len(receiver.got) == 3
        assert receiver.got[2].at - receiver.got[1].at < 2  # it would have waited two seconds
    with receiving(held=True) as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Under way.", user_id="held")
        wait_for("the try", lambda: receiver.got)
        path = again(home, webhook, home.deliveries(webhook)[0])
        with ThreadPoolExecutor(4) as pool:
            answers = list(
                pool.map(lambda _: Api(home.boot.base_url, home.boot.key).post(path), range(4))
            )
        assert [answer.status_code for answer in answers] == [202] * 4
        receiver.hold.set()
        assert home.ended(webhook)["attempts"] == 1
        assert len(receiver.got) == 1


def test_many_who_ask_at_once_get_one_redelivery(home: Home) -> None:
    with receiving() as receiver:
        receiver.otherwise = 500
        webhook = home.register(receiver.url, events=CREATED)
        given_up = dead(home, webhook)
        receiver.got.clear()
        receiver.otherwise = 200
        receiver.hold.clear()  # nobody is answered before all have asked
        path = again(home, webhook, given_up)
        with ThreadPoolExecutor(6) as pool:
            answers = list(
                pool.map(lambda _: Api(home.boot.base_url, home.boot.key).post(path), range(6))
            )
        assert [answer.status_code for answer in answers] == [202] * 6
        receiver.hold.set()
        home.ended(webhook)
        assert len(receiver.got) == 1


def test_what_a_disabled_webhook_gave_up_can_be_had_once_it_is_enabled(home: Home) -> None:
    with receiving(500) as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        path = f"/admin/webhooks/{webhook['id']}"
        home.api.add("Later.", user_id="later")
        wait_for("the failure", lambda: home.deliveries(webhook)[0]["attempts"] == 1)
        ok(home.boot.patch(path, {"enabled": False}))
        (given_up,) = home.deliveries(webhook, state="dead")
        refused(home.boot.post(again(home, webhook, given_up)), 409, "conflict", "disabled")
        assert home.deliveries(webhook) == [given_up]
        ok(home.boot.patch(path, {"enabled": True}))
        ok(home.boot.post(again(home, webhook, given_up)), 202)
        assert home.ended(webhook)["attempts"] == 1
        assert len(receiver.got) == 2


def test_an_erased_end_users_event_is_not_sent_again(home: Home) -> None:
    user = unique("user")
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Gone.", user_id=user)
        delivery = home.ended(webhook)
        ok(home.api.delete(f"/v1/users/{user}/memories"))
        assert home.rows("SELECT count(*) FROM webhooks_payload WHERE user_id = %s", user) == [(0,)]
        refused(home.boot.post(again(home, webhook, delivery)), 409, "conflict", "erased")
        assert home.deliveries(webhook) == [delivery]
        assert len(receiver.got) == 1


def test_a_purged_agents_event_is_not_sent_again(home: Home) -> None:
    agent = unique("agent")
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Gone.", user_id="stays", agent_id=agent)
        delivery = home.ended(webhook)
        ok(home.api.delete(f"/v1/agents/{agent}"))
        refused(home.boot.post(again(home, webhook, delivery)), 409, "conflict", "erased")
        assert len(receiver.got) == 1


def test_only_a_webhooks_own_deliveries_are_found_under_it(home: Home) -> None:
    with receiving() as receiver, receiving() as second:
        webhook = home.register(receiver.url, events=CREATED)
        other = home.register(second.url, events=CREATED)
        home.api.add("Mine.", user_id="mine")
        mine = home.ended(webhook)
        home.ended(other)
        for delivery in (mine["id"], "dlv_" + "0" * 32, "nonsense"):
            path = f"/admin/webhooks/{other['id']}/deliveries/{delivery}/redeliver"
            refused(home.boot.post(path), 404, "not_found", "delivery")
        refused(home.box.key("memories:write").post(again(home, webhook, mine)), 403, "forbidden")
        assert home.deliveries(webhook) == [mine]
        assert (len(receiver.got), len(second.got)) == (1, 1)


def test_a_redelivery_is_audited_in_the_webhooks_project(home: Home) -> None:
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        home.api.add("Told.", user_id="told")
        delivery = home.ended(webhook)
        ok(home.boot.post(again(home, webhook, delivery)), 202)
        (event,) = ok(home.api.get("/v1/audit", action="webhook_redeliver"))["events"]
        assert (event["target_id"], event["actor"]) == (webhook["id"], "rest")
        assert event["meta"] == {"deliveries": 1}


def test_the_list_is_narrowed_to_one_state(home: Home) -> None:
    with receiving(410, 204) as receiver:
        webhook = home.register(receiver.url, events=CREATED)
        path = f"/admin/webhooks/{webhook['id']}"
        dead(home, webhook)
        ok(home.boot.patch(path, {"enabled": True}))
        home.api.add("Well.", user_id="well")
        home.ended(webhook)
        for state in ("dead", "delivered"):
            found = ok(home.boot.get(f"{path}/deliveries", state=state))
            assert (found["total"], [one["state"] for one in found["deliveries"]]) == (1, [state])
        assert ok(home.boot.get(f"{path}/deliveries", state="pending"))["total"] == 0
        assert ok(home.boot.get(f"{path}/deliveries"))["total"] == 2
        wrong = home.boot.get(f"{path}/deliveries", state="lost")
        refused(wrong, 422, "invalid_request", "state")


@pytest.mark.parametrize("erase", [None, "true"])
def test_a_deleted_projects_events_move_along_or_go(home: Home, erase: str | None) -> None:
    user = unique("mover")
    with receiving() as receiver:
        account = ok(
            home.boot.post("/admin/webhooks", {"url": receiver.url, "events": CREATED}), 201
        )
        home.api.add("To be moved.", user_id=user)
        delivery = home.ended(account)
        query = {"erase": erase} if erase else {}
        ok(home.boot.delete(f"/admin/projects/{home.box.project['id']}", **query))
        if erase:
            refused(home.boot.post(again(home, account, delivery)), 404, "not_found")
        else:
            ok(home.boot.post(again(home, account, delivery)), 202)
            wait_for("the second", lambda: len(receiver.got) == 2)
            home.ended(account)
        ok(home.boot.delete(f"/admin/webhooks/{account['id']}"))
        assert home.rows("SELECT count(*) FROM webhooks_payload WHERE user_id = %s", user) == [(0,)]
        assert len(receiver.got) == (1 if erase else 2)


def test_what_ended_long_ago_goes_with_what_it_sent(home: Home) -> None:
    other, user = Box(home.boot), unique("aged")
    with receiving() as receiver:
        account = ok(
            home.boot.post("/admin/webhooks", {"url": receiver.url, "events": CREATED}), 201
        )
        for api in (home.api, other.api):
            api.add("Old.", user_id=user)
        wait_for("both", lambda: ok(
            home.boot.get(f"/admin/webhooks/{account['id']}/deliveries", state="delivered")
        )["total"] == 2)  # fmt: skip
        home.change(
            "UPDATE webhooks_delivery SET created_at = now() - interval '31 days'"
            " WHERE endpoint_id = %s",
            account["id"].removeprefix("whk_"),
        )
        home.api.add("New.", user_id=user)
        wait_for("the new one", lambda: len(receiver.got) == 3)
        assert "removed 2" in manage(
            home.stack,
            "shell",
            "-c",
            "from korely.webhooks.tasks import age; print('removed', age())",
        )
        assert len(home.deliveries(account)) == 1
        assert home.rows("SELECT count(*) FROM webhooks_payload WHERE user_id = %s", user) == [(1,)]
        ok(home.boot.delete(f"/admin/webhooks/{account['id']}"))


def test_redeliveries_meet_erasures_changes_and_removals_without_a_failure(home: Home) -> None:
    """Everyone who locks an endpoint, its deliveries and what they sent does so in one order."""
    users = [unique("racer") for _ in range(4)]
    with receiving() as receiver:
        account = ok(
            home.boot.post("/admin/webhooks", {"url": receiver.url, "events": CREATED}), 201
        )
        path = f"/admin/webhooks/{account['id']}"
        for number in range(40):
            home.api.add(f"Race {number}.", user_id=users[number % 4], agent_id=f"a{number % 3}")
        wait_for("all of them", lambda: len(receiver.got) == 40)
        deliveries = home.deliveries(account, limit=200)

        def ask(part: int) -> set[int]:
            api = Api(home.boot.base_url, home.boot.key)
            found = deliveries[part::3]
            return {api.post(again(home, account, one)).status_code for one in found}

        def toggle() -> set[int]:
            api = Api(home.boot.base_url, home.boot.key)
            changes = [{"enabled": False}, {"enabled": True}] * 4
            return {api.patch(path, change).status_code for change in changes}

        def erase() -> set[int]:
            api = Api(home.api.base_url, home.api.key)
            erased = {api.delete(f"/v1/users/{user}/memories").status_code for user in users[:2]}
            return erased | {api.delete("/v1/agents/a0").status_code}

        with ThreadPoolExecutor(5) as pool:
            asked = [pool.submit(ask, part) for part in range(3)]
            others = [pool.submit(toggle), pool.submit(erase)]
        assert set().union(*(one.result() for one in asked)) <= {202, 409}
        assert set().union(*(one.result() for one in others)) == {200}
        for user in users[:2]:
            statement = "SELECT count(*) FROM webhooks_payload WHERE user_id = %s"
            assert home.rows(statement, user) == [(0,)]
        ended = "SELECT count(*) FROM webhooks_delivery WHERE endpoint_id = %s AND state = %s"
        key = account["id"].removeprefix("whk_")
        wait_for("rest", lambda: home.rows(ended, key, "pending") == [(0,)])
        with ThreadPoolExecutor(2) as pool:
            leaving = pool.submit(home.boot.delete, path)
            erasing = pool.submit(home.api.delete, f"/v1/users/{users[3]}/memories")
        assert (leaving.result().status_code, erasing.result().status_code) == (200, 200)
        statement = "SELECT count(*) FROM webhooks_payload WHERE user_id = ANY(%s)"
        assert home.rows(statement, users) == [(0,)]
        work = "SELECT count(*) FROM work_work WHERE kind = 'webhook' AND project_id = %s"
        assert home.rows(work, home.box.project["id"].removeprefix("prj_")) == [(0,)]
