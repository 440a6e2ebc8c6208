"""Filters read plainly, in Python."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


@dataclass(frozen=True)
class Row:
    """What was stored, and the ids of what came of it, by kind."""

    agent_id: str | None
    app_id: str | None
    tags: tuple[str, ...]
    info: dict[str, Any]
    create_time: datetime
    ids: dict[str, str]


def _same(stored: Any, asked: Any) -> bool:
    if isinstance(stored, bool) or isinstance(asked, bool):
        return stored is asked
    return isinstance(stored, str) == isinstance(asked, str) and bool(stored == asked)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _holds(stored: Any, asked: Any) -> bool:
    if not isinstance(asked, dict):
        return _same(stored, asked)
    for name, value in asked.items():
        if name == "in":
            one = any(_same(stored, item) for item in value)
        elif name == "contains":
            one = isinstance(stored, list) and any(_same(item, value) for item in stored)
        else:
            one = is_number(stored) and ORDER[name](stored, value)
        if not one:
            return False
    return True


def _in_time(stored: datetime, asked: dict[str, str]) -> bool:
    for name, text in asked.items():
        bound = datetime.fromisoformat(text).replace(tzinfo=UTC)
        if name == "lte" and len(text) == 10:
            if not stored < bound + timedelta(days=1):
                return False
        elif not ORDER[name](stored, bound):
            return False
    return True


def matches(row: Row, condition: dict[str, Any]) -> bool:
    for field, asked in condition.items():
        if field in ("create_time", "update_time"):
            one = _in_time(row.create_time, asked)
        elif field in ("agent_id", "app_id", "tags"):
            stored = getattr(row, field)
            one = stored is not None and _holds(list(stored) if field == "tags" else stored, asked)
        else:
            key = field.removeprefix("info.")
            one = key in row.info and _holds(row.info[key], asked)
        if not one:
            return False
    return True
