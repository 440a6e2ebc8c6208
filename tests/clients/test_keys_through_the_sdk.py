"""Keys, their administration and sign-up through the official SDK."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from korely_memory import (
    APIError,
    AuthenticationError,
    ConflictError,
    Korely,
    NamespaceForbiddenError,
    NotFoundError,
    QuotaExceededError,
)

from korely.embedded.stack import Stack
from tests.api_client import Box, unique
from tests.clients.conftest import Connect
from tests.faults.second_server import second_web_server


@pytest.fixture(scope="module")
def open_door(stack: Stack) -> Iterator[str]:
    """A second server on the same database where two agents a day may sign up."""
    from accounts.models import SignUpCount

    SignUpCount.objects.all().delete()
    variables = {"KORELY_SIGNUP": "1", "KORELY_SIGNUPS_PER_DAY": "2"}
    with second_web_server({**os.environ, **stack.env}, **variables) as base:
        yield base


def shown(admin: Korely, key_id: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = admin.keys()
    return next(row for row in rows if row["id"] == key_id)


def test_a_key_is_made_listed_and_used(admin: Korely, connect: Connect, box: Box) -> None:
    name = unique("sdk")
    made = admin.create_key(
        name,
        project_id=box.project["id"],
        scopes=["memories:read", "memories:write"],
        users=["founder", "repo:*"],
        expires_in_days=7,
    )
    listed = shown(admin, made["id"])
    assert listed == {field: value for field, value in made.items() if field != "key"}
    assert (listed["name"], listed["project_name"]) == (name, box.project["name"])
    assert listed["users"] == ["founder", "repo:*"]
    client = connect(made["key"])
    assert client.ping().scopes == ["memories:read", "memories:write"]
    assert client.add("Within reach.", user_id="repo:one").user_id == "repo:one"
    with pytest.raises(NamespaceForbiddenError, match="confined"):
        client.add("Out of reach.", user_id="other")
    with pytest.raises(ConflictError):
        admin.create_key(name)


def test_expiry_is_the_server_s_default_none_or_in_days(admin: Korely, connect: Connect) -> None:
    assert admin.create_key(unique("default"))["expires_at"] is None
    assert admin.create_key(unique("never"), expires_in_days=None)["expires_at"] is None
    month = datetime.fromisoformat(admin.create_key(unique("m"), expires_in_days=30)["expires_at"])
    assert timedelta(days=29) < month - datetime.now(UTC) <= timedelta(days=30)
    over = admin.create_key(unique("over"), expires_in_days=0)
    assert over["state"] == "expired"
    with pytest.raises(AuthenticationError):
        connect(over["key"]).ping()
    with pytest.raises(APIError, match="expires_in_days") as caught:
        admin.create_key(unique("bad"), expires_in_days=9_999)
    assert caught.value.status == 422


def test_a_moved_key_sees_the_other_project(admin: Korely, connect: Connect, box: Box) -> None:
    target = admin.create_project(unique("target"))
    made = admin.create_key(unique("moving"), project_id=box.project["id"])
    client = connect(made["key"])
    stored = client.add("In the first project.")
    moved = admin.move_key(made["id"], target["id"])
    assert (moved["project_id"], moved["project_name"]) == (target["id"], target["name"])
    assert client.get_all().total == 0
    with pytest.raises(NotFoundError):
        client.get(str(stored.id))
    with pytest.raises(NotFoundError):
        admin.move_key(made["id"], "prj_" + "0" * 32)
    assert admin.move_key(made["id"], box.project["id"])["project_id"] == box.project["id"]
    assert client.get(str(stored.id)).content == "In the first project."


def test_a_revoked_key_is_dead_and_stays_listed(admin: Korely, connect: Connect, box: Box) -> None:
    made = admin.create_key(unique("dying"), project_id=box.project["id"])
    client = connect(made["key"])
    assert client.ping().ok is True
    assert admin.revoke_key(made["id"])["state"] == "revoked"
    with pytest.raises(AuthenticationError) as caught:
        client.get_all()
    assert caught.value.code == "invalid_key"
    assert admin.revoke_key(made["id"])["state"] == "revoked"
    assert shown(admin, made["id"])["state"] == "revoked"
    with pytest.raises(NotFoundError):
        admin.revoke_key("key_" + "0" * 32)


def test_an_agent_signs_up_where_that_is_open(open_door: str) -> None:
    made = Korely.init_agent("my-app", processing_region="eu", base_url=open_door)
    assert (made.tier, made.region, made.processing_region) == ("hobby", "local", None)
    assert made.scopes == ["memories:read", "memories:write"]
    assert made.quotas == {"writes_per_month": 2_000, "queries_per_month": 10_000, "agents": 2}
    assert (made.terms_url, made.privacy_url) == (None, None)
    client = Korely(api_key=made.api_key, base_url=open_door)
    assert client.ping().tier == "hobby"
    stored = client.add("The first memory.")
    assert [memory.id for memory in client.get_all()] == [stored.id]
    Korely.init_agent(base_url=open_door)
    with pytest.raises(QuotaExceededError) as caught:
        Korely.init_agent("one-too-many", base_url=open_door)
    error = caught.value
    assert (error.status, error.code, error.retry_after) == (429, "signup_rate_limited", 86_400)


def test_closed_sign_up_is_forbidden(stack: Stack) -> None:
    with pytest.raises(NamespaceForbiddenError) as caught:
        Korely.init_agent("my-app", base_url=stack.base_url)
    assert (caught.value.status, caught.value.code) == (403, "signup_disabled")
