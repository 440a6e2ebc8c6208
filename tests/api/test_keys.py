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


def audited(api: Api, action: str, key_id: str) -> list[dict[str, Any]]:
    """The events of an act on a key, as its project's audit log tells them."""
    events = ok(api.get("/v1/audit", action=action))["events"]
    return [one for one in events if one["target_id"] == key_id]


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


def archive(project_id: str) -> None:
    """The row as archiving leaves it."""
    from accounts.models import Project

    Project.objects.filter(pk=project_id[4:]).update(archived_at=clock.now())


def test_expiry_left_out_is_the_installation_s_default_and_null_is_never(
    boot: Api, open_door: str
) -> None:
    """The second server's KEY_DEFAULT_DAYS is 30."""
    admin = Api(open_door, boot.key)
    made = ok(admin.post(KEYS, {"name": unique("default")}), 201)
    lasts = clock.read(made["expires_at"]) - clock.read(made["created_at"])
    assert lasts == timedelta(days=30)
    never = {"name": unique("never"), "expires_in_days": None}
    assert ok(admin.post(KEYS, never), 201)["expires_at"] is None
    own = {"name": unique("own"), "expires_in_days": 0}
    assert ok(admin.post(KEYS, own), 201)["state"] == "expired"


def test_who_made_a_key_is_kept_and_shown_nowhere(box: WatchedBox) -> None:
    from accounts.models import ApiKey

    admin = box.mint(scopes=["admin"])
    response = Api(box.boot.base_url, admin["key"]).post(KEYS, {"name": unique("made")})
    made = ok(response, 201)
    row = ApiKey.objects.get(pk=made["id"][4:])
    assert f"key_{row.created_by.hex}" == admin["id"]
    assert admin["id"][4:] not in response.text


def test_a_moved_key_sees_its_new_project_and_only_that(
    box: WatchedBox, fresh: WatchedBox, uid: str
) -> None:
    made = box.mint(users=["a", "team-*"], expires_in_days=30)
    api = Api(box.boot.base_url, made["key"])
    body = {"content": "Before the move.", "user_id": "a", "run_id": uid}
    before = ok(api.post("/v1/memories", body), 201)
    target = {"project_id": fresh.project["id"]}
    moved = ok(box.boot.post(f"{KEYS}/{made['id']}/move", target))
    changed = {"project_id": fresh.project["id"], "project_name": fresh.project["name"]}
    used = {"last_used_at": moved["last_used_at"]}
    assert moved == {name: value for name, value in made.items() if name != "key"} | changed | used
    refused(api.get(f"/v1/memories/{before['id']}"), 404, "not_found")
    assert ok(api.get("/v1/memories"))["total"] == 0
    after = ok(api.post("/v1/memories", {**body, "content": "After the move."}), 201)
    assert [one["id"] for one in ok(fresh.api.get("/v1/memories"))["memories"]] == [after["id"]]
    assert ok(box.api.get("/v1/memories", run_id=uid))["total"] == 1
    ok(box.boot.post(f"{KEYS}/{made['id']}/move", target))
    for project in (box, fresh):
        (event,) = audited(project.api, "key_move", made["id"])
        assert (event["result"], event["actor"]) == ("ok", "rest")


def test_a_project_id_of_a_move_is_taken_in_every_spelling(
    box: WatchedBox, fresh: WatchedBox
) -> None:
    made, bare = box.mint(), fresh.project["id"][4:]
    for spelled in (bare, bare.upper(), fresh.project["id"]):
        moved = ok(box.boot.post(f"{KEYS}/{made['id'][4:]}/move", {"project_id": spelled}))
        assert moved["project_id"] == fresh.project["id"]


