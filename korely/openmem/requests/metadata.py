"""What is kept beside a text: `app_id`, `tags` and `info`."""

from __future__ import annotations

from typing import Any

from korely.http.fields.metadata import METADATA_BYTES, has_nul
from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.sent import Sent
from memories.fields import compact

MOST_TAGS, TAG_LENGTH = 50, 100
APP_LENGTH = 255


def read_metadata(sent: Sent) -> dict[str, Any]:
    """`app_id`, `tags` and `info` as a memory keeps them."""
    found = {"app_id": read_app_id(sent), "tags": _tags(sent), "info": _info(sent)}
    return {name: value for name, value in found.items() if value is not None}


def read_app_id(sent: Sent) -> str | None:
    return sent.text("app_id", most=APP_LENGTH, too_long=codes.WRONG)


def _tags(sent: Sent) -> list[str] | None:
    tags = sent.words("tags")
    if tags is None:
        return None
    if len(tags) > MOST_TAGS:
        raise fault(codes.WRONG, f"tags must have at most {MOST_TAGS} items")
    if any(len(one) > TAG_LENGTH or "\x00" in one for one in tags):
        raise fault(codes.WRONG, f"tags must be strings of 1 to {TAG_LENGTH} characters")
    return tags


def _info(sent: Sent) -> dict[str, Any] | None:
    info = sent.get("info")
    if info is None:
        return None
    if not isinstance(info, dict):
        raise fault(codes.WRONG, "info must be an object")
    if has_nul(info):
        raise fault(codes.WRONG, "info must not contain a NUL character")
    for key, value in info.items():
        plain = isinstance(value, str | int | float)
        words = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if not plain and not words:
            raise fault(
                codes.WRONG,
                f"info.{key[:APP_LENGTH]} must be a string, number, boolean or list of strings",
            )
    if len(compact(info).encode()) > METADATA_BYTES:
        raise fault(codes.WRONG, f"info must be at most {METADATA_BYTES:,} bytes of JSON")
    return info
