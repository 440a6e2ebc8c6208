"""Parts of the install that are away, as the operators' first page tells it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import httpx
import pytest
import redis

from korely.embedded.stack import Stack
from tests.api_client import Box, wait_for
from tests.dashboard.operators.ground import change, project_of
from tests.dashboard.operators.test_work import put_work
from tests.dashboard.records import let_limits_pass
from tests.dashboard.visitor import Visitor, words
from tests.faults.second_server import second_web_server


@pytest.fixture
def without_broker(house: Stack, operator: Visitor) -> Iterator[Visitor]:
    house.hold("valkey")
    yield operator
    house.release("valkey")

    def counts_again() -> bool:
        try:
            let_limits_pass(house)
        except redis.RedisError:
            return False
        return True

    wait_for("the cache", counts_again)


def test_a_broker_that_is_away_is_told_and_the_rest_is_shown(without_broker: Visitor) -> None:
    shown = without_broker.text("/ops/")
    assert "Broker Fails ConnectionError" in shown
    assert "Cache Fails ConnectionError" in shown
    assert "Database Works" in shown
    assert "Model Works" in shown


def test_work_that_nobody_takes_up_is_told(house: Stack, operator: Visitor, box: Box) -> None:
    house.hold("worker")
    try:
        row = put_work(house, project_of(box), "extract")
        change(
            house,
            "UPDATE work_work SET next_attempt_at = now() - interval '5 minutes', attempts = 0,"
            " failure = NULL WHERE id = %s",
            row,
        )
        shown = operator.text("/ops/")
        assert "Workers Fails work is due for 30" in shown
        assert box.project["name"] in operator.text("/ops/work/")
    finally:
        house.release("worker")
    wait_for("the worker", lambda: "Workers Works" in operator.text("/ops/"))


def test_without_a_role_of_its_own_the_site_stays_shut(house: Stack, operator: Visitor) -> None:
    known = {**os.environ, **house.env, "KORELY_DATA_DIR": str(house.data_dir)}
    del known["DATABASE_OPS_URL"]
    with second_web_server(known, KORELY_TRUSTED_PROXIES="127.0.0.1") as base:
        for path in ("/ops/", "/ops/accounts/person/", "/ops/work/"):
            page = httpx.get(base + path, cookies=operator.http.cookies)
            assert page.status_code == 503, path
            assert "needs DATABASE_OPS_URL" in words(page)