def test_a_refused_move_leaves_the_key_where_it_is(
    box: WatchedBox, fresh: WatchedBox, other_account: Api
) -> None:
    from accounts.models import ApiKey

    made = box.mint()
    path = f"{KEYS}/{made['id']}/move"
    foreign = ApiKey.objects.get(lookup=str(other_account.key)[9:17])
    for project in (f"prj_{'0' * 32}", "x", "", f"key_{'0' * 32}", f"prj_{foreign.project_id.hex}"):
        status = 404 if project else 422
        assert box.boot.post(path, {"project_id": project}).status_code == status
    for body in ({}, {"project_id": None}, {"project_id": 5}, {"project_id": ["x"]}):
        refused(box.boot.post(path, body), 422, "invalid_request", "project_id")
    body = {"project_id": fresh.project["id"]}
    refused(box.boot.post(path, {**body, "name": "x"}), 422, "invalid_request", "name")
    for key in (f"key_{foreign.id.hex}", f"key_{'0' * 32}", "x"):
        refused(box.boot.post(f"{KEYS}/{key}/move", body), 404, "not_found")
    archive(fresh.project["id"])
    refused(box.boot.post(path, body), 409, "conflict", "archived")
    assert shown(box.boot, made["id"])["project_id"] == box.project["id"]
    foreign.refresh_from_db()
    assert foreign.project_id.hex != fresh.project["id"][4:]
    assert audited(box.api, "key_move", made["id"]) == []


def test_an_archived_project_takes_no_new_key(box: WatchedBox, fresh: WatchedBox) -> None:
    archive(fresh.project["id"])
    name = unique("late")
    body = {"name": name, "project_id": fresh.project["id"]}
    refused(box.boot.post(KEYS, body), 409, "conflict", "archived")
    assert name not in box.boot.get(KEYS).text


def test_rotation_gives_a_new_key_and_lets_the_old_one_work_for_a_while(box: WatchedBox) -> None:
    old = box.mint(scopes=["memories:read"], users=["a", "b*"], expires_in_days=30)
    response = box.boot.post(f"{KEYS}/{old['id']}/rotate", {"overlap_seconds": 3600})
    new = ok(response, 201)
    kept = ("name", "scopes", "users", "project_id", "project_name", "expires_at")
    assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    assert new["id"] != old["id"]
    assert new["key"] != old["key"]
    assert (new["state"], new["last_used_at"], new["revoked_at"]) == ("live", None, None)
    renamed = shown(box.boot, old["id"])
    assert (renamed["name"], renamed["state"]) == (f"{old['name']} (rotated)", "live")
    left = clock.read(renamed["expires_at"]) - clock.read(new["created_at"])
    assert timedelta(seconds=3599) <= left <= timedelta(seconds=3601)
    for made in (old, new):
        api = Api(box.boot.base_url, made["key"])
        assert ok(api.get("/v1/ping"))["scopes"] == ["memories:read"]
        refused(api.get("/v1/memories", user_id="c"), 403, "forbidden", "confined")
    (event,) = audited(box.api, "key_rotate", old["id"])
    assert event["meta"] == {"replaced_by": new["id"], "overlap_seconds": 3600}
    assert new["key"] not in box.api.get("/v1/audit").text


@pytest.mark.parametrize(
    ("body", "days", "lasts"),
    [
        ({}, None, timedelta(days=1)),
        ({"overlap_seconds": None}, None, timedelta(days=1)),
        ({"overlap_seconds": 1}, None, timedelta(seconds=1)),
        ({"overlap_seconds": 2_592_000}, None, timedelta(days=30)),
        ({"overlap_seconds": 2_592_000}, 3, timedelta(days=3)),  # never past its own expiry
    ],
)
def test_the_old_key_ends_after_the_overlap_or_at_its_own_expiry(
    box: WatchedBox, body: dict[str, Any], days: int | None, lasts: timedelta
) -> None:
    old = box.mint(expires_in_days=days)
    new = ok(box.boot.post(f"{KEYS}/{old['id']}/rotate", body), 201)
    assert new["expires_at"] == old["expires_at"]
    end = clock.read(shown(box.boot, old["id"])["expires_at"])
    assert abs(end - clock.read(new["created_at"]) - lasts) < timedelta(seconds=2)


