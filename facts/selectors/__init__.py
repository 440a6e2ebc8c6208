"""Facts: reads. Call them inside a project's scope."""

from facts.selectors.history import SourcedFact, facts_ever_stated
from facts.selectors.listing import (
    FactFilter,
    FactHit,
    FactPage,
    confinement,
    facts_of_memory,
    list_facts,
    nearest_facts,
    recent_facts,
)
from facts.selectors.reading import Reading
from facts.selectors.view import FactView, line

__all__ = [
    "FactFilter",
    "FactHit",
    "FactPage",
    "FactView",
    "Reading",
    "SourcedFact",
    "confinement",
    "facts_ever_stated",
    "facts_of_memory",
    "line",
    "list_facts",
    "nearest_facts",
    "recent_facts",
]
