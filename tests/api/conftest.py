"""The shared server's fixtures again, with every answer judged by the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import Oracle, WatchedBox
from tests.api_client import Api, ok, unique


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
