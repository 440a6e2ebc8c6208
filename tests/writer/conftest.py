"""The engine by itself, impatient, with a budget that only counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from facts.extraction import Candidate
from facts.extraction.writer import Breaker, Endpoint, Patience, WriterEngine
from tests.writer.model import Model

NOW = datetime(2026, 5, 10, 9, 0, tzinfo=UTC)  # a Sunday
KEY = "sk-not-to-be-told-0123456789"


@dataclass
class Purse:
    """A budget in memory: what was taken and is not settled yet, and what was used."""

    left: int = 1_000_000
    open: list[int] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)

    def take(self, tokens: int) -> Taken | None:
        if tokens > self.left:
            return None
        self.left -= tokens
        self.open.append(tokens)
        return Taken(self, tokens)


@dataclass
class Taken:
    purse: Purse
    tokens: int

    def settle(self, used: int) -> None:
        self.purse.open.remove(self.tokens)
        self.purse.left += self.tokens - used
        self.purse.settled.append(used)


Read = Callable[..., list[Candidate]]


@dataclass
class Reader:
    """An engine on a model, and its purse."""

    engine: WriterEngine
    purse: Purse

    def __call__(
        self, text: str, *, user_id: str | None = "ana", names: tuple[str, ...] = ()
    ) -> list[Candidate]:
        return self.engine.extract(text, user_id=user_id, names=names, timestamp=NOW)


@pytest.fixture
def reader() -> Callable[..., Reader]:
    def make(
        model: Model | str,
        *,
        total: float = 5.0,
        silence: float = 2.0,
        tries: int = 1,
        failures: int = 100,
        rest: float = 60.0,
        purse: Purse | None = None,
    ) -> Reader:
        purse = purse or Purse()
        url = model if isinstance(model, str) else model.url
        engine = WriterEngine(
            Endpoint("default", url, "small", KEY),
            patience=Patience(total=total, connect=1.0, silence=silence, tries=tries),
            breaker=Breaker(failures=failures, seconds=rest),
            budget=purse,
        )
        return Reader(engine, purse)

    return make
