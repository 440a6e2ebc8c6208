"""Keeps each log file bounded while its program goes on writing to it."""

import shutil
from contextlib import suppress
from pathlib import Path

LIMIT_BYTES = 5_000_000


def trim_logs(directory: Path) -> None:
    """Move what a log above LIMIT_BYTES holds to `<name>.1` and empty it.

    The programs append to the open file, so it is copied and cut rather than renamed; the few
    lines written in between are lost.
    """
    for log in directory.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size > LIMIT_BYTES:
                shutil.copy2(log, log.with_name(f"{log.name}.1"))
                with log.open("r+b") as file:
                    file.truncate(0)
