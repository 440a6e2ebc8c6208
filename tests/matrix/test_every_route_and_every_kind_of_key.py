"""Every route × every kind of key; a route missing from the list fails."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, refused, unique
from tests.matrix.routes import ADMIN, PUBLIC, READ, ROUTES, WRITE, Route

GUARDED = [route for route in ROUTES if route.scope != PUBLIC]
IDS = [str(route) for route in GUARDED]
SCOPES_OF = {
    "full": (READ, WRITE, ADMIN),
    "read-only": (READ,),
    "write-only": (WRITE,),
    "admin-only": (ADMIN,),
}


class World:
    """An account's objects, one key of each kind, and a key of another account."""

    def __init__(self, boot: Api, foreign: Api) -> None:
        self.box = Box(boot)
        self.foreign = foreign
        self.keys = {kind: self.box.key(*scopes) for kind, scopes in SCOPES_OF.items()}
        revoked = self.box.mint(scopes=[READ, WRITE, ADMIN])
        ok(boot.post(f"/admin/keys/{revoked['id']}/revoke"))
        expired = self.box.mint(scopes=[READ, WRITE, ADMIN], expires_in_days=0)
        self.dead = {
            "revoked": Api(boot.base_url, revoked["key"]),
            "expired": Api(boot.base_url, expired["key"]),
            "none": Api(boot.base_url, None),
        }

    def objects(self) -> dict[str, str]:
        """Fresh objects, so that a call may use them up."""
        boot = self.box.boot
        spare = ok(boot.post("/admin/projects", {"name": unique("spare")}), 201)
        return {
            "memory": self.box.api.add("Matrix: the original text.", user_id="matrix")["id"],
            "project": spare["id"],
            "key": self.box.mint()["id"],
        }


@pytest.fixture(scope="module")
def world(boot: Api, stack: Stack) -> World:
    from accounts import services

    organisation, project = services.create_organisation(name="Foreign", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id,
        project_id=project.id,
        name="foreign",
        scopes=(READ, WRITE, ADMIN),
    )
    return World(boot, Api(stack.base_url, made.key))


def call(api: Api, route: Route, objects: dict[str, str]) -> httpx.Response:
    body: Any = route.body
    if body is not None:
        body = {k: unique("made") if v == "{unique}" else v for k, v in body.items()}
    path = route.path.format(**objects)
    return api.request(route.method, path, json=body, params=route.query or None)


def unchanged(world: World, objects: dict[str, str]) -> None:
    memory = ok(world.box.api.get(f"/v1/memories/{objects['memory']}"))
    assert memory["content"] == "Matrix: the original text."
    assert memory["updated_at"] == memory["created_at"]
    projects = ok(world.box.boot.get("/admin/projects"))["projects"]
    assert objects["project"] in [project["id"] for project in projects]
    keys = ok(world.box.boot.get("/admin/keys"))["keys"]
    assert next(k for k in keys if k["id"] == objects["key"])["state"] == "live"


def test_every_route_of_the_service_is_in_the_list(stack: Stack) -> None:
    from django.urls import get_resolver

    listed = {(route.pattern, route.method) for route in ROUTES}
    served = set()
    for entry in get_resolver().url_patterns:
        view = getattr(entry.callback, "cls", None)
        names = view.http_method_names if view else ["get"]
        for name in names:
            if name != "options" and (view is None or hasattr(view, name)):
                served.add((str(entry.pattern), name.upper()))
    assert served == listed


@pytest.mark.parametrize("route", [r for r in ROUTES if r.scope == PUBLIC], ids=str)
def test_a_public_route_needs_no_key(world: World, route: Route) -> None:
    assert world.dead["none"].get(route.path).status_code == 200


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
@pytest.mark.parametrize("kind", ["revoked", "expired", "none"])
def test_a_dead_key_is_401_and_changes_nothing(world: World, route: Route, kind: str) -> None:
    objects = world.objects()
    response = call(world.dead[kind], route, objects)
    refused(response, 401, "invalid_key")
    assert response.headers["www-authenticate"] == "Bearer"
    unchanged(world, objects)


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
@pytest.mark.parametrize("kind", SCOPES_OF)
def test_a_live_key_does_what_its_scopes_allow(world: World, route: Route, kind: str) -> None:
    objects = world.objects()
    response = call(world.keys[kind], route, objects)
    if route.scope is None or route.scope in SCOPES_OF[kind]:
        assert response.status_code == route.status, response.text
    else:
        body = refused(response, 403, "forbidden")
        assert body["message"] == f"API key missing required scope(s): {route.scope}"
        unchanged(world, objects)


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
def test_a_foreign_key_sees_and_changes_nothing(world: World, route: Route) -> None:
    objects = world.objects()
    response = call(world.foreign, route, objects)
    if route.names_object:
        # Answered exactly as an id that nobody has.
        nobody = {name: f"{value[:4]}{uuid.uuid4().hex}" for name, value in objects.items()}
        unknown = call(world.foreign, route, nobody)
        assert (response.status_code, response.content) == (404, unknown.content)
        refused(response, 404, "not_found")
    else:
        assert response.status_code == route.status, response.text
        text = response.text
        assert not [value for value in objects.values() if value in text]
        assert "original text" not in text
    unchanged(world, objects)
