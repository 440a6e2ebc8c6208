"""What a tool is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import Tool as Described
from mcp_types import ToolAnnotations

from korely.http.shapes import Shape, check
from korely.kernel.caller import Caller
from korely.mcp.arguments import Argument, schema_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call found: the text a model reads, and the same as an object of the tool's schema."""

    text: str
    structured: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: `scope` is what its key needs, `run` does it for a caller and checked arguments.

    `run` raises `Refusal` as the REST call of the same name does.
    """

    name: str
    title: str
    description: str
    scope: str
    arguments: tuple[Argument, ...]
    output: Mapping[str, Any]
    run: Callable[[Caller, dict[str, Any]], Outcome]
    reads: bool = True

    def described(self) -> dict[str, Any]:
        """The tool as `tools/list` tells it. No tool here takes anything away."""
        told = Described(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema_of(self.arguments),
            output_schema=dict(self.output),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=False,
                idempotent_hint=self.reads,
                open_world_hint=False,
            ),
        )
        shown: dict[str, Any] = told.model_dump(by_alias=True, exclude_none=True)
        return shown


def checked(
    shape: type[Shape], values: Mapping[str, Any], *, query: bool = False
) -> dict[str, Any]:
    """The values as the REST call reads them; those of a query arrive there as text.

    Raises:
        Refusal: 422, the same as there.
    """
    if query:
        return check(shape, {name: _spelled(value) for name, value in values.items()}, "query")
    return check(shape, values, "body")


def _spelled(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def object_of(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
USER = Argument("user_id", "string", "The end user it concerns; left out: the whole project.")
KNOWN = Argument(
    "known_as_of", "string", "ISO date or datetime: answer as Korely knew it at that instant."
)
