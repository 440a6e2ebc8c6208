"""Memories, the messages they came from, batches of memories to come."""

from memories.models.batches import Batch, BatchItem
from memories.models.conversations import Message, Task
from memories.models.memories import Memory, MemoryTerm, MemoryVector

__all__ = ["Batch", "BatchItem", "Memory", "MemoryTerm", "MemoryVector", "Message", "Task"]
