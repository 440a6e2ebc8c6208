"""How rows come from memory into the database: at a stop, without the database, past the bound."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg

from korely.embedded.stack import Stack
from tests.accounts import organisation_of
from tests.api_client import Api, unique, wait_for


def stored(stack: Stack, request_ids: list[str]) -> int:
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"]) as connection:
        row = connection.execute(
            "SELECT count(*) FROM billing_requestentry WHERE request_id = ANY(%s)", [request_ids]
        ).fetchone()
    assert row is not None
    return int(row[0])


def ask(api: Api, request_id: str) -> int:
    headers = {"X-Request-Id": request_id}
    return api.request("GET", "/v1/ping", headers=headers).status_code


def noted(organisation: uuid.UUID, request_id: str, route: str = "/v1/ping") -> Any:
    from billing.services import Noted
    from korely.kernel.clock import now
    from korely.kernel.ids import uuid7

    return Noted(
        uuid7(), organisation, uuid.uuid4(), None, now(), "GET", route, 200, 3, request_id, ""
    )


def dropped() -> float:
    from korely.http.request_log import DROPPED

    (family,) = DROPPED.collect()
    return next(one.value for one in family.samples if one.name.endswith("_total"))


def test_rows_outlast_a_database_away_and_a_stop() -> None:
    with Stack.temporary() as running:
        api = Api(running.base_url, running.key)
        before = [unique("before") for _ in range(5)]
        assert [ask(api, one) for one in before] == [200] * 5
        running.hold("postgres")
        try:
            assert api.get("/healthz").status_code == 200
        finally:
            running.release("postgres")
        wait_for("the database", lambda: ask(api, unique("again")) == 200, 30)
        wait_for("the rows", lambda: stored(running, before) == 5, 20)

        last = [unique("last") for _ in range(5)]
        assert [ask(api, one) for one in last] == [200] * 5
        running.restart()
        assert stored(running, last) == 5


def test_with_a_log_of_no_days_nothing_is_stored(stack: Stack, boot: Api) -> None:
    from django.test import Client, override_settings

    off, on = unique("off"), unique("on")
    headers = {"Authorization": f"Bearer {boot.key}"}
    with override_settings(KORELY_REQUEST_LOG_DAYS=0):
        unlogged = Client().get("/v1/ping", headers={**headers, "X-Request-Id": off})
    logged = Client().get("/v1/ping", headers={**headers, "X-Request-Id": on})
    assert (unlogged.status_code, logged.status_code) == (200, 200)
    wait_for("the row", lambda: stored(stack, [on]) == 1, 10)
    assert stored(stack, [off]) == 0


def test_what_finds_no_place_is_counted_and_the_rest_is_stored(stack: Stack, boot: Api) -> None:
    from korely.http.request_log import RequestLog

    organisation, log, before = organisation_of(boot), RequestLog(most=2), dropped()
    requests = [unique("full") for _ in range(5)]
    for request_id in requests:
        log.note(noted(organisation, request_id))
    log.close()
    assert stored(stack, requests[:2]) == 2
    assert stored(stack, requests[2:]) == 0
    assert dropped() - before == 3


def test_what_cannot_be_stored_stands_in_nobody_s_way(stack: Stack, boot: Api) -> None:
    from korely.http.request_log import RequestLog

    organisation, log, before = organisation_of(boot), RequestLog(), dropped()
    log.note(noted(organisation, unique("long"), route="/v1/" + "x" * 300))
    wait_for("the fault", lambda: dropped() - before == 1, 10)
    good = unique("good")
    log.note(noted(organisation, good))
    log.close()
    assert stored(stack, [good]) == 1
    assert dropped() - before == 1


def test_a_row_of_an_account_that_is_gone_is_left_out(stack: Stack, boot: Api) -> None:
    from billing.services import store_requests

    gone, there = unique("gone"), unique("there")
    rows = [noted(uuid.uuid4(), gone), noted(organisation_of(boot), there)]
    assert store_requests(noted=rows) == 1
    assert (stored(stack, [gone]), stored(stack, [there])) == (0, 1)


def test_a_key_that_was_sent_as_a_name_is_not_kept(stack: Stack, boot: Api) -> None:
    from billing.services import store_requests

    key, mark = f"kor_self_{'ab' * 16}", unique("mark")
    row = noted(organisation_of(boot), f"{mark}-{key}")
    assert store_requests(noted=[row._replace(client=f"{mark} {'Bearer x ' * 10}")]) == 1
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"]) as connection:
        found = connection.execute(
            "SELECT request_id, client FROM billing_requestentry WHERE request_id LIKE %s",
            [f"{mark}%"],
        ).fetchall()
    assert [request_id for request_id, _ in found] == [f"{mark}-[redacted]"]
    assert "Bearer" not in found[0][1]
