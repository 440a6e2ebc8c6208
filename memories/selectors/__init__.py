"""Memories: reads. Call them inside a project's scope."""

from memories.selectors.context import build_context, embed_question
from memories.selectors.listing import EventsPage, MemoryPage, list_events, list_memories, live
from memories.selectors.one import HistoryEvent, get_history, get_memory
from memories.selectors.search import MemoryHit, SearchFilter, nearest_memories

__all__ = [
    "EventsPage",
    "HistoryEvent",
    "MemoryHit",
    "MemoryPage",
    "SearchFilter",
    "build_context",
    "embed_question",
    "get_history",
    "get_memory",
    "list_events",
    "list_memories",
    "live",
    "nearest_memories",
]
