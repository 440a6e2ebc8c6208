"""Ids in paths and bodies."""

from __future__ import annotations

import uuid
from typing import Literal

from korely.http.fields import Identifier
from korely.http.shapes import Shape, check
from korely.kernel import errors, ids

# What the front puts in place of an encoded slash (korely.front.paths); no id may hold it.
_ENCODED_SLASH = "\x01"


def object_id(prefix: str, segment: str, what: str) -> uuid.UUID:
    """The id a caller wrote. Raises 404 for a malformed one, as for an unknown one."""
    found = ids.parse(prefix, segment)
    if found is None:
        raise errors.not_found(what)
    return found


class _Path(Shape):
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)


def person_id(segment: str, field: Literal["user_id", "agent_id"]) -> str:
    """The `user_id` or `agent_id` that a path names, exactly as it is stored.

    Raises:
        Refusal: 422 naming `field` for one that could never be stored: over 255 characters, blank,
            with a slash or a control character, `.` or `..`.
    """
    return str(check(_Path, {field: segment.replace(_ENCODED_SLASH, "/")}, "path")[field])
