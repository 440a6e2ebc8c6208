"""One live server for the whole run, on its own PostgreSQL and Valkey in a temporary directory.

Tests speak HTTP to it; those that look below connect as the application role. Every test makes
its own project or end users, so nothing is cleaned between them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, unique


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The running server; Django is set up against its database, as the application role."""
    with Stack.temporary(env={"RATE_LIMIT_PER_MINUTE": "0"}) as running:
        os.environ.update(running.env)
        os.environ["DJANGO_SETTINGS_MODULE"] = "korely.settings"
        import django

        django.setup()
        yield running


@pytest.fixture(scope="session")
def boot(stack: Stack) -> Api:
    """The bootstrap key: all three scopes, in the default project of the first account."""
    return Api(stack.base_url, stack.key)


@pytest.fixture(scope="module")
def box(boot: Api) -> Box:
    """A project of the module's own, with a read-write key in it."""
    return Box(boot)


@pytest.fixture
def fresh(boot: Api) -> Box:
    """A project nobody else writes to, for exact counts."""
    return Box(boot)


@pytest.fixture(scope="module")
def api(box: Box) -> Api:
    return box.api


@pytest.fixture
def uid() -> str:
    return unique("user")


@pytest.fixture(scope="session")
def other_account(stack: Stack) -> Api:
    """A read-write key of a second organisation."""
    from accounts import services

    organisation, project = services.create_organisation(name="Other", plan="self_hosted")
    made = services.mint_key(organisation_id=organisation.id, project_id=project.id, name="other")
    return Api(stack.base_url, made.key)
