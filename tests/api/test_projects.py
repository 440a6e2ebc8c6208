"""/admin/projects."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique

PROJECTS = "/admin/projects"


def names(boot: Api) -> list[str]:
    return [one["name"] for one in ok(boot.get(PROJECTS))["projects"]]


def test_a_project_is_created_and_listed_default_first_then_by_name(boot: Api) -> None:
    stem = unique("p")
    for letter in ("B", "a", "C"):
        made = ok(boot.post(PROJECTS, {"name": f" {stem}-{letter} "}), 201)
        assert (made["name"], made["description"]) == (f"{stem}-{letter}", "")
        assert (made["region"], made["is_default"], made["archived_at"]) == (None, False, None)
    projects = ok(boot.get(PROJECTS))["projects"]
    assert [one["is_default"] for one in projects].index(True) == 0
    mine = [one["name"] for one in projects if one["name"].startswith(stem)]
    assert mine == [f"{stem}-a", f"{stem}-B", f"{stem}-C"]
    whole = ok(boot.get(PROJECTS, include_archived=True))["projects"]
    assert {one["id"] for one in projects} <= {one["id"] for one in whole}


def test_region_and_description_are_kept(boot: Api) -> None:
    body = {"name": unique("p"), "region": "eu", "description": "for <tests>"}
    made = ok(boot.post(PROJECTS, body), 201)
    assert (made["region"], made["description"]) == ("eu", "for <tests>")


def test_a_name_is_unique_without_regard_to_case(boot: Api, stranger: Api) -> None:
    name = unique("Straße")
    ok(boot.post(PROJECTS, {"name": name}), 201)
    for again in (name, name.upper().replace("SS", "ß"), f"  {name} "):
        refused(boot.post(PROJECTS, {"name": again}), 409, "conflict")
    assert names(boot).count(name) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": 5}, "name"),
        ({"name": "nul\x00"}, "name"),
        ({"name": "x", "region": "us"}, "region"),
        ({"name": "x", "description": 5}, "description"),
        ({"name": "x", "is_default": True}, "is_default"),
    ],
)
def test_a_refused_project_is_422_and_not_made(boot: Api, body: dict[str, Any], field: str) -> None:
    before = names(boot)
    refused(boot.post(PROJECTS, body), 422, "invalid_request", field)
    assert set(before) <= set(names(boot))
    assert "x" not in names(boot)


def test_erasing_deletes_what_it_holds_and_moves_its_keys(fresh: WatchedBox) -> None:
    made = fresh.api.told("I live in Rome.", "a")
    other = fresh.key()
    path = f"{PROJECTS}/{fresh.project['id']}"
    receipt = ok(fresh.boot.delete(path, erase=True))
    assert (receipt["id"], receipt["deleted"]) == (fresh.project["id"], True)
    assert (receipt["memories_deleted"], receipt["facts_deleted"]) == (1, 1)
    assert (receipt["keys_moved"], receipt["memories_moved"], receipt["facts_moved"]) == (2, 0, 0)
    assert fresh.project["name"] not in names(fresh.boot)
    refused(fresh.boot.delete(path, erase=True), 404, "not_found")
    for key in (fresh.api, other):
        ok(key.get("/v1/ping"))
        refused(key.get(f"/v1/memories/{made['id']}"), 404, "not_found")
    keys = ok(fresh.boot.get("/admin/keys"))["keys"]
    default = next(one for one in ok(fresh.boot.get(PROJECTS))["projects"] if one["is_default"])
    moved = [one for one in keys if str(fresh.api.key).endswith(one["masked"][-4:])]
    assert default["id"] in {one["project_id"] for one in moved}


def test_an_empty_project_is_deleted_without_erase(boot: Api) -> None:
    made = ok(boot.post(PROJECTS, {"name": unique("p")}), 201)
    receipt = ok(boot.delete(f"{PROJECTS}/{made['id']}"))
    assert (receipt["memories_deleted"], receipt["keys_moved"]) == (0, 0)


def test_the_default_project_stays(boot: Api) -> None:
    default = next(one for one in ok(boot.get(PROJECTS))["projects"] if one["is_default"])
    refused(boot.delete(f"{PROJECTS}/{default['id']}", erase=True), 409, "conflict", "default")
    assert default["name"] in names(boot)


def test_another_account_s_project_is_404(fresh: WatchedBox) -> None:
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Away", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="away", scopes=SCOPES
    )
    away = Api(fresh.boot.base_url, made.key)
    path = f"{PROJECTS}/{fresh.project['id']}"
    unknown = away.delete(f"{PROJECTS}/prj_{uuid.uuid4().hex}", erase=True)
    response = away.delete(path, erase=True)
    assert (response.status_code, response.content) == (404, unknown.content)
    assert fresh.project["id"] not in away.get(PROJECTS).text
    assert fresh.project["name"] in names(fresh.boot)
    body = {"name": "x", "project_id": fresh.project["id"]}
    refused(away.post("/admin/keys", body), 404, "not_found")
    for bad in ("x", "prj_1", fresh.project["id"].replace("prj_", "mem_")):
        refused(fresh.boot.delete(f"{PROJECTS}/{bad}"), 404, "not_found")


def test_a_project_is_renamed_and_described_a_field_at_a_time(boot: Api) -> None:
    made = ok(boot.post(PROJECTS, {"name": unique("p"), "region": "eu", "description": "d"}), 201)
    path, name = f"{PROJECTS}/{made['id']}", unique("new")
    assert ok(boot.patch(path, {"name": f" {name} "})) == {**made, "name": name}
    assert ok(boot.patch(path, {"description": "", "name": None})) == {
        **made,
        "name": name,
        "description": "",
    }
    assert ok(boot.patch(path, {"name": name.upper()}))["name"] == name.upper()
    assert name.upper() in names(boot)


def test_the_default_project_can_be_renamed(boot: Api) -> None:
    default = next(one for one in ok(boot.get(PROJECTS))["projects"] if one["is_default"])
    path, name = f"{PROJECTS}/{default['id']}", unique("Main")
    assert ok(boot.patch(path, {"name": name}))["is_default"] is True
    assert ok(boot.patch(path, {"name": default["name"]})) == default


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": None, "description": None}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": 5}, "name"),
        ({"description": "x" * 2_001}, "description"),
        ({"region": "eu"}, "region"),
        ({"archived_at": None}, "archived_at"),
    ],
)
def test_a_refused_change_of_a_project_is_422(
    fresh: WatchedBox, body: dict[str, Any], field: str
) -> None:
    refused(
        fresh.boot.patch(f"{PROJECTS}/{fresh.project['id']}", body), 422, "invalid_request", field
    )
    assert fresh.project in ok(fresh.boot.get(PROJECTS))["projects"]


def test_a_new_name_in_use_is_409_and_the_old_one_stays(fresh: WatchedBox) -> None:
    other = ok(fresh.boot.post(PROJECTS, {"name": unique("Taken")}), 201)
    path = f"{PROJECTS}/{fresh.project['id']}"
    body = {"name": other["name"].upper(), "description": "changed"}
    refused(fresh.boot.patch(path, body), 409, "conflict", "name")
    assert fresh.project in ok(fresh.boot.get(PROJECTS))["projects"]


def test_archiving_puts_a_project_away_and_back(boot: Api) -> None:
    made = ok(boot.post(PROJECTS, {"name": unique("p")}), 201)
    path = f"{PROJECTS}/{made['id']}"
    archived = ok(boot.post(f"{path}/archive"))
    assert archived["archived_at"] is not None
    assert archived == {**made, "archived_at": archived["archived_at"]}
    assert ok(boot.post(f"{path}/archive")) == archived
    assert made["name"] not in names(boot)
    assert archived in ok(boot.get(PROJECTS, include_archived=True))["projects"]
    body = {"name": unique("key"), "project_id": made["id"]}
    refused(boot.post("/admin/keys", body), 409, "conflict", "archived")
    refused(boot.post(PROJECTS, {"name": made["name"]}), 409, "conflict")
    assert ok(boot.post(f"{path}/unarchive")) == made
    assert ok(boot.post(f"{path}/unarchive")) == made
    assert made["name"] in names(boot)
    ok(boot.post("/admin/keys", body), 201)


def test_a_project_with_live_keys_and_the_default_one_cannot_be_archived(boot: Api) -> None:
    made = ok(boot.post(PROJECTS, {"name": unique("p")}), 201)
    body = {"name": unique("key"), "project_id": made["id"]}
    live = ok(boot.post("/admin/keys", body), 201)
    ok(boot.post("/admin/keys", {**body, "name": unique("dead"), "expires_in_days": 0}), 201)
    path = f"{PROJECTS}/{made['id']}/archive"
    refused(boot.post(path), 409, "conflict", "live keys")
    default = next(one for one in ok(boot.get(PROJECTS))["projects"] if one["is_default"])
    refused(boot.post(f"{PROJECTS}/{default['id']}/archive"), 409, "conflict", "default")
    assert {made["name"], default["name"]} <= set(names(boot))
    ok(boot.post(f"/admin/keys/{live['id']}/revoke"))
    assert ok(boot.post(path))["archived_at"] is not None


def test_an_archived_project_keeps_its_data_and_can_be_deleted(fresh: WatchedBox) -> None:
    made = fresh.api.told("I live in Rome.", "u")
    path = f"{PROJECTS}/{fresh.project['id']}"
    (key,) = [
        one
        for one in ok(fresh.boot.get("/admin/keys"))["keys"]
        if one["project_id"] == fresh.project["id"]
    ]
    ok(fresh.boot.post(f"/admin/keys/{key['id']}/revoke"))
    ok(fresh.boot.post(f"{path}/archive"))
    ok(fresh.boot.post(f"{path}/unarchive"))
    assert ok(fresh.key().get(f"/v1/memories/{made['id']}"))["facts"] == made["facts"]
    receipt = ok(fresh.boot.delete(path, erase=True))
    assert (receipt["memories_deleted"], receipt["keys_moved"]) == (1, 2)


def test_changes_of_a_project_are_told_in_it(fresh: WatchedBox) -> None:
    made = ok(fresh.boot.post(PROJECTS, {"name": unique("p")}), 201)
    path = f"{PROJECTS}/{made['id']}"
    ok(fresh.boot.patch(path, {"name": unique("q"), "description": "secret plans"}))
    for word in ("archive", "archive", "unarchive", "unarchive"):
        ok(fresh.boot.post(f"{path}/{word}"))
    body = {"name": unique("key"), "project_id": made["id"]}
    reader = Api(fresh.boot.base_url, ok(fresh.boot.post("/admin/keys", body), 201)["key"])
    told = ok(reader.get("/v1/audit", action="project_update"))["events"]
    assert [event["meta"] for event in reversed(told)] == [
        {"changed": ["description", "name"]},
        {"archived": True},
        {"archived": False},
    ]
    assert {event["target_id"] for event in told} == {made["id"]}


def test_the_acts_on_another_account_s_project_are_404(fresh: WatchedBox) -> None:
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Away", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="away", scopes=SCOPES
    )
    away = Api(fresh.boot.base_url, made.key)
    path = f"{PROJECTS}/{fresh.project['id']}"
    for response in (
        away.patch(path, {"name": "taken over"}),
        away.post(f"{path}/archive"),
        away.post(f"{path}/unarchive"),
        away.delete(path),
    ):
        refused(response, 404, "not_found")
    assert fresh.project in ok(fresh.boot.get(PROJECTS))["projects"]
