"""The OpenAPI document: valid, complete, and true for every operation."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.oracle import Oracle, WatchedBox
from tests.api_client import Api, ok, refused, unique
from tests.deliveries import ended_delivery
from tests.fact_calls import write
from tests.matrix.routes import ADMIN, PUBLIC, READ, ROUTES, WRITE, Route, is_slot

LINES = {"Content-Type": "application/x-ndjson"}
# MCP describes itself, by `tools/list`.
DOCUMENTED = [route for route in ROUTES if route.path != "/agent/mcp"]
GUARDED = [route for route in DOCUMENTED if route.scope != PUBLIC]
METHODS = ("get", "post", "patch", "delete", "put")
# What answers without a key; sign-up says that it is closed here.
OPEN = {"GET /healthz": 200, "GET /readyz": 200, "POST /v1/agents/init": 403}


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, entry)
        for path, item in document["paths"].items()
        for method, entry in item.items()
        if method in METHODS
    ]


@pytest.fixture(scope="module")
def full(box: WatchedBox) -> Api:
    return box.key(READ, WRITE, ADMIN)


def objects(full: Api) -> dict[str, str]:
    agent = unique("document")
    project = ok(full.post("/admin/projects", {"name": unique("document")}), 201)["id"]
    webhook = {"url": "https://example.com/", "events": ["quota.warning"], "project_id": project}
    memory = full.add("For the document.", user_id="document", agent_id=agent)
    hook = str(ok(full.post("/admin/webhooks", webhook), 201)["id"])
    return {
        "memory": memory["id"],
        "fact": write(full, "The document", "likes", unique(), user_id="document")["id"],
        "job": ok(full.post("/v1/batch", {"memories": [{"content": "One."}]}), 202)["id"],
        "user": "document",
        "agent": agent,
        "project": project,
        "key": ok(full.post("/admin/keys", {"name": unique("document")}), 201)["id"],
        "webhook": hook,
        "delivery": ended_delivery(hook),
    }


def call(api: Api, route: Route, made: dict[str, str]) -> Any:
    body = route.body and {
        name: made.get(value[1:-1], unique()) if is_slot(value) else value
        for name, value in route.body.items()
    }
    path = route.path.format(**made)
    if route.lines is not None:
        return api.request(route.method, path, content=route.lines, headers=LINES)
    return api.request(route.method, path, json=body, params=route.query or None)


def test_the_generator_has_no_warning(oracle: Oracle) -> None:
    from django.core.management import call_command

    out = io.StringIO()
    form = ("--format", "openapi-json")
    call_command("spectacular", "--validate", "--fail-on-warn", *form, stdout=out)
    assert json.loads(out.getvalue()) == oracle.document
    assert oracle.document["openapi"].startswith("3.1")


def test_every_route_is_in_the_document(oracle: Oracle) -> None:
    documented = {(method, path) for method, path, _ in operations(oracle.document)}
    undocumented = {"/metrics", "/v1/docs", "/v1/openapi.json"}
    served = {
        (route.method, route.path.replace("}", "_id}"))
        for route in DOCUMENTED
        if route.path not in undocumented
    }
    assert documented == served


def test_every_operation_is_described_and_says_how_it_fails(oracle: Oracle) -> None:
    ids = []
    for method, path, entry in operations(oracle.document):
        where = f"{method} {path}"
        ids.append(entry["operationId"])
        assert len(entry["description"]) > 20, where
        assert "Subclasses" not in entry["description"], where
        assert entry["summary"], where
        public = entry["security"] == []
        assert public == (where in OPEN), where
        if not public:
            assert {"401", "422", "500", "503"} <= set(entry["responses"]), where
        assert ("requestBody" in entry) == (method in ("POST", "PATCH")), where
    assert len(set(ids)) == len(ids)


def test_request_fields_have_their_types_bounds_and_nulls(oracle: Oracle) -> None:
    shapes = oracle.document["components"]["schemas"]
    search = shapes["Search"]
    assert (search["required"], search["additionalProperties"]) == (["query"], False)
    fields = search["properties"]
    assert (fields["query"]["type"], fields["query"]["maxLength"]) == ("string", 2_000)
    assert fields["limit"] == {"type": ["integer", "null"], "minimum": 1, "maximum": 50}
    assert fields["min_score"] == {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    assert fields["full_text"]["type"] == ["boolean", "null"]
    assert fields["types"]["items"]["enum"] == ["memories", "facts"]
    assert fields["metadata"]["maxProperties"] == 32
    assert shapes["AddMemory"]["properties"]["kind"]["enum"] == ["note", "session", None]
    assert shapes["UpdateMemory"]["required"] == ["content"]
    listed = oracle.document["paths"]["/v1/memories"]["get"]["parameters"]
    limit = next(one for one in listed if one["name"] == "limit")["schema"]
    assert limit == {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    context = oracle.document["paths"]["/v1/context"]["get"]["parameters"]
    assert [one["name"] for one in context if one.get("required")] == ["query"]


@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_every_success_is_answered_as_documented(full: Api, oracle: Oracle, route: Route) -> None:
    path = route.path.replace("}", "_id}")
    response = call(full, route, objects(full))
    assert response.status_code == route.status, response.text
    assert (route.method, path, route.status) in oracle.seen


@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_every_refusal_is_answered_as_documented(
    full: Api, keyless: Api, box: WatchedBox, oracle: Oracle, route: Route
) -> None:
    """401 and, where they can be, 403, 404, 415 and 422: each judged by the document."""
    made = objects(full)
    path = route.path.replace("}", "_id}")
    seen = {401}
    refused(call(keyless, route, made), 401, "invalid_key")
    if route.scope is not None:
        without = {READ: WRITE, WRITE: READ, ADMIN: READ}[route.scope]
        refused(call(box.key(without), route, made), 403, "forbidden")
        seen.add(403)
    if route.names_object:
        nobody = {name: f"{one[:4]}{uuid.uuid4().hex}" for name, one in made.items()}
        refused(call(full, route, nobody), 404, "not_found")
        seen.add(404)
    if route.method in ("POST", "PATCH"):
        target = route.path.format(**made)
        text = full.request(
            route.method, target, content=b"x", headers={"Content-Type": "text/plain"}
        )
        refused(text, 415, "unsupported_media_type")
        headers = LINES if route.lines is not None else {"Content-Type": "application/json"}
        content = b'{"unheard_of": 1}'
        wrong = full.request(route.method, target, content=content, headers=headers)
        refused(wrong, 422, "invalid_request", "unheard_of")
        seen |= {415, 422}
    assert seen <= {
        status for method, at, status in oracle.seen if (method, at) == (route.method, path)
    }


def test_no_route_of_the_document_answers_without_a_key(oracle: Oracle, keyless: Api) -> None:
    """Every documented route but health and sign-up is 401 without a key, whatever is sent."""
    for method, path, entry in operations(oracle.document):
        at = path.replace("{", "").replace("}", "")
        for body in (None, {}, {"content": "x", "user_id": "x"}):
            if entry["security"] != []:
                response = keyless.request(method, at, json=body)
                refused(response, 401, "invalid_key")
                assert response.headers["www-authenticate"] == "Bearer"
            elif not body:
                response = keyless.request(method, at, json=body)
                assert response.status_code == OPEN[f"{method} {path}"], path


def test_the_remaining_refusals_are_answered_as_documented(
    full: Api, oracle: Oracle, on_plan: Callable[..., Api]
) -> None:
    made = objects(full)
    memory = f"/v1/memories/{made['memory']}"
    stale = {"content": "x", "expected_updated_at": "2020-01-01"}
    refused(full.patch(memory, stale), 409, "stale_write")
    fact = f"/v1/facts/{made['fact']}"
    ok(full.post(f"{fact}/forget"))
    refused(full.patch(fact, {"object": "x"}), 409, "fact_not_current")
    name = unique("named")
    ok(full.post("/v1/users/one/names", {"name": name}), 201)
    refused(full.post("/v1/users/two/names", {"name": name}), 409, "conflict")
    name = unique("twice")
    ok(full.post("/admin/projects", {"name": name}), 201)
    refused(full.post("/admin/projects", {"name": name}), 409, "conflict")
    spent = on_plan(writes_per_month=0, queries_per_month=0, agents=0)
    refused(spent.get("/v1/facts"), 429, "quota_exceeded")
    refused(spent.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    triple = {"subject": "s", "predicate": "p", "object": "o"}
    refused(spent.post("/v1/facts", triple), 429, "quota_exceeded")
    refused(spent.post("/v1/facts", {**triple, "agent_id": "a"}), 403, "agent_cap_exceeded")
    refused(spent.get("/v1/profile", user_id="u"), 429, "quota_exceeded")
    refused(
        spent.post("/v1/memories", {"content": "x", "agent_id": "a"}), 403, "agent_cap_exceeded"
    )
    assert {
        ("PATCH", "/v1/memories/{memory_id}", 409),
        ("PATCH", "/v1/facts/{fact_id}", 409),
        ("POST", "/v1/users/{user_id}/names", 409),
        ("POST", "/admin/projects", 409),
        ("GET", "/v1/facts", 429),
        ("POST", "/v1/memories", 429),
        ("POST", "/v1/memories", 403),
        ("POST", "/v1/facts", 429),
        ("POST", "/v1/facts", 403),
        ("GET", "/v1/profile", 429),
    } <= oracle.seen


def test_the_label_of_a_client_is_documented_where_it_is_kept(oracle: Oracle) -> None:
    told = {
        f"{method} {path}"
        for method, path, entry in operations(oracle.document)
        if "X-Korely-Client" in [one["name"] for one in entry.get("parameters", [])]
    }
    assert told == {"POST /v1/memories", "POST /v1/batch"}
