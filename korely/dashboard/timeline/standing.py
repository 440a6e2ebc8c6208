"""How a fact stands at the instants that a page was asked for, in words."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from facts.selectors import FactView, Reading, ending


@dataclass(frozen=True, slots=True)
class Standing:
    """`strong`: it is what agents are told for these instants. `tone`: of the badge.

    `reason`: why it ended, will end, or is not shown; `by`: the fact that ended it.
    """

    fact: FactView
    strong: bool
    label: str
    tone: str
    reason: str | None
    by: uuid.UUID | None = None

    @property
    def percent(self) -> int:
        return round(self.fact.confidence * 100)


def standing(fact: FactView, *, shown: bool, reading: Reading, now: datetime) -> Standing:
    """A fact as a reading has it; `shown`: it shows it."""
    at = reading.as_of or reading.known_as_of or now
    label, tone, reason = _standing(fact, shown=shown, at=at, asked=at != now)
    if reason is None and fact.invalid_at is not None and fact.closed_reason is not None:
        reason = ending(fact.invalid_at, fact.closed_reason, at=at)
        return Standing(fact, shown, label, tone, reason, fact.invalidated_by)
    return Standing(fact, shown, label, tone, reason)


def _standing(
    fact: FactView, *, shown: bool, at: datetime, asked: bool
) -> tuple[str, str, str | None]:
    planned = fact.tense == "planned"
    if shown:
        if planned:
            return "Plan", "info", None
        return ("True then" if asked else "Current"), "ok", None
    if fact.invalid_at is not None and (fact.invalid_at <= max(at, fact.valid_from)):
        return ("Plan over" if planned else "Ended"), "", None
    if fact.valid_from > at:
        return ("Plan, later" if planned else "Later"), "", None
    return "Covered", "", "Another value of it began later, and is shown in its place."
