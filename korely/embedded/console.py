"""Lines for the person at the terminal. A closed terminal never disturbs the group."""

import contextlib
import sys


def say(line: str) -> None:
    """Print one line at once; a reader that went away is ignored."""
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


def complain(line: str) -> None:
    """Print one line to standard error."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)
