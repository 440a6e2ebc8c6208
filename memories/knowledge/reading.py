"""One document read in a process of its own, which may be as hostile as it likes.

The process has bounds of memory, of CPU time and of what it writes, none of the service's
settings, and gives back texts; its parent ends it when it takes too long.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from memories.knowledge import formats
from memories.knowledge.blocks import Block, Unreadable
from memories.knowledge.chunks import cut
from memories.knowledge.docx import read_docx
from memories.knowledge.markup import read_html, read_xml
from memories.knowledge.pdf import read_pdf
from memories.knowledge.plain import read_json, read_md, read_txt

READERS: dict[str, Callable[[Path], Iterator[Block]]] = {
    formats.TXT: read_txt,
    formats.MD: read_md,
    formats.JSON: read_json,
    formats.XML: read_xml,
    formats.HTML: read_html,
    formats.PDF: read_pdf,
    formats.DOCX: read_docx,
}

MOST_MEMORY = 2_147_483_648  # bytes of address space
MOST_WRITTEN = 1_073_741_824  # bytes
CPU_SECONDS, SECONDS = 120, 180.0

_UNREADABLE = 3  # exit status
_ROOT = Path(__file__).resolve().parents[2]


def texts_of(path: Path, form: str, into: Path, *, seconds: float = SECONDS) -> Iterator[str]:
    """The texts of a document, in order, once all of them are in the file `into`.

    Raises:
        Unreadable: it has none, cannot be read, or reading it took more than it may take.
    """
    command = [sys.executable, "-m", "memories.knowledge", form, str(path), str(into)]
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the command is made here
            command,
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable("takes too long to read") from None
    if done.returncode != 0:
        raise Unreadable("cannot be read")
    with into.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_document(form: str, path: Path, into: Path) -> int:
    """In the process: write the texts, a line of JSON each; the exit status."""
    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, MOST_WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    found = 0
    try:
        with into.open("w", encoding="utf-8") as file:
            for text in cut(READERS[form](path)):
                file.write(json.dumps(text) + "\n")
                found += 1
    except (Unreadable, MemoryError, RecursionError):
        return _UNREADABLE
    return 0 if found else _UNREADABLE
