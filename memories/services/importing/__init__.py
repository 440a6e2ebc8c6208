"""What an export holds, stored again."""

from memories.services.importing.entries import Entry, ImportedMemory, Line
from memories.services.importing.run import Imported, check_lines, import_lines

__all__ = ["Entry", "Imported", "ImportedMemory", "Line", "check_lines", "import_lines"]
