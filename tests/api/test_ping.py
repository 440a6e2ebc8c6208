"""GET /v1/ping."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused


def test_ping_tells_the_plan_the_region_and_the_scopes(api: Api, keyless: Api) -> None:
    assert ok(api.get("/v1/ping")) == {
        "ok": True,
        "tier": "self_hosted",
        "region": "local",
        "processing_region": None,
        "scopes": ["memories:read", "memories:write"],
    }
    refused(keyless.get("/v1/ping"), 401, "invalid_key")


@pytest.mark.parametrize("scopes", [("admin",), ("memories:write",), ("memories:read", "admin")])
def test_ping_needs_no_scope(box: WatchedBox, scopes: tuple[str, ...]) -> None:
    assert ok(box.key(*scopes).get("/v1/ping"))["scopes"] == list(scopes)


def test_ping_of_a_confined_key_works(box: WatchedBox) -> None:
    assert ok(box.key(users=["only"]).get("/v1/ping"))["ok"] is True


def test_ping_is_free_when_the_month_is_spent(on_plan: Callable[..., Api]) -> None:
    api = on_plan(writes_per_month=0, queries_per_month=0)
    assert ok(api.get("/v1/ping"))["tier"].startswith("plan-")
    refused(api.get("/v1/memories"), 429, "quota_exceeded")
    ok(api.get("/v1/ping"))
