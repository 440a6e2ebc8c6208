"""What the engine tests share: one engine, one instant, and facts as plain tuples."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from facts.extraction import Candidate, engine

# A Wednesday.
NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)

Told = Callable[..., list[Candidate]]


@pytest.fixture
def told() -> Told:
    """Extract from a text written by the end user "kim" at NOW."""
    found = engine()

    def extract(
        text: str,
        *,
        user_id: str | None = "kim",
        names: tuple[str, ...] = (),
        timestamp: datetime = NOW,
    ) -> list[Candidate]:
        return found.extract(text, user_id=user_id, names=names, timestamp=timestamp)

    return extract
