"""export_project and import_project as tests run them, in their own process."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@dataclass
class Told:
    """What a command says. `error` and `code` are those it failed with."""

    out: str
    err: str
    error: str | None = None
    code: int = 0


def call(*words: str) -> Told:
    from django.core.management import CommandError, call_command

    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*words, stdout=out, stderr=err)
    except CommandError as error:
        return Told(out.getvalue(), err.getvalue(), str(error), error.returncode)
    return Told(out.getvalue(), err.getvalue())


def bring_in(project: str, file: Path, *options: str) -> tuple[dict[str, Any], Told]:
    """The report of an import, and what it says beside."""
    report = file.parent / f"{file.name}.report"
    if file.parent == DATA:
        raise AssertionError("give it a file of the test's own folder")
    told = call("import_project", project, str(file), "--report", str(report), *options)
    return json.loads(report.read_text()), told
