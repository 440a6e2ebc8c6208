"""The decision: one statement meets the stored facts of its subject."""

from collections.abc import Collection, Sequence
from uuid import UUID

from facts.reconciliation.endings import cancel, deny, end, end_directly
from facts.reconciliation.meaning import SameMeaning
from facts.reconciliation.plans import plan
from facts.reconciliation.rows import Outcome, Row, Statement
from facts.reconciliation.scene import Scene
from facts.reconciliation.states import state
from facts.vocabulary import BUILT_IN, Vocabulary


def reconcile(
    statement: Statement,
    rows: Sequence[Row],
    *,
    same_meaning: SameMeaning | None = None,
    stated: Collection[UUID] = (),
    dropped: Collection[UUID] = (),
    vocabulary: Vocabulary = BUILT_IN,
) -> Outcome:
    """What `statement` does to `rows`.

    `rows` are all rows of its end user, agent and subject, ended ones too; they are not changed.
    Pure and deterministic. The rules are those of the product's facts contract ("When a new fact
    meets an old one"), tried in its order a to g. `same_meaning(new, stored)` says whether two
    objects of the statement's predicate are near by embedding; without it restatements are not
    looked for. `stated` are the rows that this very memory stated before it is
    read again: it confirms them and changes nothing else. `dropped` are those that this memory
    alone stated and whose value its new text does not speak of: they are superseded in their slot
    even where they began later. `vocabulary` says which predicates hold one value, and which are
    opposites.
    """
    scene = Scene(
        statement,
        rows,
        same_meaning=same_meaning,
        stated=stated,
        dropped=dropped,
        vocabulary=vocabulary,
    )
    if statement.move == "deny":
        return deny(scene)
    if statement.tense == "planned":
        return cancel(scene) if statement.move == "end" else plan(scene)
    if statement.tense == "past" or statement.move == "end":
        return end_directly(scene) if statement.direct else end(scene)
    return state(scene)
