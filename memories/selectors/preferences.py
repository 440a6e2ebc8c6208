"""Which facts are preferences, and how they are said."""

from __future__ import annotations

FAMILY = "preferences"
ASIDE = ("wants", "has_goal")  # of the family, but no preferences


def is_preference(family: str, predicate: str) -> bool:
    """Whether a fact is a preference: what somebody likes or avoids, not what they want."""
    return family == FAMILY and predicate not in ASIDE
