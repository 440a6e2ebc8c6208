"""Memories: reads. Call them inside a project's scope."""

from memories.selectors.agents import AgentPage, list_agents
from memories.selectors.batches import get_batch
from memories.selectors.contents import Contents, count_contents
from memories.selectors.context import build_context, embed_question
from memories.selectors.export import (
    ExportCounts,
    Exported,
    ExportedMemory,
    count_export,
    export_rows,
)
from memories.selectors.listing import EventsPage, MemoryPage, list_events, list_memories, live
from memories.selectors.one import HistoryEvent, get_history, get_memory
from memories.selectors.search import MemoryHit, SearchFilter, nearest_memories
from memories.selectors.users import Counted, CountedPage, list_users
from memories.selectors.why import Evidence, Source, Why, explain_fact

__all__ = [
    "AgentPage",
    "Contents",
    "Counted",
    "CountedPage",
    "EventsPage",
    "Evidence",
    "ExportCounts",
    "Exported",
    "ExportedMemory",
    "HistoryEvent",
    "MemoryHit",
    "MemoryPage",
    "SearchFilter",
    "Source",
    "Why",
    "build_context",
    "count_contents",
    "count_export",
    "embed_question",
    "explain_fact",
    "export_rows",
    "get_batch",
    "get_history",
    "get_memory",
    "list_agents",
    "list_events",
    "list_memories",
    "list_users",
    "live",
    "nearest_memories",
]
