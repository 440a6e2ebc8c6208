"""Conversations as memories: which texts, which tools. Pure: no database, no model."""

from memories.conversation.said import Call, Role, Said
from memories.conversation.texts import Text, as_texts, first_line, unlabelled
from memories.conversation.tools import ToolText, as_tools

__all__ = [
    "Call",
    "Role",
    "Said",
    "Text",
    "ToolText",
    "as_texts",
    "as_tools",
    "first_line",
    "unlabelled",
]
