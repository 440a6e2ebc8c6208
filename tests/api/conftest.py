"""The shared server's fixtures again, with every answer judged by the OpenAPI document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import Oracle, WatchedBox
from tests.api_client import Api, ok, unique
from tests.faults.second_server import second_web_server


@pytest.fixture(scope="session")
def oracle(stack: Stack) -> Oracle:
    return Oracle(ok(Api(stack.base_url, None).get("/v1/openapi.json")))


@pytest.fixture(scope="session")
def boot(stack: Stack, oracle: Oracle) -> Api:
    return oracle.watch(Api(stack.base_url, stack.key))


@pytest.fixture(scope="session")
def keyless(stack: Stack, oracle: Oracle) -> Api:
    return oracle.watch(Api(stack.base_url, None))


@pytest.fixture(scope="module")
def box(boot: Api, oracle: Oracle) -> WatchedBox:
    return WatchedBox(boot, oracle)


@pytest.fixture
def fresh(boot: Api, oracle: Oracle) -> WatchedBox:
    return WatchedBox(boot, oracle)


@pytest.fixture(scope="module")
def api(box: WatchedBox) -> Api:
    return box.api


@pytest.fixture(scope="session")
def stranger(other_account: Api, oracle: Oracle) -> Api:
    """A read-write key of a second organisation."""
    return oracle.watch(other_account)


@pytest.fixture(scope="session")
def on_plan(stack: Stack, oracle: Oracle) -> Callable[..., Api]:
    """A read-write key of a new account on a plan of its own, with the limits given."""
    from accounts import services
    from billing.models import Plan

    def make(**limits: Any) -> Api:
        plan = Plan.objects.create(slug=unique("plan"), **limits)
        organisation, project = services.create_organisation(name=plan.slug, plan=plan.slug)
        made = services.mint_key(
            organisation_id=organisation.id, project_id=project.id, name="only"
        )
        return oracle.watch(Api(stack.base_url, made.key))

    return make


@pytest.fixture(scope="session")
def open_door(stack: Stack) -> Iterator[str]:
    """The address of a second server on the same database: sign-up is open, and it believes the
    X-Forwarded-For of a proxy on this machine.
    """
    variables = {
        "KORELY_SIGNUP": "1",
        "KORELY_SIGNUPS_PER_DAY": "3",
        "KORELY_TERMS_URL": "https://example.org/terms",
        "KORELY_TRUSTED_PROXIES": "127.0.0.0/8,10.9.0.0/16",
        "KEY_DEFAULT_DAYS": "30",
    }
    with second_web_server({**os.environ, **stack.env}, **variables) as base:
        yield base
