"""How the OpenAPI document is made from the views' operations."""

from __future__ import annotations

import copy
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from korely.http.fields import Identifier
from korely.http.shapes import Shape
from korely.http.views import Operation
from korely.rest import answers
from korely.rest.meanings import (
    CLIENT,
    KEY,
    LABELLED,
    MEANINGS,
    NAMING,
    OF_LINES,
    RATE_LIMIT_HEADERS,
    REPLAYED,
    SIGN_UP,
    SPENT,
    TOO_MANY,
)
from korely.rest.promises import PROMISES, Promise


class StrictFieldSchema(OpenApiSerializerFieldExtension):
    """A request field documents itself; an optional one takes null as "not sent"."""

    target_class = "korely.http.fields.StrictField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.target.document()
        if not self.target.required:
            found["nullable"] = True
            if "enum" in found:
                found["enum"] = [*found["enum"], None]
        return found


class ItemsSchema(OpenApiSerializerFieldExtension):
    """A list of objects refers to the shape of one."""

    target_class = "korely.http.items.Items"
    priority = 1  # before what every strict field has

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        item = auto_schema.resolve_serializer(self.target.shape, direction)
        return {**self.target.document(), "items": item.ref}


def _refuses_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a query parameter, which has no null."""
    plain = dict(schema)
    if isinstance(plain.get("type"), list):
        kinds = [kind for kind in plain["type"] if kind != "null"]
        plain["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "enum" in plain:
        plain["enum"] = [value for value in plain["enum"] if value is not None]
    return plain


# A `user_id` or `agent_id` in a path: any that could be stored.
PEOPLE = {"user_id", "agent_id"}
_OF_PEOPLE = Identifier(segment=True).document()


class OperationSchema(AutoSchema):
    """Plain operation ids, what each operation promises, and every refusal it can answer."""

    @property
    def promise(self) -> Promise:
        return PROMISES[f"{self.method} {self.path}"]

    def get_operation_id(self) -> str:
        words = self.path.strip("/").replace("{", "by_").replace("}", "").split("/")
        return "_".join([self.method.lower(), *words])

    def get_tags(self) -> list[str]:
        parts = self.path.strip("/").split("/")
        return [parts[1] if len(parts) > 1 and parts[0] == "v1" else parts[0]]

    def map_parsers(self) -> list[str]:
        return ["application/json"]  # bodies are read by our own strict reader, not DRF's parsers

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        return self.promise.text

    def _get_parameters(self) -> list[dict[str, Any]]:
        found = super()._get_parameters()
        plain = [{**one, "schema": _refuses_null(one["schema"])} for one in found]
        for one in plain:
            if self.promise.confirmed and one["name"] == "confirm":
                one.update(required=True, schema={"type": "boolean", "enum": [True]})
            elif one["in"] == "path" and one["name"] in PEOPLE:
                one["schema"] = _OF_PEOPLE
        labelled = f"{self.method} {self.path}" in LABELLED
        return [
            *plain,
            *([KEY] if self.operation.repeatable else []),
            *([CLIENT] if labelled else []),
        ]

    def _map_basic_serializer(
        self, serializer: serializers.Serializer, direction: Any
    ) -> dict[str, Any]:
        found: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        shape: type[Any] = serializer if isinstance(serializer, type) else type(serializer)
        if "__doc__" not in vars(shape) or not shape.__doc__:
            found.pop("description", None)  # the base's, not this shape's
        if issubclass(shape, Shape):
            found["additionalProperties"] = False
            found.update(copy.deepcopy(shape.rules))
        return found

    @property
    def operation(self) -> Operation:
        """How the method is guarded and read."""
        found: Operation = getattr(self.view, self.method.lower()).operation
        return found

    @property
    def public(self) -> bool:
        """Whether the operation needs no key."""
        return self.operation.public

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if found is not None and self.public:
            found["security"] = []
        return found

    def _refusals(self) -> list[str]:
        found = ["422", "500", "503"]
        if not self.public:
            found.append("401")
        if self.path != "/v1/ping":
            found += ["403", "429"]
        if self.promise.conflicts or self.operation.repeatable:
            found.append("409")
        if self.promise.confirmed:
            found.append("400")
        if "{" in self.path or f"{self.method} {self.path}" in NAMING:
            found.append("404")
        if self.method != "GET":
            found += ["408", "413", "415"]
        return found

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._refusals():
            refusal = self._get_response_for_code(answers.Error, status)
            meaning = (SIGN_UP if self.public else MEANINGS).get(status, MEANINGS[status])
            if self.operation.lines:
                meaning = OF_LINES.get(status, meaning)
            if status == "429" and not self.promise.free:
                meaning += SPENT
            if status == "429" and (self.method, self.path) == ("POST", "/v1/batch"):
                meaning += TOO_MANY
            bodies[status] = {**refusal, "description": meaning}
        for status, body in bodies.items():
            if not body.get("description"):
                bodies[status] = {**body, "description": "Done."}
            if self.path != "/v1/ping" and status != "401" and not self.public:
                headers = RATE_LIMIT_HEADERS
                if self.operation.repeatable and status == str(self.operation.status):
                    headers = {**headers, **REPLAYED}
                bodies[status] = {**bodies[status], "headers": headers}
        return dict(sorted(bodies.items()))


def _health(summary: str, text: str, answers_of: dict[str, dict[str, Any]]) -> dict[str, Any]:
    responses = {
        status: {
            "description": "Works." if status == "200" else "Something failed.",
            "content": {"application/json": {"schema": shape}},
        }
        for status, shape in answers_of.items()
    }
    return {
        "get": {
            "operationId": f"get_{summary}",
            "summary": summary.capitalize(),
            "description": text,
            "tags": ["health"],
            "security": [],
            "responses": responses,
        }
    }


def drop_marks(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Take out the generator's own marks."""
    pending: list[Any] = [result]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            item.pop("x-spec-enum-id", None)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return result


def add_health(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The two health routes, which are no API views: they need no key and no limit."""
    word = {"type": "string", "enum": ["ok", "failed"]}
    names = ("database", "broker", "model", "migrations")
    checks = {
        "type": "object",
        "properties": dict.fromkeys(names, word),
        "required": list(names),
    }
    alive = {"type": "object", "properties": {"status": word}, "required": ["status"]}
    ready = {
        "type": "object",
        "properties": {"status": word, "checks": checks},
        "required": ["status", "checks"],
    }
    result["paths"]["/healthz"] = _health(
        "liveness", "No key. Answers while the process lives.", {"200": alive}
    )
    result["paths"]["/readyz"] = _health(
        "readiness",
        "No key. 200 when everything a request needs works, else 503.",
        {"200": ready, "503": ready},
    )
    return result
