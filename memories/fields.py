"""A JSON column that gives back exactly what was put in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _Field = models.Field[Any, Any]
else:
    _Field = models.Field  # not subscriptable at run time


class ExactJSONField(_Field):
    """PostgreSQL `json`, which keeps the text: `1.5`, `1e300`, integers of 1,000 digits.

    `jsonb` would turn 1e300 into a 301-digit integer.
    """

    description = "JSON text kept verbatim"

    def db_type(self, connection: Any) -> str:
        return "json"

    def get_prep_value(self, value: Any) -> str:
        return compact(value)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value


def compact(value: Any) -> str:
    """Compact UTF-8 JSON, the form whose bytes the contract's limits count."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
