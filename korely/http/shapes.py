"""Request shapes: which fields a body or a query takes, and how a wrong one is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from korely.kernel.errors import Refusal


class Shape(serializers.Serializer):
    """Base of every request shape. Explicit null means "not sent"; fields are strict."""


@cache
def reader(shape: type[Shape]) -> Shape:
    """The one instance that reads all requests of a shape, since making one copies every field.

    `run_validation` keeps nothing of what it reads, so threads share it.
    """
    return shape()


def _flatten(node: Any, path: list[str | int]) -> list[tuple[list[str | int], ErrorDetail]]:
    if isinstance(node, Mapping):
        found = []
        for key, value in node.items():
            found += _flatten(value, [*path, key])
        return found
    if isinstance(node, list):
        return [entry for item in node for entry in _flatten(item, path)]
    return [(path, node)]


def named(path: list[str | int]) -> str:
    """`memories[1].timestamp`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def invalid(entries: list[dict[str, Any]], message: str) -> Refusal:
    return Refusal(422, "invalid_request", message, extra={"detail": entries})


def unreadable(message: str) -> Refusal:
    """A body that is no JSON object at all."""
    entry = {"type": "json_invalid", "loc": ["body"], "msg": message}
    return invalid([entry], f"body: {message}")


_TYPES = {"required": "missing", "null": "missing", "invalid": "value_error"}
_MESSAGES = {"required": "is required", "null": "is required"}


def check(shape: type[Shape], data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The validated values of a body or query; fields not sent are absent or at their default.

    Raises:
        Refusal: 422 with one detail entry a fault; the message names the first field.
    """
    instance = reader(shape)
    fields = instance.fields
    sent = {
        name: value
        for name, value in data.items()
        if value is not None or (name in fields and fields[name].allow_null)
    }
    unknown = sorted(set(data) - set(fields)) if where == "body" else []
    entries: list[dict[str, Any]] = []
    for name in unknown:
        message = f"is not a field of this request; it takes: {', '.join(fields)}"
        entries.append({"type": "extra_forbidden", "loc": [where, name], "msg": message})
    values: dict[str, Any] = {}
    try:
        values = dict(instance.run_validation(sent))
    except ValidationError as error:
        for path, fault in _flatten(error.detail, []):
            code = fault.code or "invalid"
            message = _MESSAGES.get(code, str(fault))
            kind = _TYPES.get(code, code)
            entries.append({"type": kind, "loc": [where, *path], "msg": message})
    if entries:
        first = entries[0]
        name = named(first["loc"][1:])
        said = first["msg"]
        raise invalid(entries, said if said.startswith(name) else f"{name} {said}")
    return values
