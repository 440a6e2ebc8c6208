"""Management commands, run by an operator beside the tests' server."""

from __future__ import annotations

import io
import os
import subprocess
import sys

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack


def run(stack: Stack, *command: str) -> subprocess.CompletedProcess[str]:
    """One command, whatever it answers."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=CHECKOUT,
        env={**os.environ, **stack.env, "KORELY_DATA_DIR": str(stack.data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )


def manage(stack: Stack, *command: str) -> str:
    """What a command prints; it has to succeed."""
    done = run(stack, *command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(*words: str) -> str:
    """What a command prints, run in the tests' own process, where Django is set up already.

    Raises CommandError as the command does.
    """
    from django.core.management import call_command

    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()
