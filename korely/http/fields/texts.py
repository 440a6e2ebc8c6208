"""Fields that are text: contents, ids, words of a list, patterns of ids."""

from __future__ import annotations

import re
from typing import Any

from korely.http.fields.base import StrictField, refuse

ID_LENGTH = 255

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

# For the document: what these characters are in any dialect of regular expressions, whose own
# `\s` may leave out some that Python takes for white space.
_CONTROLS = r"\u0000-\u001f\u007f-\u009f"
_BLANK = r"\s\u001c-\u001f\u0085"


def _with_one(apart: str, never: str) -> str:
    """A pattern: at least one character that is not one `apart`, and none that is one `never`."""
    return f"^[^{never}]*[^{apart}{never}][^{never}]*$"


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
            "pattern": _with_one(_BLANK, r"\u0000") if self.least else r"^[^\u0000]*$",
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


class Verbatim(Text):
    """Any string, as it is: what it says is judged where it is used."""

    def document(self) -> dict[str, Any]:
        return {
            "type": "string",
            "description": f"{self.least:,} to {self.most:,} code points without NUL, once white"
            " space at both ends is taken off; any other is told by itself.",
        }

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise refuse("must be a string", "string_type")
        return data


class Identifier(StrictField):
    """`user_id`, `agent_id`, `run_id`: 1-255 characters, kept exactly."""

    def __init__(self, *, segment: bool = False, **kwargs: Any) -> None:
        self.segment = segment
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        also = ", no '/', and neither '.' nor '..'" if self.segment else ""
        found: dict[str, Any] = {
            "type": "string",
            "minLength": 1,
            "maxLength": ID_LENGTH,
            "pattern": _with_one(_BLANK, f"/{_CONTROLS}" if self.segment else _CONTROLS),
            "description": f"Kept exactly, case-sensitive. No control characters{also}.",
        }
        if self.segment:
            found["not"] = {"enum": [".", ".."]}
        return found

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


class Patterns(StrictField):
    """A key's `users`: 1-100 exact ids or prefixes with one trailing `*`."""

    MOST = 100

    def document(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {
                "type": "string",
                "minLength": 1,
                "maxLength": ID_LENGTH,
                "pattern": rf"^([^*{_CONTROLS}]*[^*{_BLANK}{_CONTROLS}][^*{_CONTROLS}]*"
                rf"|[^*{_CONTROLS}]+\*)$",
            },
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
