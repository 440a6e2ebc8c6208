"""Files that are at an address, fetched by the worker."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from korely.kernel import outbound
from memories.knowledge import formats
from memories.knowledge.blocks import Unreadable
from memories.models import KnowledgeFile

MOST_FILE = 104_857_600  # bytes; contract, section 8
SECONDS = 120.0


def fetch_file(file: KnowledgeFile, path: Path) -> str | None:
    """Fetch a file; its format, None for none that is read.

    The format is what it was called when it was added, else what the answer says, else what its
    first bytes tell.

    Raises:
        Unreadable: it cannot be had.
        NotFetched: it may be had another time.
    """
    try:
        with path.open("wb") as into:
            got = outbound.fetch(
                str(file.url),
                into,
                most=MOST_FILE,
                seconds=SECONDS,
                allow_private=settings.KORELY_WEBHOOK_ALLOW_PRIVATE,
            )
    except outbound.NotFetched as error:
        if error.again:
            raise
        raise Unreadable(str(error)) from None
    with path.open("rb") as start:
        head = start.read(formats.HEAD)
    return file.form or formats.named(got.media) or formats.sniffed(head)
