from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, unique

# A plan's limits to the bootstrap-like key of a new account on it, and that account's id.
Account = Callable[..., tuple[Api, Any]]


@pytest.fixture
def account(stack: Stack) -> Account:
    """Makes an account on a plan of its own; `limits` are the plan's fields."""

    def make(**limits: int | None) -> tuple[Api, Any]:
        from accounts import services
        from billing.models import Plan

        plan = Plan.objects.create(slug=unique("plan"), **limits)
        organisation, project = services.create_organisation(name="Small", plan=plan.slug)
        made = services.mint_key(
            organisation_id=organisation.id, project_id=project.id, name="small"
        )
        return Api(stack.base_url, made.key), organisation.id

    return make
