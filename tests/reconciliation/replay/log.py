"""The log of acts, gone through anew for every moment of knowledge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.reconciliation.replay.acts import Act, moment
from tests.reconciliation.replay.told import Told, began, listed, same_slot
from tests.reconciliation.replay.world import World


@dataclass
class Log:
    """What was done, in the order in which it was done."""

    acts: list[Act] = field(default_factory=list)

    def world(self) -> World:
        return _after(self.acts)

    def facts(self, known_at: datetime | None = None) -> list[Told]:
        """Every fact, as known at `known_at` (None: now).

        A fact has one end in the store. Where an end to come was moved later, the first one is not
        known any more, and the contract shows the fact open until the last one was known. Whose
        names are declared is what is known today.
        """
        today = self.world().facts
        if known_at is None:
            return today
        last = {one.id: one for one in today}
        facts = _after([act for act in self.acts if moment(act) <= known_at]).facts
        for one in facts:
            latest = last[one.id]
            one.about, one.value = latest.about, latest.value
            if latest.end_known is None or latest.end_known > known_at:
                one.end = one.why = one.by = one.end_known = None
        return facts


def read(
    facts: Sequence[Told], at: datetime, *, as_of: bool, left_out: Collection[object] = ()
) -> list[Told]:
    """What a read of these facts shows, newest first: of each slot the one that started last.

    Facts whose ids are `left_out` are not there for any rule.
    """
    there = [one for one in facts if one.id not in left_out and listed(one, at, as_of)]
    found = []
    for one in there:
        slot = [other for other in there if same_slot(one, other)]
        if not slot or max(slot, key=began) is one:
            found.append(one)
    return sorted(found, key=began, reverse=True)


def _after(acts: Sequence[Act]) -> World:
    world = World()
    for act in acts:
        world.do(act)
    return world
