"""A message of a conversation, as somebody said it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from memories.fields import compact

Role = Literal["user", "assistant", "system", "tool"]


@dataclass(frozen=True, slots=True)
class Call:
    """An assistant's call of a tool; `arguments` is text as the assistant wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `content` is kept as it was sent: a text, a list of parts, or None.

    `extras`: what else is kept of it (`tool_calls`, `tool_call_id`, `role_id`, `role_name`).
    """

    role: Role
    content: str | list[dict[str, Any]] | None
    chat_time: datetime | None = None
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Its words: images and files have none."""
        if isinstance(self.content, str):
            return self.content.strip()
        parts = [one["text"] for one in self.content or () if one.get("type") == "text"]
        return "\n".join(parts).strip()

    @property
    def calls(self) -> list[Call]:
        """The calls of tools in it that name a tool."""
        found = []
        for one in self.extras.get("tool_calls") or ():
            function = one.get("function")
            inner = function if isinstance(function, dict) else one
            name, arguments = inner.get("name"), inner.get("arguments", "")
            if isinstance(name, str) and name:
                found.append(Call(str(one.get("id", "")), name, _as_text(arguments)))
        return found

    @property
    def answers(self) -> str | None:
        """The id of the call that it is the result of."""
        found = self.extras.get("tool_call_id")
        return found if isinstance(found, str) else None


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else compact(value)
