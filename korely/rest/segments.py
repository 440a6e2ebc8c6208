"""Ids in paths and bodies."""

from __future__ import annotations

import uuid

from korely.kernel import errors, ids


def object_id(prefix: str, segment: str, what: str) -> uuid.UUID:
    """The id a caller wrote. Raises 404 for a malformed one, as for an unknown one."""
    found = ids.parse(prefix, segment)
    if found is None:
        raise errors.not_found(what)
    return found
