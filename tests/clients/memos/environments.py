"""Virtual environments of the MemoryOS clients, made once and kept until a pin changes."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NEW, OLD = "2.0.33", "2.0.20"
PINS = Path(__file__).with_name("requirements.txt")


def kept_in() -> Path:
    """The user's cache directory."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "korely-tests"


def environments() -> dict[str, Path]:
    """The Pythons of both versions."""
    with ThreadPoolExecutor() as pool:
        return dict(zip((NEW, OLD), pool.map(environment, (NEW, OLD)), strict=True))


def environment(version: str) -> Path:
    """The Python of an environment that has this MemoryOS and what its client imports.

    It is made beside its place and then moved there, so that runs at the same time do not meet
    half of one.
    """
    told = f"{version} {sys.version} {sys.prefix} {PINS.read_text(encoding='utf-8')}"
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    place = kept_in() / f"memos-{version}-{digest}"
    if not (place / "bin" / "python").exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"memos-{version}-", dir=place.parent))
        try:
            _make(made, version)
            shutil.rmtree(place, ignore_errors=True)  # one whose interpreter is gone
            made.rename(place)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            if not (place / "bin" / "python").exists():  # else another run was first
                raise
    return place / "bin" / "python"


def _make(place: Path, version: str) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    wanted = ["--no-deps", "--requirement", PINS, f"MemoryOS=={version}"]
    done = subprocess.run(
        [*pip, "install", "--quiet", "--root-user-action=ignore", *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
