"""Facts: writes. Call those without a `caller` inside a project's scope."""

from facts.reconciliation import NotCurrent
from facts.services.direct import (
    Written,
    current_in_place_of,
    has_ended,
    rewrite,
    write,
)
from facts.services.foresight import (
    Foreseen,
    foresee_correction,
    foresee_forgetting,
    foresee_write,
)
from facts.services.forget import ForgottenFact, forget_fact
from facts.services.importing import (
    ImportedFact,
    ImportedName,
    StatingMemory,
    bring_in_fact,
    bring_in_name,
    knows_name,
)
from facts.services.names import Declared, declare_name
from facts.services.naming import names_to_read_with
from facts.services.predicates import remove_predicate, set_predicate
from facts.services.rereading import rereads
from facts.services.sources import (
    Changes,
    Source,
    count_stated,
    meaning,
    storable,
    take_in,
    withdraw_memory,
)
from facts.services.store import Meaning, Owner, lock, lock_all
from facts.services.triples import Parts, Triple, corrected

__all__ = [
    "Changes",
    "Declared",
    "Foreseen",
    "ForgottenFact",
    "ImportedFact",
    "ImportedName",
    "Meaning",
    "NotCurrent",
    "Owner",
    "Parts",
    "Source",
    "StatingMemory",
    "Triple",
    "Written",
    "bring_in_fact",
    "bring_in_name",
    "corrected",
    "count_stated",
    "current_in_place_of",
    "declare_name",
    "foresee_correction",
    "foresee_forgetting",
    "foresee_write",
    "forget_fact",
    "has_ended",
    "knows_name",
    "lock",
    "lock_all",
    "meaning",
    "names_to_read_with",
    "remove_predicate",
    "rereads",
    "rewrite",
    "set_predicate",
    "storable",
    "take_in",
    "withdraw_memory",
    "write",
]
