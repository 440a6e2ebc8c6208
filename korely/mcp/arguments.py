"""Arguments of a tool: their schema, and whether a call's are of it.

What is of the wrong name or type is the model's protocol fault (-32602); a value out of its range
is the tool's to refuse, as the REST call does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import INVALID_PARAMS

from korely.mcp.messages import Fault


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; `kind` is a JSON type, `words` what a list of strings may hold."""

    name: str
    kind: str
    description: str
    required: bool = False
    default: Any = None
    words: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": self.kind, "description": self.description}
        if self.words:
            found["items"] = {"type": "string", "enum": list(self.words)}
        if self.default is not None:
            found["default"] = self.default
        return found


def schema_of(arguments: tuple[Argument, ...]) -> dict[str, Any]:
    """The JSON schema of a call's arguments."""
    return {
        "type": "object",
        "properties": {one.name: one.schema for one in arguments},
        "required": [one.name for one in arguments if one.required],
        "additionalProperties": False,
    }


def read_arguments(arguments: tuple[Argument, ...], sent: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, defaults filled in. Null, and an optional `""`, are absent.

    Raises:
        Fault: -32602 for an unknown name, a missing argument, a value of another type.
    """
    known = {one.name: one for one in arguments}
    for name in sent:
        if name not in known:
            takes = ", ".join(known)
            raise Fault(INVALID_PARAMS, f"Unknown argument {name[:100]!r}; the tool takes: {takes}")
    values: dict[str, Any] = {}
    for name, argument in known.items():
        value = sent.get(name)
        if value is None or (value == "" and not argument.required):
            if argument.required:
                raise Fault(INVALID_PARAMS, f"Argument {name!r} is required")
            if argument.default is not None:
                values[name] = argument.default
            continue
        values[name] = _typed(argument, value)
    return values


def _typed(argument: Argument, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if argument.kind == "integer" and is_number and float(value).is_integer():
        return int(value)
    fits = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "number": is_number,
        "array": isinstance(value, list) and all(isinstance(one, str) for one in value),
    }
    if not fits.get(argument.kind, False):
        raise Fault(INVALID_PARAMS, f"Argument {argument.name!r} must be of type {argument.kind}")
    return value
