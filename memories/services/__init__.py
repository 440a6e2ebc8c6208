"""Memories: writes."""

from memories.services.accounts import delete_account
from memories.services.add import add_memory
from memories.services.batch import add_batch
from memories.services.batch_run import run_batch
from memories.services.erase import Erased, erase_user
from memories.services.extract import extract_lane, extract_memory, retry_failed
from memories.services.facts_foresee import (
    Preview,
    preview_correction,
    preview_fact,
    preview_forgetting,
)
from memories.services.facts_write import WrittenFact, correct_fact, write_fact
from memories.services.forget import Forgotten, forget_memory
from memories.services.importing import (
    Entry,
    Imported,
    ImportedMemory,
    Line,
    check_lines,
    import_lines,
)
from memories.services.projects import DeletedProject, delete_project
from memories.services.purge import Purged, purge_agent
from memories.services.recalling import (
    SNIPPET,
    Hit,
    compose_context,
    read_facts,
    search_by_meaning,
    shown_score,
    shown_text,
)
from memories.services.update import update_memory

__all__ = [
    "SNIPPET",
    "DeletedProject",
    "Entry",
    "Erased",
    "Forgotten",
    "Hit",
    "Imported",
    "ImportedMemory",
    "Line",
    "Preview",
    "Purged",
    "WrittenFact",
    "add_batch",
    "add_memory",
    "check_lines",
    "compose_context",
    "correct_fact",
    "delete_account",
    "delete_project",
    "erase_user",
    "extract_lane",
    "extract_memory",
    "forget_memory",
    "import_lines",
    "preview_correction",
    "preview_fact",
    "preview_forgetting",
    "purge_agent",
    "read_facts",
    "retry_failed",
    "run_batch",
    "search_by_meaning",
    "shown_score",
    "shown_text",
    "update_memory",
    "write_fact",
]
