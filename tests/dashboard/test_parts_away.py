"""Without the cache people still sign in, and guessing is still stopped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from korely.embedded.stack import Stack
from tests.api_client import wait_for
from tests.dashboard.records import let_limits_pass
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words


@pytest.fixture
def without_cache(house: Stack, gathered: Team) -> Iterator[Stack]:
    house.hold("valkey")
    yield house
    house.release("valkey")
    wait_for("the cache", lambda: _counts_again(house))


def _counts_again(house: Stack) -> bool:
    try:
        let_limits_pass(house)
    except redis.RedisError:
        return False
    return True


def test_without_the_cache_people_sign_in_and_guessing_is_stopped(
    without_cache: Stack, gathered: Team
) -> None:
    person = Visitor(without_cache, gathered.member.email)
    assert person.sign_in().headers["location"] == "/dashboard/"
    said = []
    for guess in range(7):
        page = Visitor(without_cache, gathered.admin.email).sign_in(f"guess {guess}")
        assert page.status_code == 200
        said.append("Too many failed login attempts" in words(page))
    assert said == [False] * 5 + [True] * 2
