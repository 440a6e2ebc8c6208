"""The declared names of an end user."""

from __future__ import annotations

from facts.models import DeclaredName
from korely.kernel.caller import Caller

MOST_NAMES = 200


def names_of(*, caller: Caller, user_id: str) -> list[DeclaredName]:
    """The first 200 names that read as an end user's, oldest first. 403 for one out of reach."""
    caller.require_read(user_id)
    rows = DeclaredName.objects.filter(user_id=user_id).order_by("created_at", "id")
    return list(rows[:MOST_NAMES])
