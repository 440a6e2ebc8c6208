"""/admin/keys."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique

KEYS = "/admin/keys"


def shown(boot: Api, key_id: str) -> dict[str, Any]:
    return next(one for one in ok(boot.get(KEYS))["keys"] if one["id"] == key_id)


def test_a_key_is_shown_once_and_masked_ever_after(box: WatchedBox) -> None:
    made = box.mint()
    assert re.fullmatch(r"kor_self_[0-9a-f]{32}", made["key"])
    assert made["masked"] == f"kor_self_••••{made['key'][-4:]}"
    assert (made["state"], made["users"]) == ("live", None)
    assert made["scopes"] == ["memories:read", "memories:write"]
    assert (made["project_id"], made["project_name"]) == (box.project["id"], box.project["name"])
    assert (made["last_used_at"], made["expires_at"], made["revoked_at"]) == (None, None, None)
    listing = box.boot.get(KEYS)
    assert made["key"] not in listing.text
    assert made["key"].removeprefix("kor_self_") not in listing.text
    listed = shown(box.boot, made["id"])
    assert listed == {name: value for name, value in made.items() if name != "key"}


def test_keys_are_listed_newest_first_revoked_ones_included(box: WatchedBox) -> None:
    made = [box.mint()["id"] for _ in range(3)]
    ok(box.boot.post(f"{KEYS}/{made[1]}/revoke"))
    keys = ok(box.boot.get(KEYS))["keys"]
    mine = [one["id"] for one in keys if one["id"] in made]
    assert mine == made[::-1]
    assert {one["state"] for one in keys if one["id"] == made[1]} == {"revoked"}


def test_use_is_stamped(box: WatchedBox) -> None:
    made = box.mint()
    ok(Api(box.boot.base_url, made["key"]).get("/v1/ping"))
    used = shown(box.boot, made["id"])["last_used_at"]
    assert clock.read(used) >= clock.read(made["created_at"])
    ok(Api(box.boot.base_url, made["key"]).get("/v1/ping"))
    assert shown(box.boot, made["id"])["last_used_at"] == used


def test_a_revoked_key_is_refused_at_once_and_revoking_is_idempotent(box: WatchedBox) -> None:
    made = box.mint()
    caller = Api(box.boot.base_url, made["key"])
    ok(caller.get("/v1/ping"))
    revoked = ok(box.boot.post(f"{KEYS}/{made['id']}/revoke"))
    assert revoked["state"] == "revoked"
    refused(caller.get("/v1/ping"), 401, "invalid_key")
    again = ok(box.boot.post(f"{KEYS}/{made['id']}/revoke"))
    assert (again["revoked_at"], again["state"]) == (revoked["revoked_at"], "revoked")
    for spelled in (made["id"][4:], made["id"][4:].upper()):
        ok(box.boot.post(f"{KEYS}/{spelled}/revoke", {}))
    for bad in ("x", f"key_{'0' * 32}", made["id"].replace("key_", "prj_")):
        refused(box.boot.post(f"{KEYS}/{bad}/revoke"), 404, "not_found")


def test_expiry(box: WatchedBox) -> None:
    never = box.mint(expires_in_days=None)
    assert never["expires_at"] is None
    now = box.mint(expires_in_days=0)
    assert now["state"] == "expired"
    refused(Api(box.boot.base_url, now["key"]).get("/v1/ping"), 401, "invalid_key")
    for days in (1, 3_650):
        made = box.mint(expires_in_days=days)
        lasts = clock.read(made["expires_at"]) - clock.read(made["created_at"])
        assert lasts == timedelta(days=days)
        ok(Api(box.boot.base_url, made["key"]).get("/v1/ping"))


def test_a_name_is_unique_among_live_keys(box: WatchedBox) -> None:
    name = unique("name")
    first = box.mint(name=name)
    body = {"name": f" {name} ", "project_id": box.project["id"]}
    refused(box.boot.post(KEYS, body), 409, "conflict")
    ok(box.boot.post(f"{KEYS}/{first['id']}/revoke"))
    expired = box.mint(name=name, expires_in_days=0)
    assert expired["state"] == "expired"
    box.mint(name=name)
    refused(box.boot.post(KEYS, body), 409, "conflict")


def test_scopes_are_kept_and_none_implies_another(box: WatchedBox) -> None:
    for scopes in (["memories:read"], ["memories:write"], ["admin"], ["admin", "memories:read"]):
        api = box.key(*scopes)
        assert set(ok(api.get("/v1/ping"))["scopes"]) == set(scopes)
        calls = {
            "memories:read": api.get("/v1/memories"),
            "memories:write": api.post("/v1/memories", {"content": "Scoped."}),
            "admin": api.get(KEYS),
        }
        for scope, response in calls.items():
            if scope in scopes:
                assert response.status_code < 300
            else:
                said = refused(response, 403, "forbidden")["message"]
                assert said == f"API key missing required scope(s): {scope}"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["memories:read", "memories:read"]}, "scopes"),
        ({"scopes": ["read"]}, "scopes"),
        ({"scopes": "admin"}, "scopes"),
        ({"users": []}, "users"),
        ({"users": ["*"]}, "users"),
        ({"users": ["a*b"]}, "users"),
        ({"users": ["a**"]}, "users"),
        ({"users": [""]}, "users"),
        ({"users": [" "]}, "users"),
        ({"users": ["x" * 256]}, "users"),
        ({"users": ["a\n"]}, "users"),
        ({"users": [5]}, "users"),
        ({"users": "a"}, "users"),
        ({"users": [f"u{n}" for n in range(101)]}, "users"),
        ({"users": ["a"], "scopes": ["admin"]}, "users"),
        ({"users": ["a"], "scopes": ["memories:read", "admin"]}, "users"),
        ({"expires_in_days": -1}, "expires_in_days"),
        ({"expires_in_days": 3_651}, "expires_in_days"),
        ({"expires_in_days": "30"}, "expires_in_days"),
        ({"expires_in_days": 1.5}, "expires_in_days"),
        ({"expires_in_days": True}, "expires_in_days"),
        ({"project_id": 5}, "project_id"),
        ({"key": "kor_self_" + "0" * 32}, "key"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_refused_key_is_422_and_not_made(boot: Api, fields: dict[str, Any], field: str) -> None:
    name = unique("refused")
    body = {"name": name, **fields}
    refused(boot.post(KEYS, body), 422, "invalid_request", field)
    assert name not in boot.get(KEYS).text


def test_a_key_of_an_unknown_project_is_404(boot: Api) -> None:
    for bad in (f"prj_{'0' * 32}", "x", f"key_{'0' * 32}"):
        body = {"name": unique("lost"), "project_id": bad}
        refused(boot.post(KEYS, body), 404, "not_found")


def test_the_default_project_is_the_caller_s(box: WatchedBox) -> None:
    admin = box.key("admin")
    made = ok(admin.post(KEYS, {"name": unique("mine")}), 201)
    assert made["project_id"] == box.project["id"]


def test_the_last_live_admin_key_of_an_account_cannot_be_revoked(boot: Api) -> None:
    from accounts import services

    organisation, project = services.create_organisation(name=unique("o"), plan="self_hosted")
    place = {"organisation_id": organisation.id, "project_id": project.id}
    made = services.mint_key(**place, name="admin", scopes=("admin",))
    admin = Api(boot.base_url, made.key)
    own = ok(admin.get(KEYS))["keys"][0]["id"]
    refused(admin.post(f"{KEYS}/{own}/revoke"), 409, "conflict")
    second = ok(admin.post(KEYS, {"name": "second", "scopes": ["admin"]}), 201)
    ok(admin.post(f"{KEYS}/{own}/revoke"))
    refused(admin.get(KEYS), 401, "invalid_key")
    assert len(ok(Api(boot.base_url, second["key"]).get(KEYS))["keys"]) == 2
    foreign = Api(boot.base_url, second["key"]).post(f"{KEYS}/key_{'0' * 32}/revoke")
    refused(foreign, 404, "not_found")
