"""deploy/environment.sh, which every make target begins with."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from korely.embedded.options import CHECKOUT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with one file of pins, none in it, on a path with a space."""
    top = tmp_path / "check out"
    (top / "deploy").mkdir(parents=True)
    shutil.copy(CHECKOUT / "deploy" / "environment.sh", top / "deploy")
    (top / "pins.txt").touch()
    return top


def set_up(tree: Path, python: str = "", path: str | None = None) -> tuple[int, str]:
    outcome = subprocess.run(
        ["/bin/sh", tree / "deploy" / "environment.sh", python, "pins.txt"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=None if path is None else {"PATH": path},
    )
    return outcome.returncode, outcome.stdout + outcome.stderr


def test_a_python_that_is_too_old_is_named(tree):
    old = tree / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert set_up(tree, str(old)) == (1, f"PYTHON={old} is no Python 3.11 or newer\n")
    assert not (tree / ".venv").exists()


def test_no_python_at_all_is_said(tree):
    needed = tree / "bin"
    needed.mkdir()
    for name in ("cat", "cksum", "dirname"):
        (needed / name).symlink_to(shutil.which(name))
    code, output = set_up(tree, path=str(needed))
    assert code == 1
    assert output.startswith("Python 3.11 or newer is needed")


def test_packages_are_installed_once_and_again_when_the_pins_change(tree):
    python = tree / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    assert set_up(tree)[1] == "installing the packages of pins.txt (once)\n"
    assert set_up(tree) == (0, "")
    (tree / "pins.txt").write_text("./nowhere\n")
    code, output = set_up(tree)
    assert code == 1
    assert "the packages of pins.txt could not be installed" in output
    (tree / "pins.txt").write_text("")
    assert set_up(tree) == (0, "")  # what failed is not taken for installed
