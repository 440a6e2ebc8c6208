"""Why a record of another service's export is not stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The reasons that a report counts by."""

    NO_COUNTERPART = "no_counterpart"  # nothing here corresponds to it
    EXPIRED = "expired"  # its service does not answer with it any more
    NO_TEXT = "no_text"
    TOO_LONG = "too_long"
    NO_DATE = "no_date"
    BAD_DATE = "bad_date"
    UNKNOWN_NODE = "unknown_node"  # an edge whose ends the file does not name
    UNKNOWN_KIND = "unknown_kind"
    UNREADABLE = "unreadable"
    INVALID = "invalid"  # a field that is not taken here, as its message says
    REFUSED = "refused"  # storing it was refused


# What is left behind on purpose; anything else is worth a look.
EXPECTED = frozenset({Reason.NO_COUNTERPART, Reason.EXPIRED})


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that is not stored. The message never quotes it."""

    reason: Reason
    message: str
