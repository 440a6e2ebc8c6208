"""Which stored facts of a subject a statement can meet."""

from facts.reconciliation.plans import FULFILS
from facts.reconciliation.states import ENDS
from facts.vocabulary import BUILT_IN, Vocabulary


def related(predicate: str, vocabulary: Vocabulary = BUILT_IN) -> frozenset[str]:
    """The predicates whose rows `reconcile` has to be given for a statement of this one.

    Itself, its opposites, and what it fulfils or ends, or is fulfilled or ended by.
    """
    found = {predicate, *vocabulary.opposites(predicate)}
    for pairs in (FULFILS, ENDS):
        found |= {other for event, other in pairs.items() if event == predicate}
        found |= {event for event, other in pairs.items() if other == predicate}
    return frozenset(found)
