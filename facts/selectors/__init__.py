"""Facts: reads. Call them inside a project's scope."""

from facts.selectors.chain import MOST_EACH_WAY, Chain, chain_of
from facts.selectors.export import (
    ExportedFact,
    ExportedName,
    Mark,
    count_exported,
    page_of_facts,
    page_of_names,
)
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
from facts.selectors.one import find_fact, view_fact
from facts.selectors.predicates import list_predicates, read_vocabulary
from facts.selectors.profile import MOST_IN_PROFILE, read_profile
from facts.selectors.reading import Reading
from facts.selectors.view import FactView, line

__all__ = [
    "MOST_EACH_WAY",
    "MOST_IN_PROFILE",
    "Chain",
    "ExportedFact",
    "ExportedName",
    "FactFilter",
    "FactHit",
    "FactPage",
    "FactView",
    "Mark",
    "Reading",
    "SourcedFact",
    "chain_of",
    "confinement",
    "count_exported",
    "facts_ever_stated",
    "facts_of_memory",
    "find_fact",
    "line",
    "list_facts",
    "list_predicates",
    "nearest_facts",
    "page_of_facts",
    "page_of_names",
    "read_profile",
    "read_vocabulary",
    "recent_facts",
    "view_fact",
]
