"""The same call from a shell and from Python, with the key in `$KORELY_API_KEY`.

Whatever was typed is quoted for the language it is put into. Characters that do not show, and
those that turn the direction of writing, are written as escapes: what is read is what runs.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from django.conf import settings

_KEY = '-H "Authorization: Bearer $KORELY_API_KEY"'
_SEARCHES = ("query", "user_id", "agent_id", "limit")  # what the client's search() takes


def curl_post(path: str, body: Mapping[str, Any]) -> str:
    """A call with a JSON body."""
    return " \\\n  ".join(
        [
            f"curl {shlex.quote(settings.KORELY_PUBLIC_URL + path)}",
            _KEY,
            "-H 'Content-Type: application/json'",
            f"--data-raw {shlex.quote(_json(body))}",
        ]
    )


def curl_get(path: str, query: Mapping[str, Any]) -> str:
    """A call with a query string, which curl encodes."""
    lines = [f"curl -G {shlex.quote(settings.KORELY_PUBLIC_URL + path)}", _KEY]
    return " \\\n  ".join([*lines, *(_parameter(name, str(query[name])) for name in query)])


def python_add(body: Mapping[str, Any]) -> str:
    return _python("memory", "add", "content", body)


def python_search(body: Mapping[str, Any]) -> str | None:
    """None where facts are searched: the client's `search` is of memories."""
    if body.get("types") != ["memories"]:
        return None
    values = {name: body[name] for name in _SEARCHES if name in body}
    return _python("hits", "search", "query", values)


def python_context(query: Mapping[str, Any]) -> str | None:
    """None with `as_of`, which the client does not take."""
    if "as_of" in query:
        return None
    typed = {**query}
    if "token_budget" in typed:
        typed["token_budget"] = int(typed["token_budget"])
    return _python("context", "get_context", "query", typed)


def _python(name: str, method: str, first: str, values: Mapping[str, Any]) -> str:
    given = [repr(values[first])]
    given += [f"{key}={value!r}" for key, value in values.items() if key != first]
    address = repr(settings.KORELY_PUBLIC_URL)
    return (
        "from korely_memory import Korely\n\n"
        f"korely = Korely(base_url={address})  # the key is KORELY_API_KEY's\n"
        f"{name} = korely.{method}({', '.join(given)})"
    )


def _json(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def _parameter(name: str, value: str) -> str:
    if all(one.isprintable() or one == "\n" for one in value):
        return f"--data-urlencode {shlex.quote(f'{name}={value}')}"
    return f"-d {shlex.quote(name + '=' + quote(value, safe=''))}"
