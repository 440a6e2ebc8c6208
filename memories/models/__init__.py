"""Memories, the messages they came from, batches of memories to come, knowledge bases."""

from memories.models.batches import Batch, BatchItem
from memories.models.conversations import Message, Task
from memories.models.knowledge import (
    Chunk,
    ChunkTerm,
    ChunkVector,
    FilePiece,
    KnowledgeBase,
    KnowledgeFile,
)
from memories.models.memories import Memory, MemoryTerm, MemoryVector

__all__ = [
    "Batch",
    "BatchItem",
    "Chunk",
    "ChunkTerm",
    "ChunkVector",
    "FilePiece",
    "KnowledgeBase",
    "KnowledgeFile",
    "Memory",
    "MemoryTerm",
    "MemoryVector",
    "Message",
    "Task",
]
