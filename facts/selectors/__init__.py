"""Facts: reads. Call them inside a project's scope."""

from facts.selectors.chain import MOST_EACH_WAY, Chain, chain_of
from facts.selectors.effects import Effect, Effects, effects_of_memory
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
from facts.selectors.reasons import RULES, ending
from facts.selectors.some import view_facts
from facts.selectors.timeline_filter import TimelineFilter
from facts.selectors.timelines import (
    MOST_ENTRIES,
    Entry,
    EntryPage,
    Timeline,
    TimelinePage,
    list_timelines,
    read_timeline,
)
from facts.selectors.view import FactView, line

__all__ = [
    "MOST_EACH_WAY",
    "MOST_ENTRIES",
    "MOST_IN_PROFILE",
    "RULES",
    "Chain",
    "Effect",
    "Effects",
    "Entry",
    "EntryPage",
    "ExportedFact",
    "ExportedName",
    "FactFilter",
    "FactHit",
    "FactPage",
    "FactView",
    "Mark",
    "Reading",
    "SourcedFact",
    "Timeline",
    "TimelineFilter",
    "TimelinePage",
    "chain_of",
    "confinement",
    "count_exported",
    "effects_of_memory",
    "ending",
    "facts_ever_stated",
    "facts_of_memory",
    "find_fact",
    "line",
    "list_facts",
    "list_predicates",
    "list_timelines",
    "nearest_facts",
    "page_of_facts",
    "page_of_names",
    "read_profile",
    "read_timeline",
    "read_vocabulary",
    "recent_facts",
    "view_fact",
    "view_facts",
]
