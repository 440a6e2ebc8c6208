"""A record as a line of an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Who says what need not be true of the end user, so that it is not mined for facts.
OTHERS = frozenset({"assistant", "ai", "system", "function", "tool"})


@dataclass(frozen=True, slots=True)
class Row:
    """The line, which is checked as any other. `mined`: its facts are left to the worker."""

    line: Mapping[str, Any]
    mined: bool = False
