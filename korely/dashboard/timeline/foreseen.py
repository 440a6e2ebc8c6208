"""What an act would change, as a page tells it before somebody does it."""

from __future__ import annotations

from dataclasses import dataclass

from facts.reconciliation import Close, Row
from facts.selectors import FactView, ending
from korely.kernel.clock import now
from memories.services import Preview


@dataclass(frozen=True, slots=True)
class Ending:
    fact: FactView
    reason: str


@dataclass(frozen=True, slots=True)
class Told:
    """`new`: what would be stored; `new_ends`: why that is over at once, or when it will be."""

    new: Row | None
    new_ends: str | None
    confirms: FactView | None
    ends: list[Ending]
    appears: list[FactView]
    disappears: list[FactView]


def told(preview: Preview) -> Told:
    """A preview in words. Facts that were erased meanwhile are left out."""
    foreseen, facts, moment = preview.foreseen, preview.facts, now()
    new = foreseen.new

    def reason(one: Close) -> str:
        return ending(one.at, one.reason, at=moment)

    return Told(
        new=new,
        new_ends=None
        if new is None or new.invalid_at is None or new.closed_reason is None
        else ending(new.invalid_at, new.closed_reason, at=moment),
        confirms=None if foreseen.confirms is None else facts.get(foreseen.confirms),
        ends=[Ending(facts[one.id], reason(one)) for one in foreseen.ends if one.id in facts],
        appears=[facts[one] for one in foreseen.appears if one in facts],
        disappears=[facts[one] for one in foreseen.disappears if one in facts],
    )
