"""Fields that are numbers, booleans or instants."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from korely.http.fields.base import StrictField, refuse
from korely.kernel import clock

MAX_OFFSET = 2_147_483_647

# What `clock.read` takes, but for days that a month does not have and the ends of the calendar.
_YEAR = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
INSTANT = (
    rf"^{_YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    rf"([T ]{_HOUR}(:[0-5][0-9](\.[0-9]{{1,9}})?)?(Z|[+-]{_HOUR})?)?$"
)

_INTEGER = re.compile(r"-?[0-9]+")
_BOOLEANS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}


class Integer(StrictField):
    """A JSON integer (15.0 counts as 15), or in a query ASCII digits, within a range."""

    def __init__(self, *, least: int, most: int, query: bool = False, **kwargs: Any) -> None:
        self.least, self.most, self.query = least, most, query
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def to_internal_value(self, data: Any) -> int:
        value = self._query(data) if self.query else self._body(data)
        if not self.least <= value <= self.most:
            raise refuse(f"must be from {self.least} to {self.most}", "out_of_range")
        return value

    def _query(self, data: str) -> int:
        if not _INTEGER.fullmatch(data):
            raise refuse("must be an integer", "int_parsing")
        if len(data) > 20:
            raise refuse(f"must be from {self.least} to {self.most}", "out_of_range")
        return int(data)

    def _body(self, data: Any) -> int:
        if isinstance(data, float) and data.is_integer():
            return int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            raise refuse("must be an integer", "int_type")
        return data


class Number(StrictField):
    """A JSON number within a range."""

    def __init__(self, *, least: float, most: float, **kwargs: Any) -> None:
        self.least, self.most = least, most
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.least, "maximum": self.most}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise refuse("must be a number", "float_type")
        if not self.least <= data <= self.most:
            raise refuse(f"must be from {self.least:g} to {self.most:g}", "out_of_range")
        return float(data)


class Boolean(StrictField):
    """JSON true or false, or in a query one of `true 1 yes on false 0 no off` in any case."""

    def __init__(self, *, query: bool = False, **kwargs: Any) -> None:
        self.query = query
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def to_internal_value(self, data: Any) -> bool:
        if self.query:
            value = _BOOLEANS.get(data.lower())
            if value is None:
                raise refuse("must be true or false", "bool_parsing")
            return value
        if not isinstance(data, bool):
            raise refuse("must be true or false", "bool_type")
        return data


class Instant(StrictField):
    """An ISO 8601 date or datetime; no zone is UTC."""

    def document(self) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": INSTANT,
            "description": "ISO 8601 date or datetime; without a zone UTC, a date its midnight.",
            "examples": ["2026-03-01", "2026-03-01T14:30:00Z"],
        }

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str):
            raise refuse("must be a string", "string_type")
        try:
            return clock.read(data)
        except ValueError:
            shown = data if len(data) <= 40 else data[:40] + "…"
            raise refuse(
                f"{self.field_name} '{shown}' is not an ISO 8601 date or datetime"
                " (e.g. '2026-03-01' or '2026-03-01T14:30:00Z')",
                "datetime_parsing",
            ) from None


class InstantText(Instant):
    """Like Instant, but keeps the text: the precision it was spelled with matters."""

    def to_internal_value(self, data: Any) -> str:  # type: ignore[override]
        super().to_internal_value(data)
        return str(data)
