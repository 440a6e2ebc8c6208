"""The first call of a key, ready to be copied: for a shell, and for the Python client."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from korely.kernel.caller import READ, WRITE

_TEXT = "Ines moved to Bergen in March 2026. She is allergic to shellfish."
_QUESTION = "Where does Ines live?"
_USER = "ines-4812"


@dataclass(frozen=True, slots=True)
class FirstCall:
    """The same call twice; `does` says what it does, in a word or three."""

    does: str
    curl: str
    python: str


def first_call(*, key: str | None, scopes: Sequence[str], users: Sequence[str] | None) -> FirstCall:
    """A call that a key of these scopes and end users may make. Without `key` it reads the key
    from the environment variable KORELY_API_KEY.
    """
    user = _reached(users)
    if WRITE in scopes:
        body = {"content": _TEXT, "user_id": user}
        call = f"korely.add({json.dumps(_TEXT)}, user_id={_literal(user)})"
        return FirstCall(
            "store a memory", _curl(key, "/v1/memories", body), _python(key, f"print({call}.id)")
        )
    if READ in scopes:
        body = {"query": _QUESTION, "user_id": user}
        call = f"korely.search({json.dumps(_QUESTION)}, user_id={_literal(user)})"
        curl = _curl(key, "/v1/memories/search", body)
        return FirstCall("search memories", curl, _python(key, f"print({call})"))
    return FirstCall(
        "list projects", _curl(key, "/admin/projects"), _python(key, "print(korely.projects())")
    )


def _reached(users: Sequence[str] | None) -> str:
    if not users:
        return _USER
    first = users[0]
    return f"{first[:-1]}1" if first.endswith("*") else first


def _curl(key: str | None, path: str, body: dict[str, Any] | None = None) -> str:
    lines = [
        f"curl {shlex.quote(_base() + path)}",
        f'-H "Authorization: Bearer {key or "$KORELY_API_KEY"}"',
    ]
    if body is not None:
        lines += ['-H "Content-Type: application/json"', f"-d {shlex.quote(json.dumps(body))}"]
    return " \\\n  ".join(lines)


def _python(key: str | None, line: str) -> str:
    """For `pip install korely-memory`."""
    given = 'os.environ["KORELY_API_KEY"]' if key is None else json.dumps(key)
    lines = [] if key is not None else ["import os", ""]
    lines += [
        "from korely_memory import Korely",
        "",
        f"korely = Korely(api_key={given}, base_url={json.dumps(_base())})",
        line,
    ]
    return "\n".join(lines)


def _literal(text: str) -> str:
    """A literal of Python that shows no character which could fool a reader."""
    return json.dumps(text) if text.isascii() else ascii(text)


def _base() -> str:
    found: str = settings.KORELY_PUBLIC_URL
    return found.rstrip("/")
