"""The fields of one request, each read strictly: missing before type before length before range."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from korely.http.fields.texts import ID_LENGTH, Identifier
from korely.kernel import clock
from korely.openmem import codes
from korely.openmem.codes import fault

NAME_LENGTH = 100  # characters of `user_id` and `conversation_id`

_SEGMENT, _PLAIN = Identifier(segment=True), Identifier()
_TRUTHS = {"true": True, "false": False}


class Sent:
    """A JSON object whose nulls were not sent."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {name: value for name, value in values.items() if value is not None}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str) -> Any:
        """What was sent, unread; None for nothing."""
        return self._values.get(name)

    def _required(self, name: str) -> Any:
        value = self._values.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            raise fault(codes.MISSING, f"{name} is required and must not be empty")
        return value

    def user_id(self) -> str:
        """The end user that the call is about: 1 to 100 characters."""
        value = self._required("user_id")
        return _identifier("user_id", value, NAME_LENGTH, codes.LONG_USER_ID)

    def conversation_id(self, *, required: bool = False) -> str | None:
        name = "conversation_id"
        value = self._required(name) if required else self.get(name)
        if value is None:
            return None
        return _identifier(name, value, NAME_LENGTH, codes.LONG_CONVERSATION_ID, segment=False)

    def agent_id(self) -> str | None:
        value = self.get("agent_id")
        return value if value is None else _identifier("agent_id", value, ID_LENGTH, codes.WRONG)

    def text(self, name: str, *, most: int, too_long: int, required: bool = False) -> str | None:
        """A text that is not blank, stripped, of at most `most` characters."""
        value = self._required(name) if required else self.get(name)
        if value is None:
            return None
        return text(name, value, most=most, too_long=too_long)

    def boolean(self, name: str, default: bool) -> bool:
        value = self.get(name)
        if value is None:
            return default
        found = _TRUTHS.get(value) if isinstance(value, str) else value
        if not isinstance(found, bool):
            raise fault(codes.WRONG, f'{name} must be true, false, "true" or "false"')
        return found

    def integer(self, name: str, *, least: int, most: int, default: int) -> int:
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise fault(codes.WRONG, f"{name} must be an integer")
        if not least <= value <= most:
            raise fault(codes.WRONG, f"{name} must be from {least} to {most}")
        return value

    def number(
        self, name: str, *, least: float, most: float, code: int = codes.WRONG
    ) -> float | None:
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault(code, f"{name} must be a number")
        if not least <= value <= most:
            raise fault(code, f"{name} must be from {least:g} to {most:g}")
        return float(value)

    def words(self, name: str) -> list[str] | None:
        """A list of strings that are not empty; it may be empty itself."""
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise fault(codes.WRONG, f"{name} must be a list")
        if any(not isinstance(one, str) or not one.strip() for one in value):
            raise fault(codes.WRONG, f"{name} must hold strings that are not empty")
        return value


def text(name: str, value: Any, *, most: int, too_long: int) -> str:
    if not isinstance(value, str):
        raise fault(codes.WRONG, f"{name} must be a string")
    found = value.strip()
    if "\x00" in found:
        raise fault(codes.WRONG, f"{name} must not contain a NUL character")
    if not found:
        raise fault(codes.WRONG, f"{name} must not be empty")
    if len(found) > most:
        raise fault(too_long, f"{name} must be at most {most:,} characters")
    return found


def instant(name: str, value: Any) -> datetime:
    """An ISO 8601 date or datetime, or `YYYY-MM-DD HH:MM:SS`; without a zone UTC."""
    if not isinstance(value, str):
        raise fault(codes.WRONG, f"{name} must be a string")
    try:
        return clock.read(value)
    except ValueError:
        raise fault(
            codes.WRONG, f"{name} is not an ISO 8601 date or datetime, nor YYYY-MM-DD HH:MM:SS"
        ) from None


def _identifier(name: str, value: Any, most: int, too_long: int, *, segment: bool = True) -> str:
    if not isinstance(value, str):
        raise fault(codes.WRONG, f"{name} must be a string")
    if len(value) > most:
        raise fault(too_long, f"{name} must be at most {most} characters")
    field = _SEGMENT if segment else _PLAIN
    try:
        return field.to_internal_value(value)
    except ValidationError as error:
        raise fault(codes.WRONG, f"{name} {_first(error.detail)}") from None


def _first(detail: Any) -> str:
    return str(detail[0] if isinstance(detail, list) else detail)
