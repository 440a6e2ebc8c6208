"""Instants: read from callers, written to answers. UTC everywhere (contract, section 6)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(Z|[+-]\d\d:\d\d)?)?",
    re.ASCII,
)


def now() -> datetime:
    return datetime.now(UTC)


def _offset(text: str | None) -> timedelta:
    if text is None or text == "Z":
        return timedelta()
    hours, minutes = int(text[1:3]), int(text[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError("offset out of range")
    value = timedelta(hours=hours, minutes=minutes)
    return -value if text[0] == "-" else value


def read(text: str) -> datetime:
    """The instant a caller wrote, as aware UTC.

    ISO 8601 date or datetime; `T` or a space; seconds and fraction optional; `Z` or an offset;
    no zone is UTC, a bare date its midnight. Digits of the fraction past six are dropped.

    Raises:
        ValueError: anything else, or an instant outside the years 1 to 9999.
    """
    found = _ISO.fullmatch(text)
    if not found:
        raise ValueError("not ISO 8601")
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    local = datetime(
        int(year),
        int(month),
        int(day),
        int(hour or 0),
        int(minute or 0),
        int(second or 0),
        int((fraction or "").ljust(6, "0")[:6]),
    )
    try:
        return (local - _offset(zone)).replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError("out of range") from error


def precision(text: str) -> timedelta:
    """How exactly a caller spelled an instant: the smallest step its text can tell apart."""
    found = _ISO.fullmatch(text)
    if not found:
        raise ValueError("not ISO 8601")
    hour, second, fraction = found.group(4), found.group(6), found.group(7)
    if hour is None:
        return timedelta(days=1)
    if second is None:
        return timedelta(minutes=1)
    if fraction is None:
        return timedelta(seconds=1)
    return timedelta(microseconds=10 ** (6 - min(6, len(fraction))))


def write(moment: datetime) -> str:
    """`2026-03-01T09:14:22+00:00`, with six fraction digits when they are not zero."""
    return moment.astimezone(UTC).isoformat()


def write_exactly(moment: datetime) -> str:
    """`2026-10-06T10:00:00.123456Z`, always six fraction digits: how audit events spell theirs."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def write_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else write(moment)


def day(moment: datetime) -> str:
    """The UTC day, `2026-03-01`."""
    return moment.astimezone(UTC).date().isoformat()
