"""The metadata filter of search as SQL (contract, section 10).

| filter value | matches a stored |
|---|---|
| true, false | the same boolean, or the string "true" / "false" |
| number | an equal number (5 = 5.0), or the string that spells it as sent |
| string | an equal string, or a boolean or number whose JSON text it is |
| null | null |
"""

from __future__ import annotations

import json
from typing import Any

from korely.kernel.spelled import SpelledFloat


def _spelling(value: Any) -> str:
    if isinstance(value, str):
        return value
    return value.spelling if isinstance(value, SpelledFloat) else json.dumps(value)


def condition(wanted: dict[str, Any], column: str) -> tuple[str, dict[str, Any]]:
    """Top-level keys, all of which must match; a missing key, object or array matches nothing."""
    tests, values = [], {}
    for number, (key, value) in enumerate(wanted.items()):
        name = f"meta_{number}"
        stored = f"({column} -> %({name}_key)s)"
        kind = f"json_typeof{stored}"
        text = f"({column} ->> %({name}_key)s)"
        values[f"{name}_key"] = key
        values[name] = _spelling(value)
        spelled = f"{text} = %({name})s"
        if value is None:
            tests.append(f"{kind} = 'null'")
        elif isinstance(value, str):
            tests.append(f"({kind} IN ('string', 'boolean', 'number') AND {spelled})")
        elif isinstance(value, bool):
            tests.append(f"({kind} IN ('boolean', 'string') AND {spelled})")
        else:
            tests.append(
                f"CASE {kind} WHEN 'number' THEN {text}::numeric = %({name})s::numeric"
                f" WHEN 'string' THEN {spelled} ELSE false END"
            )
    return " AND ".join(tests) or "true", values
