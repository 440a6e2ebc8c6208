"""What schemathesis has to be told to test this API: loaded by it, in its own process."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import Any

import schemathesis
from hypothesis import strategies

from korely.http.fields.values import INSTANT

LINES = "application/x-ndjson"
EXISTING = "existing-instant"
NOBODYS_KEY = "key_" + "0" * 32

_instants = strategies.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 30))
_spellings = strategies.sampled_from(
    ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%MZ")
)


def _spelled(moment: datetime, form: str) -> str:
    # strftime leaves the zeros of early years out on some platforms.
    return moment.strftime(form.replace("%Y", f"{moment.year:04d}"))


schemathesis.openapi.format(EXISTING, strategies.builds(_spelled, _instants, _spellings))


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Instants that are made have to exist: no pattern knows the lengths of months."""
    pending: list[Any] = [raw_schema]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            if item.get("pattern") == INSTANT:
                item["format"] = EXISTING
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """The key that the run itself uses is not revoked, rotated or moved by it."""
    if case.path_parameters.get("key_id") == os.environ["KORELY_FUZZ_KEY_ID"]:
        case.path_parameters["key_id"] = NOBODYS_KEY


@schemathesis.serializer(LINES)
def one_line(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"


@schemathesis.deserializer(LINES)
def last_line(context: Any, response: Any) -> Any:
    """The document describes a line; that of every kind are right, tests of exports tell."""
    return json.loads(response.content.splitlines()[-1])
