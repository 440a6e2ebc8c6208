"""What each call takes, in the order in which its fields are judged."""

from korely.openmem.requests.adding import add_feedback, add_message
from korely.openmem.requests.deleting import delete_memory
from korely.openmem.requests.getting import get_memory, get_message, get_status
from korely.openmem.requests.searching import chat, search_memory

__all__ = [
    "add_feedback",
    "add_message",
    "chat",
    "delete_memory",
    "get_memory",
    "get_message",
    "get_status",
    "search_memory",
]
