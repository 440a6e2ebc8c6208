"""Deliveries looked at and made again, a test event seen to arrive."""

from __future__ import annotations

import uuid
from functools import partial

import psycopg

from korely.embedded.stack import Stack
from tests.concurrency.at_once import at_once
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor, words
from tests.dashboard.webhooks.conftest import Desk
from tests.webhooks.receiver import receiving


def test_a_test_event_arrives_and_its_page_turns_by_itself(desk: Desk) -> None:
    with receiving(held=True) as receiver:
        webhook = desk.added(receiver.url)
        delivery = desk.tested(webhook)
        page = desk.person.get(delivery)
        assert f'hx-get="{delivery}state/"' in page.text
        assert "every 2s" in page.text
        assert "webhook.test" in words(page)
        receiver.hold.set()
        part = desk.became(delivery, "Delivered")
        assert "hx-get" not in part
        (sent,) = receiver.got
        assert sent.id in part
        assert (sent.event, sent.data["webhook_id"][:4]) == ("webhook.test", "whk_")
    shown = desk.person.text(delivery)
    assert sent.data["webhook_id"] in shown
    listed = desk.person.text(webhook)
    assert "Working" in listed
    assert "204" in listed


def test_a_failing_receiver_is_shown_and_a_redelivery_reaches_it(house: Stack, desk: Desk) -> None:
    with receiving() as receiver:
        receiver.otherwise = 500
        webhook = desk.added(receiver.url)
        delivery = desk.tested(webhook)
        part = desk.became(delivery, "Given up")
        assert "answered 500" in part
        assert "Failing" in desk.person.text(webhook)
        receiver.otherwise = 204
        sent = desk.person.post(f"{delivery}redeliver/", page=delivery)
        assert sent.headers["location"] == delivery
        desk.became(delivery, "Delivered")
        assert len({request.id for request in receiver.got}) == 1
        assert "Working" in desk.person.text(webhook)


def test_what_was_given_up_in_a_day_is_made_again_once_however_many_ask(
    house: Stack, desk: Desk
) -> None:
    with receiving() as receiver:
        receiver.otherwise = 500
        webhook = desk.added(receiver.url)
        given_up = [desk.tested(webhook) for _ in range(3)]
        for delivery in given_up:
            desk.became(delivery, "Given up")
        old, erased = (path.rstrip("/").rpartition("/")[2] for path in given_up[:2])
        with psycopg.connect(house.env["DATABASE_URL"]) as connection:
            connection.execute(
                "UPDATE webhooks_delivery SET created_at = now() - interval '25 hours'"
                " WHERE id = %s",
                [old],
            )
            connection.execute(f"SET LOCAL korely.project_id = '{uuid.UUID(desk.project).hex}'")
            connection.execute("DELETE FROM webhooks_payload WHERE id = %s", [erased])
        assert "Deliver again what was given up" in desk.person.text(webhook)
        receiver.got.clear()
        receiver.otherwise = 204
        browsers = [same_person(desk) for _ in range(3)]
        answers = at_once(
            [partial(one.post, f"{webhook}redeliver/", page=webhook) for one in browsers]
        )
        assert [answer.status_code for answer in answers] == [302] * 3
        desk.became(given_up[2], "Delivered")
        assert len(receiver.got) == 1
    assert "erased" in desk.person.text(given_up[1])
    found = rows(
        house,
        "SELECT id::text, state FROM webhooks_delivery WHERE id = ANY(%s::uuid[])",
        [old, erased],
    )
    assert dict(found) == {old: "dead", erased: "dead"}
    told = rows(
        house,
        "SELECT meta::jsonb->>'deliveries' FROM billing_auditevent"
        " WHERE action = 'webhook_redeliver' AND project_id = %s",
        desk.project,
    )
    assert told == [("1",)]


def test_deliveries_are_listed_a_page_at_a_time_and_by_state(house: Stack, desk: Desk) -> None:
    webhook = desk.added("https://hooks.invalid/")
    endpoint = webhook.rstrip("/").rpartition("/")[2]
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO webhooks_delivery (id, endpoint_id, project_id, event, state, attempts,"
            " created_at) SELECT gen_random_uuid(), %s, %s, 'memory.ready',"
            " CASE WHEN n <= 3 THEN 'dead' ELSE 'delivered' END, n,"
            " now() - n * interval '1 second' FROM generate_series(1, 120) n",
            [endpoint, desk.project],
        )
    seen = []
    path = webhook
    for _ in range(4):
        page = desk.person.get(path)
        seen += tries(page.text)
        older = [part for part in page.text.split('href="') if 'rel="next"' in part.split(">")[0]]
        if not older:
            break
        path = webhook + older[0].partition('"')[0].replace("&amp;", "&")
    assert seen == list(range(1, 121))
    assert tries(desk.person.get(f"{webhook}?state=dead").text) == [1, 2, 3]
    none = desk.person.text(f"{webhook}?state=pending")
    assert "No such deliveries" in none
    for wrong in ("?state=lost", "?after=nonsense", "?before=AAAA"):
        assert desk.person.get(f"{webhook}{wrong}").status_code == 404, wrong


def test_a_delivery_of_another_webhook_is_not_found(desk: Desk) -> None:
    with receiving() as receiver:
        webhook = desk.added(receiver.url)
        delivery = desk.tested(webhook)
        desk.became(delivery, "Delivered")
    other = desk.added("https://hooks.example.com/")
    foreign = delivery.replace(webhook, other)
    for path in (foreign, f"{foreign}state/", f"{webhook}deliveries/{uuid.uuid4()}/"):
        assert desk.person.get(path).status_code == 404, path
    assert desk.person.post(f"{foreign}redeliver/", page=webhook).status_code == 404


def same_person(desk: Desk) -> Visitor:
    found = Visitor(desk.person.stack, desk.person.email)
    found.http.cookies.update(desk.person.http.cookies)
    return found


def tries(text: str) -> list[int]:
    """The numbers of tries that a page lists, in its order."""
    body = text.partition("<tbody>")[2].partition("</tbody>")[0]
    return [int(cell.partition("<")[0]) for cell in body.split('<td class="number">')[1:]]
