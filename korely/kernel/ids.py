"""Identifiers: UUIDv7 inside, prefix + 32 lower-case hex on the wire (contract, section 6)."""

from __future__ import annotations

import os
import re
import time
import uuid

MEMORY, FACT, AUDIT, PROJECT, KEY = "mem", "fct", "aud", "prj", "key"
JOB = "job"
TASK = "task"
BASE, FILE = "kb", "file"
WEBHOOK, DELIVERY = "whk", "dlv"

_UUID = re.compile(
    r"[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE
)


def uuid7() -> uuid.UUID:
    """A time-ordered UUID (RFC 9562): 48 bits of milliseconds, 12 bits of the fraction, random."""
    nanoseconds = time.time_ns()
    milliseconds, rest = divmod(nanoseconds, 1_000_000)
    fraction = (rest << 12) // 1_000_000  # sub-millisecond part, so ids of one process ascend
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76
    value |= fraction << 64
    value |= 0b10 << 62
    value |= int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF
    return uuid.UUID(int=value)


def wire(prefix: str, value: uuid.UUID) -> str:
    """`mem_` + 32 hex."""
    return f"{prefix}_{value.hex}"


def wire_or_none(prefix: str, value: uuid.UUID | None) -> str | None:
    return None if value is None else wire(prefix, value)


def parse(prefix: str, text: str) -> uuid.UUID | None:
    """The UUID of an id as written by a caller; None when malformed.

    With its prefix it is spelled as it is answered; the bare UUID may be in any case, and have its
    hyphens.
    """
    head = f"{prefix}_"
    bare = text[len(head) :] if text.startswith(head) else text
    if text.startswith(head) and not re.fullmatch(r"[0-9a-f]{32}", bare):
        return None
    return uuid.UUID(bare) if _UUID.fullmatch(bare) else None
