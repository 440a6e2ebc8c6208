"""Bounds of time: a bare date is its midnight, but for `lte` the end of its day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from korely.kernel import clock
from korely.openmem.sent import instant
from memories.narrowing import Comparison, Operator

_DAY = timedelta(days=1)
_LAST = datetime.max.replace(tzinfo=UTC)


def read_bound(name: str, operator: Operator, value: Any) -> Comparison:
    """`gte 2025-01-01` with `lte 2025-12-31` is all of 2025. Without a zone UTC."""
    moment = instant(name, value)
    if operator != "lte" or clock.precision(value) != _DAY:
        return Comparison(operator, moment)
    if moment > _LAST - _DAY:
        return Comparison(operator, _LAST)
    return Comparison("lt", moment + _DAY)
