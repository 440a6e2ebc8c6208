"""Every route × every kind of key; a route missing from the list fails."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from django.urls import URLResolver, get_resolver

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, refused, unique
from tests.deliveries import ended_delivery
from tests.matrix.routes import ADMIN, PUBLIC, READ, ROUTES, WRITE, Reach, Route, is_slot

GUARDED = [route for route in ROUTES if route.scope != PUBLIC]
IDS = [str(route) for route in GUARDED]
SCOPES_OF = {
    "full": (READ, WRITE, ADMIN),
    "read-only": (READ,),
    "write-only": (WRITE,),
    "admin-only": (ADMIN,),
}
PEOPLES_PAGES = {"account", "dashboard", "ops"}  # logins, not keys
ANOTHER_DIALECT = {"api"}  # tests/openmem has a matrix of its own
TEXT = "Matrix: the original text."
THEIRS, ANOTHER = "matrix", "somebody"
PATTERNS = {"exact": THEIRS, "prefix": "mat*"}


class World:
    """An account's objects, one key of each kind, and a key of another account."""

    def __init__(self, boot: Api, foreign: Api) -> None:
        self.box = Box(boot)
        self.foreign = foreign
        self.keys = {kind: self.box.key(*scopes) for kind, scopes in SCOPES_OF.items()}
        self.confined = {kind: self.box.key(users=[one]) for kind, one in PATTERNS.items()}
        revoked = self.box.mint(scopes=[READ, WRITE, ADMIN])
        ok(boot.post(f"/admin/keys/{revoked['id']}/revoke"))
        expired = self.box.mint(scopes=[READ, WRITE, ADMIN], expires_in_days=0)
        self.dead = {
            "revoked": Api(boot.base_url, revoked["key"]),
            "expired": Api(boot.base_url, expired["key"]),
            "none": Api(boot.base_url, None),
        }
        # Nobody's business in this file, so each of them stays whatever happens.
        self.bystander = str(self.memory("matrix-bystander")["id"])
        self.hidden = [str(self.memory(user)["id"]) for user in (ANOTHER, None)]

    def memory(self, user: str | None, **fields: Any) -> dict[str, Any]:
        return self.box.api.add(TEXT, **{"user_id": user} if user else {}, **fields)

    def fact(self, user: str | None) -> str:
        body = {"subject": unique("subject"), "predicate": "likes", "object": "tea"}
        owner = {"user_id": user} if user else {}
        return str(ok(self.box.api.post("/v1/facts", {**body, **owner}), 201)["id"])

    def job(self, user: str | None) -> str:
        item = {"content": TEXT, **({"user_id": user} if user else {})}
        return str(ok(self.box.api.post("/v1/batch", {"memories": [item]}), 202)["id"])

    def project(self, user: str | None) -> str:
        made = ok(self.box.boot.post("/admin/projects", {"name": unique("spare")}), 201)
        return str(made["id"])

    def webhook(self) -> str:
        """One that nothing of these tests is told to."""
        project, words = self.box.project["id"], ["quota.warning"]
        body = {"url": "https://example.com/", "project_id": project, "events": words}
        return str(ok(self.box.boot.post("/admin/webhooks", body), 201)["id"])

    def objects(self, route: Route, user: str | None = THEIRS) -> dict[str, str]:
        """Fresh objects that a call may use up, of an end user where they have one.

        Always a memory too: the one that is in danger, or a bystander where a call names neither
        it nor whose it is.
        """
        makers: dict[str, Callable[[str | None], str]] = {
            "memory": lambda one: str(self.memory(one)["id"]),
            "user": str,
            "agent": lambda one: unique("agent"),
            "fact": self.fact,
            "job": self.job,
            "project": self.project,
            "key": lambda one: str(self.box.mint()["id"]),
            "webhook": lambda one: self.webhook(),
        }
        made = {name: makers[name](user) for name in route.names if name != "delivery"}
        if "delivery" in route.names:
            made["delivery"] = ended_delivery(made["webhook"])
        if "user" in made or "agent" in made:
            of = {"agent_id": made["agent"]} if "agent" in made else {}
            made["memory"] = str(self.memory(user, **of)["id"])
        return {"memory": self.bystander, **made}


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


def call(
    api: Api, route: Route, objects: dict[str, str], **naming: dict[str, Any]
) -> httpx.Response:
    """One call; `naming` gives its `body` and `query` where they are not the route's own."""
    body = naming.get("body", route.body)
    query = naming.get("query", route.query)
    if body is not None:
        made = unique("made")
        body = {k: objects.get(v[1:-1], made) if is_slot(v) else v for k, v in body.items()}
    path = route.path.format(**objects)
    if route.lines is not None:
        kind = {"Content-Type": "application/x-ndjson"}
        return api.request(route.method, path, content=route.lines, headers=kind)
    return api.request(route.method, path, json=body, params=query or None)


def naming(route: Route, reach: Reach, user: str | None) -> dict[str, dict[str, Any]]:
    """Body and query of a call that names an end user where the route has them named."""
    body, query = copy.deepcopy(route.body or {}), dict(route.query)
    places: list[dict[str, Any]] = {
        "query": [query],
        "body": [body],
        "items": next((value for value in body.values() if isinstance(value, list)), []),
    }.get(reach.where, [])
    for place in places:
        place.pop("user_id", None)
        if user is not None:
            place["user_id"] = user
    return {"query": query, **({} if route.body is None else {"body": body})}


