"""Why a fact is over, in words of the product's own, so that no stored text speaks in them."""

from __future__ import annotations

from datetime import datetime

from korely.kernel import clock

# A rule of `closed_reason` (contract, facts.md): what follows "Ended on D: ".
RULES = {
    "superseded": "what was said later took its place.",
    "closed": "it was said to be over.",
    "corrected": "a caller corrected it.",
    "forgotten": "a caller said that it stopped being true.",
    "history": "it was told after the fact that followed it, and was true until that one began.",
    "fulfilled": "the plan came true.",
    "cancelled": "the plan was called off.",
    "erased_source": "every memory that stated it was changed or forgotten.",
    "stated": "its end was told together with it.",
}


def ending(end: datetime, rule: str, *, at: datetime) -> str:
    """One plain sentence, as somebody reads it at an instant: `Ended on 2026-05-20: …`."""
    tells = "Ends" if end > at else "Ended"
    return f"{tells} on {clock.day(end)}: {RULES[rule]}"
