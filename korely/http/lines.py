"""JSON a line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from korely.http.errors import json_text

# What many readers of lines take for the end of one, and JSON leaves as it is.
_ENDS = str.maketrans({end: f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"})


def json_line(value: Mapping[str, Any]) -> str:
    """One object as a line that every reader takes for one."""
    return json_text(value).translate(_ENDS) + "\n"
