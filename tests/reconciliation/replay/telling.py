"""The rules of the facts contract, a to g, written out over a plain list of facts.

Two things that the contract leaves open are read as the product reads them: a restatement confirms
only a fact that a read shows where the restatement begins (else reads would miss what was just
said), and a text counts for the day on which it was said, so that its day of arrival changes no
answer: what ended or replaced its fact between the two is applied to it.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from facts.reconciliation import Statement
from tests.reconciliation.replay.over import deny, past, past_by_caller
from tests.reconciliation.replay.plans import plan
from tests.reconciliation.replay.states import state
from tests.reconciliation.replay.told import Told


def tell(facts: list[Told], s: Statement, dropped: Collection[UUID] = frozenset()) -> Told | None:
    """Put one statement among `facts`; the fact that it made (then the last) or confirmed.

    `dropped`: what the statement's memory alone stated and no longer speaks of.
    """
    mine = [one for one in facts if one.about == s.subject_key]
    made = _decide(mine, s, dropped)
    if made is not None and all(made is not one for one in facts):
        facts.append(made)
    return made


def _decide(mine: list[Told], s: Statement, dropped: Collection[UUID]) -> Told | None:
    if s.move == "deny":
        return deny(mine, s)
    if s.tense == "planned":
        return plan(mine, s)
    if s.tense == "past":
        return past_by_caller(mine, s) if s.direct else past(mine, s)
    return state(mine, s, dropped)
