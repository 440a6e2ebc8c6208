"""Lines for the person at the terminal. A closed terminal never disturbs the group."""

import io
import os
import sys
from typing import TextIO


def use_any_encoding() -> None:
    """Let every path be printed, whatever the terminal's encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Print one line at once."""
    _print(line, sys.stdout)


def complain(line: str) -> None:
    """Print one line to standard error."""
    _print(line, sys.stderr)


def _print(line: str, stream: TextIO) -> None:
    try:
        print(line, file=stream, flush=True)
    except OSError:
        # The reader went away; what is still buffered must not fail the exit either.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
