"""The metadata object, and the filter on it."""

from __future__ import annotations

import json
from typing import Any

from korely.http.fields.base import StrictField, refuse

METADATA_BYTES = 8_192


def has_nul(value: Any) -> bool:
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
    """A JSON object of at most `most` bytes as compact UTF-8 JSON, without NUL."""

    def __init__(self, *, most: int = METADATA_BYTES, **kwargs: Any) -> None:
        self.most = most
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": {},
            "description": f"At most {self.most:,} bytes as compact UTF-8 JSON.",
        }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise refuse("must be an object", "dict_type")
        if has_nul(data):
            raise refuse("must not contain a NUL character")
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > self.most:
            raise refuse(f"must be at most {self.most:,} bytes of JSON", "too_long")
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
