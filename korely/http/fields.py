"""Strict request fields: JSON types as sent, never coerced; query strings in their own spelling.

Each raises DRF's ValidationError whose code becomes the `type` of a 422's detail entry.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from rest_framework import serializers

from korely.kernel import clock

MAX_OFFSET = 2_147_483_647
METADATA_BYTES = 8_192
ID_LENGTH = 255

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_INTEGER = re.compile(r"-?[0-9]+")
_BOOLEANS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}


def refuse(message: str, code: str = "value_error") -> serializers.ValidationError:
    return serializers.ValidationError(message, code=code)


class StrictField(serializers.Field):
    """Base of every request field. `document` is its JSON Schema in the OpenAPI document."""

    def document(self) -> dict[str, Any]:
        raise NotImplementedError


class Text(StrictField):
    """A string, stripped, then measured in code points; NUL is refused."""

    def __init__(self, *, least: int = 1, most: int, **kwargs: Any) -> None:
        self.least, self.most = least, most
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {
            "type": "string",
            "minLength": self.least,
            "maxLength": self.most,
            "description": "Measured in code points once white space at both ends is taken off.",
        }

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise refuse("must be a string", "string_type")
        text = data.strip()
        if "\x00" in text:
            raise refuse("must not contain a NUL character")
        if len(text) < self.least:
            raise refuse("must not be empty", "string_too_short")
        if len(text) > self.most:
            raise refuse(f"must be at most {self.most:,} characters", "string_too_long")
        return text


class Identifier(StrictField):
    """`user_id`, `agent_id`, `run_id`: 1-255 characters, kept exactly."""

    def __init__(self, *, segment: bool = False, stored: bool = False, **kwargs: Any) -> None:
        self.segment = segment and stored
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        also = ", no '/', and neither '.' nor '..'" if self.segment else ""
        return {
            "type": "string",
            "minLength": 1,
            "maxLength": ID_LENGTH,
            "description": f"Kept exactly, case-sensitive. No control characters{also}.",
        }

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise refuse("must be a string", "string_type")
        if not data.strip():
            raise refuse("must not be empty", "string_too_short")
        if len(data) > ID_LENGTH:
            raise refuse(f"must be at most {ID_LENGTH} characters", "string_too_long")
        if _CONTROL.search(data):
            raise refuse("must not contain control characters")
        if self.segment and ("/" in data or data in {".", ".."}):
            raise refuse("must not contain '/' nor be '.' or '..': it has to fit in a path")
        return data


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


class Word(StrictField):
    """One of a fixed set of words."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        self.words = words
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise refuse("must be a string", "string_type")
        if data not in self.words:
            raise refuse(f"must be one of: {', '.join(self.words)}", "enum")
        return data


class Words(StrictField):
    """A non-empty list of known words, each once."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        self.words = words
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        item = {"type": "string", "enum": list(self.words)}
        return {"type": "array", "items": item, "minItems": 1, "uniqueItems": True}

    def to_internal_value(self, data: Any) -> list[str]:
        if not isinstance(data, list):
            raise refuse("must be a list", "list_type")
        if not data:
            raise refuse("must not be empty", "too_short")
        if any(not isinstance(item, str) or item not in self.words for item in data):
            raise refuse(f"each must be one of: {', '.join(self.words)}", "enum")
        if len(set(data)) != len(data):
            raise refuse("names a word twice")
        return data


def _has_nul(value: Any) -> bool:
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if "\x00" in item:
                return True
        elif isinstance(item, dict):
            pending.extend(item.keys())
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return False


class Metadata(StrictField):
    """A JSON object of at most 8,192 bytes as compact UTF-8 JSON, without NUL."""

    def document(self) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": {},
            "description": f"At most {METADATA_BYTES:,} bytes as compact UTF-8 JSON.",
        }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise refuse("must be an object", "dict_type")
        if _has_nul(data):
            raise refuse("must not contain a NUL character")
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > METADATA_BYTES:
            raise refuse(f"must be at most {METADATA_BYTES:,} bytes of JSON", "too_long")
        return data


class MetadataFilter(Metadata):
    """A metadata object to search by: at most 32 keys, plain values."""

    MOST_KEYS = 32

    def document(self) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
            "maxProperties": self.MOST_KEYS,
            "description": "Top-level keys of the metadata, all of which must match.",
        }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        value = super().to_internal_value(data)
        if len(value) > self.MOST_KEYS:
            raise refuse(f"must have at most {self.MOST_KEYS} keys", "too_long")
        if any(isinstance(item, dict | list) for item in value.values()):
            raise refuse("a value must be a string, a number, true, false or null")
        return value


class Patterns(StrictField):
    """A key's `users`: 1-100 exact ids or prefixes with one trailing `*`."""

    MOST = 100

    def document(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": ID_LENGTH},
            "minItems": 1,
            "maxItems": self.MOST,
            "description": "Exact ids of end users, or prefixes with one trailing `*`.",
        }

    def to_internal_value(self, data: Any) -> list[str]:
        if not isinstance(data, list):
            raise refuse("must be a list", "list_type")
        if not 1 <= len(data) <= self.MOST:
            raise refuse(f"must have 1 to {self.MOST} patterns", "out_of_range")
        for item in data:
            if not isinstance(item, str):
                raise refuse("each must be a string", "string_type")
            if not item.strip() or len(item) > ID_LENGTH or _CONTROL.search(item):
                raise refuse(f"each must be 1 to {ID_LENGTH} characters without controls")
            if item == "*" or "*" in item[:-1]:
                raise refuse("'*' may stand only at the end of a pattern, and never alone")
        return data