def test_without_an_overlap_the_old_key_is_revoked_at_once(box: WatchedBox) -> None:
    old = box.mint()
    new = ok(box.boot.post(f"{KEYS}/{old['id']}/rotate", {"overlap_seconds": 0}), 201)
    refused(Api(box.boot.base_url, old["key"]).get("/v1/ping"), 401, "invalid_key")
    ok(Api(box.boot.base_url, new["key"]).get("/v1/ping"))
    assert shown(box.boot, old["id"])["state"] == "revoked"


def test_a_rotated_key_can_be_rotated_on_and_names_stay_apart(box: WatchedBox) -> None:
    name = "n" * 86 + unique("")
    first = box.mint(name=name[:100])
    second = ok(box.boot.post(f"{KEYS}/{first['id']}/rotate", {}), 201)
    third = ok(box.boot.post(f"{KEYS}/{second['id']}/rotate", {}), 201)
    names = [shown(box.boot, one["id"])["name"] for one in (third, second, first)]
    assert names[0] == first["name"]
    assert names[1].endswith(" (rotated 2)")
    assert names[2].endswith(" (rotated)")
    assert max(map(len, names)) == 100
    for one in (first, second, third):
        ok(Api(box.boot.base_url, one["key"]).get("/v1/ping"))


def test_a_refused_rotation_makes_no_key(box: WatchedBox) -> None:
    made, revoked, expired = box.mint(), box.mint(), box.mint(expires_in_days=0)
    ok(box.boot.post(f"{KEYS}/{revoked['id']}/revoke"))
    rotated = box.mint()
    ok(box.boot.post(f"{KEYS}/{rotated['id']}/rotate", {}), 201)
    before = ok(box.boot.get(KEYS))["keys"]
    path = f"{KEYS}/{made['id']}/rotate"
    for value in (-1, 2_592_001, "60", 1.5, True):
        body = {"overlap_seconds": value}
        refused(box.boot.post(path, body), 422, "invalid_request", "overlap_seconds")
    refused(box.boot.post(path, {"name": "x"}), 422, "invalid_request", "name")
    for key in (revoked, expired, rotated):
        refused(box.boot.post(f"{KEYS}/{key['id']}/rotate"), 409, "conflict")
    for key_id in (f"key_{'0' * 32}", "x"):
        refused(box.boot.post(f"{KEYS}/{key_id}/rotate"), 404, "not_found")
    assert ok(box.boot.get(KEYS))["keys"] == before


def test_an_account_keeps_an_admin_key_through_a_rotation(boot: Api) -> None:
    """Only the new key counts: the old one is about to end."""
    from accounts import services

    organisation, project = services.create_organisation(name=unique("o"), plan="self_hosted")
    place = {"organisation_id": organisation.id, "project_id": project.id}
    old = Api(boot.base_url, services.mint_key(**place, name="a", scopes=("admin",)).key)
    own = ok(old.get(KEYS))["keys"][0]["id"]
    made = ok(old.post(f"{KEYS}/{own}/rotate", {}), 201)
    new = Api(boot.base_url, made["key"])
    for caller in (old, new):
        refused(caller.post(f"{KEYS}/{made['id']}/revoke"), 409, "conflict")
    ok(new.post(f"{KEYS}/{own}/revoke"))
    refused(old.get(KEYS), 401, "invalid_key")
    refused(new.post(f"{KEYS}/{made['id']}/revoke"), 409, "conflict")
    again = ok(new.post(f"{KEYS}/{made['id']}/rotate", {"overlap_seconds": 0}), 201)
    refused(new.get(KEYS), 401, "invalid_key")
    assert len(ok(Api(boot.base_url, again["key"]).get(KEYS))["keys"]) == 3
