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
