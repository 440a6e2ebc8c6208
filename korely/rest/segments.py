"""Ids in paths and bodies."""

from __future__ import annotations

import uuid
from functools import cache

from rest_framework.exceptions import ValidationError

from korely.http.fields import Identifier
from korely.kernel import errors, ids

# What the front puts in place of an encoded slash (korely.front.paths); no id may hold it.
_ENCODED_SLASH = "\x01"


def object_id(prefix: str, segment: str, what: str) -> uuid.UUID:
    """The id a caller wrote. Raises 404 for a malformed one, as for an unknown one."""
    found = ids.parse(prefix, segment)
    if found is None:
        raise errors.not_found(what)
    return found


@cache
def _reader() -> Identifier:
    return Identifier(segment=True)


def person_id(segment: str, field: str) -> str:
    """A `user_id` or `agent_id` that a path names, exactly as it is stored.

    Raises:
        Refusal: 422 naming `field` for one that could never be stored: over 255 characters, blank,
            with a slash or a control character, `.` or `..`.
    """
    try:
        return str(_reader().to_internal_value(segment.replace(_ENCODED_SLASH, "/")))
    except ValidationError as error:
        (kind,), (fault,) = error.get_codes(), error.detail
        raise errors.invalid(field, str(fault), kind=str(kind), where="path") from None
