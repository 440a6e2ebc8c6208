"""How far an export or import is, on standard error."""

from __future__ import annotations

import io
import sys

import pytest

from korely.embedded.stack import Stack


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_a_bar_that_goes_away(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    from korely.rest.transfer.operating import Progress

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("import", total=None, unit="records") as progress:
        progress.aim(4)
        progress.add(4)
    assert "import:" in screen.getvalue()
    assert "/4" in screen.getvalue()
    assert screen.getvalue().rstrip(" ").endswith("\r")


def test_anything_else_is_told_a_line_now_and_then(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    from korely.rest.transfer import operating

    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with operating.Progress("export", total=3_000, unit="lines") as progress:
        progress.add(1_000)
        assert log.getvalue() == ""
        monkeypatch.setattr(operating.time, "monotonic", lambda: float("inf"))
        progress.add(1_000)
    assert log.getvalue() == "export: 2,000 of 3,000 lines\n"
