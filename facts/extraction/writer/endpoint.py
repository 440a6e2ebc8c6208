"""Where a language model is reached, and how long it is waited for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible service: `{url}/chat/completions` is what is called.

    `name` stands for it in logs and metrics. `key` is sent as a bearer token, "" sends none.
    """

    name: str
    url: str
    model: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds and tries for one text: `total` over all tries and the waits between them, `connect`
    for a connection, `silence` for each wait for a byte of an answer.
    """

    total: float
    connect: float
    silence: float
    tries: int


class Grant(Protocol):
    """Tokens taken from a budget for one try."""

    def settle(self, used: int) -> None:
        """Count `used` in place of what was taken."""
        ...


class Budget(Protocol):
    """Counts tokens before they are spent."""

    def take(self, tokens: int) -> Grant | None:
        """Take as many as a try can cost at most; None when they are not left."""
        ...
