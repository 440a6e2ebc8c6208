"""Where settings come from: the process environment, then the embedded install's env file."""

from __future__ import annotations

import os
from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent.parent

env = environ.Env()


def data_directory() -> Path:
    """KORELY_DATA_DIR, or `.korely` beside the code."""
    given = os.environ.get("KORELY_DATA_DIR")
    return Path(given) if given else BASE_DIR / ".korely"


def _embedded_file() -> Path:
    return data_directory() / "env"


if "DATABASE_URL" not in os.environ:
    try:
        readable = _embedded_file().is_file()
    except OSError:
        readable = False
    if readable:
        environ.Env.read_env(_embedded_file())
