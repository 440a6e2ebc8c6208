"""Valid values for a call, made from the shape it declares."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from korely.http import fields
from korely.http.shapes import Shape, check, reader
from korely.kernel.errors import Refusal
from korely.rest.isolation.report import NotTried
from korely.rest.isolation.surface import Call

NAMES = ("user_id", "agent_id", "run_id")


def word(length: int = 16) -> str:
    """A word that nothing else holds. At least 8 letters."""
    return "q" + secrets.token_hex(length)[: length - 1]


def like(text: str) -> str:
    """A fresh word of the same length."""
    return word(max(len(text), 8))


def parts(shape: type[Shape] | None) -> Mapping[str, serializers.Field]:
    """A shape's fields by name; none for no shape."""
    return {} if shape is None else reader(shape).fields


def item_shape(field: serializers.Field) -> type[Shape] | None:
    """What a list of objects consists of, None for any other field."""
    child = getattr(field, "child", None)
    return type(child) if isinstance(child, Shape) else None


def value(field: serializers.Field, where: str) -> Any:
    """One valid value. Raises NotTried for a kind of field this does not know."""
    item = item_shape(field)
    if item is not None:
        return [_filled(item, "body", every=False)]
    match field:
        case fields.Text() if field.field_name == "url":
            return "https://example.com/"
        case fields.Text() | fields.Identifier():
            return word(min(24, getattr(field, "most", 24)))
        case fields.Word():
            return field.words[0]
        case fields.Words():
            return [field.words[0]]
        case fields.Patterns():
            return [word()]
        case fields.Boolean():
            return "false" if where == "query" else False
        case fields.Integer() | fields.Number():
            return str(field.least) if where == "query" else field.least
        case fields.Instant():
            return "2026-01-01"
        case fields.Metadata():
            return {"mark": word()}
    raise NotTried(f"no sample is known for the field {field.field_name}")


def _filled(shape: type[Shape], where: str, *, every: bool) -> dict[str, Any]:
    found = reader(shape).fields
    return {name: value(one, where) for name, one in found.items() if every or one.required}


def sample(call: Call, **given: Any) -> dict[str, Any]:
    """The fewest values that the call accepts, those given among them.

    Raises:
        NotTried: the call accepts neither its required fields alone nor all of them.
    """
    if call.shape is None:
        return dict(given)
    # A change of nothing is refused whatever it is of.
    nothing_needed = not any(one.required for one in parts(call.shape).values())
    for every in (True,) if call.method == "PATCH" and nothing_needed else (False, True):
        values = {**_filled(call.shape, call.where, every=every), **given}
        try:
            check(call.shape, values, call.where)
        except Refusal:
            continue
        return values
    raise NotTried("no valid values could be made for what it takes")


def naming(call: Call, user: str | None) -> dict[str, Any] | None:
    """Values that name an end user where the call has one named; None where it has not."""
    found = parts(call.shape)
    if "user_id" in found:
        values = sample(call)
        values.pop("user_id", None)
        return values if user is None else {**values, "user_id": user}
    for name, field in found.items():
        item = item_shape(field)
        if item is not None and "user_id" in reader(item).fields:
            filled = _filled(item, "body", every=False)
            return sample(call, **{name: [filled if user is None else {**filled, "user_id": user}]})
    return None
