"""A server of its own with every limit on, as an operator of a public one would have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique
from tests.operations import manage

LIMITS = {
    "RATE_LIMIT_PER_MINUTE": "30",
    "KORELY_SIGNUP": "1",
    "SIGNUP_PLAN": "hobby",
    "KORELY_SIGNUPS_PER_DAY": "3",
    "KORELY_TRUSTED_PROXIES": "127.0.0.0/8",
    "EMBEDDINGS_AT_ONCE": "1",
}


@pytest.fixture(scope="module")
def limited() -> Iterator[Stack]:
    with Stack.temporary(env=LIMITS) as running:
        yield running


def sign_up(stack: Stack, address: str) -> Api:
    """A new account's key, asked for from an address behind the trusted proxy."""
    response = Api(stack.base_url, None).request(
        "POST", "/v1/agents/init", json={}, headers={"X-Forwarded-For": address}
    )
    return Api(stack.base_url, ok(response, 201)["api_key"])


@pytest.fixture
def on_tiny_plan(limited: Stack) -> Callable[..., Api]:
    """A key of a new account that an operator put on a plan with the limits given."""
    count = iter(range(1, 250))

    def make(**limits: int) -> Api:
        slug = unique("tiny")
        columns = ", ".join(["slug", *limits])
        with psycopg.connect(limited.env["DATABASE_URL"], autocommit=True) as database:
            marks = ", ".join(["%s"] * (1 + len(limits)))
            database.execute(
                f"INSERT INTO billing_plan ({columns}) VALUES ({marks})", [slug, *limits.values()]
            )
            api = sign_up(limited, f"203.0.113.{next(count)}")
            row = database.execute(
                "SELECT organisation_id FROM accounts_apikey WHERE lookup = %s", [api.key[9:17]]
            ).fetchone()
        assert row is not None
        manage(limited, "set_plan", str(row[0]), slug)
        return api

    return make
