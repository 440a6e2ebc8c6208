"""Request shapes: which fields a body or a query takes, and how a wrong one is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from korely.kernel.errors import Refusal


class Shape(serializers.Serializer):
    """Base of every request shape. Explicit null means "not sent"; fields are strict."""

    # What holds between the fields, as JSON Schema. For the document; `validate`, or who uses the
    # values, refuses the rest.
    rules: ClassVar[dict[str, Any]] = {}


def sent(name: str) -> dict[str, Any]:
    """A rule: the field is there, and not null."""
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}}}


def one_of_them(*names: str) -> dict[str, Any]:
    """A rule: at least one of the fields is sent."""
    return {"anyOf": [sent(name) for name in names]}


def has(name: str, word: str) -> dict[str, Any]:
    """A rule: the field is a list with that word in it."""
    return {
        "required": [name],
        "properties": {name: {"type": "array", "contains": {"const": word}}},
    }


@cache
def reader(shape: type[Shape]) -> Shape:
    """The one instance that reads all requests of a shape, since making one copies every field.

    `run_validation` keeps nothing of what it reads, so threads share it.
    """
    return shape()


Values = dict[str, Any]
Faults = list[tuple[list[str | int], ErrorDetail]]


def _flatten(node: Any, path: list[str | int]) -> Faults:
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


_MOST_UNKNOWN = 100  # unknown fields that one refusal tells
_NAME_SHOWN = 255  # characters of an unknown field's name

_TYPES = {"required": "missing", "null": "missing", "invalid": "value_error"}
_MESSAGES = {"required": "is required", "null": "is required"}


def check(shape: type[Shape], data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The validated values of a body or query; fields not sent are absent or at their default.

    Raises:
        Refusal: 422 with one detail entry a fault; the message names the first field.
    """
    values, found = read(shape, data, closed=where == "body")
    if found:
        entries = []
        for path, fault in found:
            code = fault.code or "invalid"
            message = _MESSAGES.get(code, str(fault))
            kind = _TYPES.get(code, code)
            entries.append({"type": kind, "loc": [where, *path], "msg": message})
        path = found[0][0]
        said = str(entries[0]["msg"]).removeprefix(f"{path[-1]} ")  # Instant names itself
        raise invalid(entries, f"{named(path)} {said}")
    return values


def read(shape: type[Shape], data: Mapping[str, Any], *, closed: bool) -> tuple[Values, Faults]:
    """The validated values, and the faults by their paths; `closed`: unknown names are faults."""
    instance = reader(shape)
    fields = instance.fields
    sent = {
        name: value
        for name, value in data.items()
        if value is not None or (name in fields and fields[name].allow_null)
    }
    faults: Faults = []
    unknown = sorted(set(data) - set(fields)) if closed else []
    for name in unknown[:_MOST_UNKNOWN]:
        message = f"is not a field of this request; it takes: {', '.join(fields) or 'none'}"
        faults.append(([name[:_NAME_SHOWN]], ErrorDetail(message, "extra_forbidden")))
    try:
        return dict(instance.run_validation(sent)), faults
    except ValidationError as error:
        return {}, faults + _flatten(error.detail, [])
