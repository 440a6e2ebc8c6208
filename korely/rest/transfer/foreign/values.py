"""Values of foreign records: dates, texts, ids."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from korely.kernel import clock
from korely.rest.transfer.foreign.skips import Reason, Skip

_ZONE_NAME = re.compile(r"\[[^\]]*\]$")  # `…Z[UTC]`, as Neo4j writes
_SHORT_OFFSET = re.compile(r"([+-]\d\d):?(\d\d)?$")


class Skipped(Exception):
    """This record is not stored."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.skip = Skip(reason, message)


def name_of(project_id: uuid.UUID, origin: str, name: str) -> uuid.UUID:
    """What stands for an id of another service: the same each time, another in each project."""
    return uuid.uuid5(project_id, f"{origin}:{name}")


def id_of(name: uuid.UUID, created: datetime) -> uuid.UUID:
    """The id here of what has that name: ordered by time, as all ids here are (UUIDv8, RFC 9562).

    48 bits of milliseconds, then the last bits of the name around version and variant.
    """
    milliseconds = max(0, int(created.timestamp() * 1000)) & 0xFFFF_FFFF_FFFF
    rest = name.int & ~(0xF << 76) & ~(0x3 << 62) & ((1 << 80) - 1)
    return uuid.UUID(int=milliseconds << 80 | 0x8 << 76 | 0x2 << 62 | rest)


def own_name(value: Mapping[str, Any], *fields: str) -> str:
    """What a record is known by: its id, else all that it says."""
    return text(value, *fields) or json.dumps(value, sort_keys=True, ensure_ascii=False)


def text(value: Mapping[str, Any], *fields: str) -> str | None:
    """The first of these fields that is a text with something in it; numbers count as ids do."""
    for field in fields:
        found = value.get(field)
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
        if isinstance(found, str) and found.strip():
            return found
    return None


def moment(value: Mapping[str, Any], *fields: str) -> datetime | None:
    """The first of these fields that is set, as an instant.

    Raises:
        Skipped: it is no ISO 8601 date.
    """
    for field in fields:
        found = value.get(field)
        if found is None or found == "":
            continue
        try:
            return _read(found)
        except (TypeError, ValueError):
            raise Skipped(Reason.BAD_DATE, f"{field} is not an ISO 8601 date or datetime") from None
    return None


def _read(found: Any) -> datetime:
    if not isinstance(found, str):
        raise TypeError
    spelled = _ZONE_NAME.sub("", found.strip())
    if "T" in spelled or " " in spelled:
        spelled = _SHORT_OFFSET.sub(lambda offset: f"{offset[1]}:{offset[2] or '00'}", spelled)
    return clock.read(spelled)


def metadata(given: Any, origin: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Their metadata as it was; what has no field here, under the name of where it comes from."""
    own = {name: one for name, one in kept.items() if one not in (None, "", [], {}, False)}
    found = dict(given) if isinstance(given, dict) else {}
    if given and not isinstance(given, dict):
        own["metadata"] = given
    return {origin: own, **found} if own else found
