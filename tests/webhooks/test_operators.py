"""What operators see of webhooks: their pages at /ops/, and the numbers of /metrics."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import ok, unique, wait_for
from tests.dashboard.visitor import Visitor, settled, words
from tests.operations import manage
from tests.webhooks.conftest import Home
from tests.webhooks.receiver import receiving

DELIVERIES, ENDPOINTS = "/ops/webhooks/delivery/", "/ops/webhooks/endpoint/"


@pytest.fixture(scope="module")
def operator(impatient: Stack) -> Visitor:
    person = settled(impatient, unique("Operations"))
    manage(impatient, "make_operator", person.email)
    person.set_up_second_factor()
    return person


def plain(one: dict[str, Any]) -> str:
    return str(one["id"]).rpartition("_")[2]


def redeliver(operator: Visitor, *deliveries: dict[str, Any]) -> str:
    """What the page says after the action on these."""
    data: Any = {"action": "redeliver", "_selected_action": [plain(one) for one in deliveries]}
    done = operator.post(DELIVERIES, data, follow_redirects=True)
    assert done.status_code == 200, words(done)
    return words(done)


def numbers(home: Home) -> dict[str, float]:
    page = httpx.get(f"{home.stack.base_url}/metrics")
    assert page.status_code == 200
    lines = [line for line in page.text.splitlines() if not line.startswith("#")]
    return {name: float(text) for name, _, text in (line.rpartition(" ") for line in lines)}


def test_an_operator_sees_webhooks_without_secrets_and_has_deliveries_made_again(
    home: Home, operator: Visitor
) -> None:
    with receiving(410) as receiver:
        webhook = home.register(f"{receiver.url}/quite-secret", events=["memory.created"])
        home.api.add("Again, please.", user_id="quite-private")
        gone = home.ended(webhook, "dead")
        pages = [operator.get(DELIVERIES), operator.get(f"{DELIVERIES}?q={gone['message_id']}")]
        pages += [operator.get(f"{DELIVERIES}{plain(gone)}/change/"), operator.get(ENDPOINTS)]
        pages += [operator.get(f"{ENDPOINTS}{plain(webhook)}/change/")]
        pages += [operator.get(f"{ENDPOINTS}?q={webhook['id']}")]
        for page in pages:
            assert page.status_code == 200
            for hidden in ("quite-", webhook["secret"].removeprefix("whsec_"), "Again, please"):
                assert hidden not in page.text
        assert "1 result" in words(pages[1])
        assert gone["message_id"] in pages[2].text
        for page in pages[4:]:
            assert receiver.url.partition("/hook")[0].removeprefix("http://") in page.text
        assert operator.get(f"{DELIVERIES}?q=nonsense").status_code == 200

        told = redeliver(operator, gone)
        assert "Delivered again: 0." in told
        assert "Not delivered again: 1. The webhook is disabled" in told
        assert home.deliveries(webhook) == [gone]

        ok(home.boot.patch(f"/admin/webhooks/{webhook['id']}", {"enabled": True}))
        assert "Delivered again: 1." in redeliver(operator, gone)
        assert home.ended(webhook)["message_id"] == gone["message_id"]
        assert [request.id for request in receiver.got] == [gone["message_id"]] * 2
    found = home.rows(
        "SELECT actor, meta->'deliveries', meta ? 'person' FROM billing_auditevent"
        " WHERE action = 'webhook_redeliver'"
        " AND actor = 'manage'"
    )
    assert found == [("manage", 1, True)]


def test_webhooks_are_not_changed_on_these_pages(home: Home, operator: Visitor) -> None:
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=["quota.warning"])
        for action in ("change", "delete"):
            path = f"{ENDPOINTS}{plain(webhook)}/{action}/"
            answer = operator.post(path, {"post": "yes", "enabled": ""}, page="/ops/")
            assert answer.status_code == 403, path
        assert home.shown(webhook)["state"] == "enabled"


def test_nobody_else_has_a_delivery_made_again(home: Home) -> None:
    with receiving() as receiver:
        webhook = home.register(receiver.url, events=["memory.created"])
        home.api.add("Once.", user_id="once")
        delivery = home.ended(webhook)
        other = settled(home.stack, unique("Curious"))
        for visitor in (Visitor(home.stack), other):
            data: Any = {"action": "redeliver", "_selected_action": [plain(delivery)]}
            page = "/account/logout/" if visitor is other else "/account/login/"
            answer = visitor.post(DELIVERIES, data, page=page)
            assert answer.status_code in (302, 404)
        assert home.deliveries(webhook) == [delivery]
        assert len(receiver.got) == 1


def test_metrics_tell_what_waits_what_is_dead_and_how_webhooks_are(home: Home) -> None:
    before = numbers(home)
    with receiving(500, 500, 500, held=True) as receiver, receiving(410) as leaving:
        webhook = home.register(receiver.url, events=["memory.created"])
        gone = home.register(leaving.url, events=["memory.created"])
        home.api.add("Watch.", user_id="watch")
        wait_for("the try", lambda: receiver.got)
        home.ended(gone, "dead")
        seen = numbers(home)

        def grown(name: str) -> float:
            return seen[name] - before[name]

        assert grown('korely_webhook_deliveries{state="dead"}') == 1
        assert grown('korely_webhook_endpoints{state="gone"}') == 1
        assert seen['korely_webhook_deliveries{state="pending"}'] >= 1
        assert seen['korely_work_rows{kind="webhook"}'] >= 1
        assert seen["korely_database_up"] == 1
        receiver.hold.set()
        home.ended(webhook)
    after = numbers(home)
    # Counted by the worker, told by the web server.
    for result, least in (("failed", 4), ("delivered", 1)):
        name = f'korely_webhook_tries_total{{result="{result}"}}'
        assert after[name] - before.get(name, 0) >= least
    assert [name for name in after if name.startswith("korely_extractions_total")]
    assert not [name for name in after if re.search(r"[0-9a-f]{32}|watch", name)]


def test_metrics_tell_of_work_that_nobody_takes_up(home: Home) -> None:
    home.stack.hold("worker")
    try:
        home.api.add("Nobody is there.", user_id="stuck")

        def stuck() -> bool:
            seen = numbers(home)
            due = seen['korely_work_due{kind="extract"}'] >= 1
            return due and seen['korely_work_due_seconds{kind="extract"}'] > 1

        wait_for("a growing wait", stuck)
    finally:
        home.stack.release("worker")
    home.api.settle()
    assert numbers(home)['korely_work_due{kind="extract"}'] == 0
