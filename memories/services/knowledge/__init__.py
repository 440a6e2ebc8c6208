"""Knowledge bases: writes, and the worker's side of them."""

from memories.services.knowledge.bases import create_base, delete_base, hold_bases
from memories.services.knowledge.files import PIECE, Incoming, Readable, add_files, delete_files
from memories.services.knowledge.running import run_files

__all__ = [
    "PIECE",
    "Incoming",
    "Readable",
    "add_files",
    "create_base",
    "delete_base",
    "delete_files",
    "hold_bases",
    "run_files",
]