def unchanged(world: World, objects: dict[str, str]) -> None:
    memory = ok(world.box.api.get(f"/v1/memories/{objects['memory']}"))
    assert memory["content"] == TEXT
    assert memory["updated_at"] == memory["created_at"]
    if "project" in objects:
        projects = ok(world.box.boot.get("/admin/projects"))["projects"]
        assert objects["project"] in [project["id"] for project in projects]
    if "key" in objects:
        keys = ok(world.box.boot.get("/admin/keys"))["keys"]
        key = next(k for k in keys if k["id"] == objects["key"])
        assert (key["state"], key["project_id"]) == ("live", world.box.project["id"])
    if "webhook" in objects:
        webhooks = ok(world.box.boot.get("/admin/webhooks"))["webhooks"]
        webhook = next(w for w in webhooks if w["id"] == objects["webhook"])
        assert (webhook["state"], webhook["description"]) == ("enabled", "")
    if "delivery" in objects:
        path = f"/admin/webhooks/{objects['webhook']}/deliveries"
        (delivery,) = ok(world.box.boot.get(path))["deliveries"]
        assert (delivery["id"], delivery["state"]) == (objects["delivery"], "dead")


def test_every_route_of_the_service_is_in_the_list(stack: Stack) -> None:
    listed = {(route.pattern, route.method) for route in ROUTES}
    served = set()
    for entry in get_resolver().url_patterns:
        if str(entry.pattern).partition("/")[0] in PEOPLES_PAGES | ANOTHER_DIALECT:
            continue
        assert not isinstance(entry, URLResolver), entry.pattern
        view = getattr(entry.callback, "cls", None) or getattr(entry.callback, "view_class", None)
        names = view.http_method_names if view else ["get"]
        for name in names:
            if name != "options" and (view is None or hasattr(view, name)):
                served.add((str(entry.pattern), name.upper()))
    assert served == listed


@pytest.mark.parametrize("route", [r for r in ROUTES if r.scope == PUBLIC], ids=str)
def test_a_public_route_needs_no_key(world: World, route: Route) -> None:
    assert call(world.dead["none"], route, {}).status_code == route.status


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
@pytest.mark.parametrize("kind", ["revoked", "expired", "none"])
def test_a_dead_key_is_401_and_changes_nothing(world: World, route: Route, kind: str) -> None:
    objects = world.objects(route)
    response = call(world.dead[kind], route, objects)
    refused(response, 401, "invalid_key")
    assert response.headers["www-authenticate"] == "Bearer"
    unchanged(world, objects)


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
@pytest.mark.parametrize("kind", SCOPES_OF)
def test_a_live_key_does_what_its_scopes_allow(world: World, route: Route, kind: str) -> None:
    objects = world.objects(route)
    response = call(world.keys[kind], route, objects)
    if route.scope is None or route.scope in SCOPES_OF[kind]:
        assert response.status_code == route.status, response.text
    else:
        body = refused(response, 403, "forbidden")
        assert body["message"] == f"API key missing required scope(s): {route.scope}"
        unchanged(world, objects)


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
def test_a_foreign_key_sees_and_changes_nothing(world: World, route: Route) -> None:
    objects = world.objects(route)
    response = call(world.foreign, route, objects)
    if route.names_object:
        # Answered exactly as an id that nobody has.
        nobody = {name: f"{value[:4]}{uuid.uuid4().hex}" for name, value in objects.items()}
        unknown = call(world.foreign, route, nobody).text
        for name, value in nobody.items():
            unknown = unknown.replace(value, objects[name])
        assert (response.status_code, response.text) == (404, unknown)
        refused(response, 404, "not_found")
    else:
        assert response.status_code == route.status, response.text
        text = response.text
        hidden = [value for name, value in objects.items() if name != "user"]
        assert not [value for value in hidden if value in text]
        assert "original text" not in text
    unchanged(world, objects)


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
@pytest.mark.parametrize("kind", PATTERNS)
def test_a_confined_key_reaches_its_end_users_and_nobody_else(
    world: World, route: Route, kind: str
) -> None:
    api = world.confined[kind]
    if route.scope == ADMIN:
        objects = world.objects(route)
        refused(call(api, route, objects), 403, "forbidden", "admin")
        unchanged(world, objects)
        return
    reach = route.confined
    assert reach is not None, f"{route}: what a confined key meets is not stated"
    for user, status in ((THEIRS, reach.theirs), (ANOTHER, reach.another), (None, reach.nobody)):
        if status is None:
            continue
        objects = world.objects(route, THEIRS if reach.where == "nowhere" else user)
        response = call(api, route, objects, **naming(route, reach, user))
        assert response.status_code == status, (user, response.text)
        if status == 403:
            refused(response, 403, "forbidden", "confined")
        if status >= 400:
            unchanged(world, objects)
        if status < 300:
            assert not [one for one in world.hidden if one in response.text]
            assert f'"{ANOTHER}"' not in response.text
        for one in world.hidden:
            unchanged(world, {"memory": one})
