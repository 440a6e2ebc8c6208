"""Refusals as pages: what is not there is a 404."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404

from korely.kernel import ids
from korely.kernel.errors import Refusal


@contextmanager
def absent_is_404() -> Iterator[None]:
    """Turns a service's 404 into the page's."""
    try:
        yield
    except Refusal as refusal:
        if refusal.status == 404:
            raise Http404 from None
        raise


def id_in(prefix: str, segment: str) -> uuid.UUID:
    """The id in an address, as the API or the database spells it. Raises Http404."""
    found = ids.parse(prefix, segment)
    if found is None:
        raise Http404
    return found
