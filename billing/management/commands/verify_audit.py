"""Check the audit log against its seals."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from billing import selectors
from korely.kernel import ids

_HEAD = re.compile(r"prj_([0-9a-f]{32}) ([0-9]{1,9}) ([0-9a-f]{64})")
_Heads = dict[uuid.UUID, dict[int, str]]


class Command(BaseCommand):
    help = (
        "Compute every seal of the audit log anew and follow each project's chain. One line a"
        " project, then what was found; exit code 1 when anything was. What was written since the"
        " last seal is counted, not checked."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", help="this project only (prj_… or its bare UUID)")
        parser.add_argument(
            "--heads", action="store_true", help="print the newest seal of each chain, to be kept"
        )
        parser.add_argument(
            "--against", type=Path, metavar="FILE", help="a file of heads printed earlier"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        only = _project(options["project"])
        if options["heads"]:
            for project_id, number, digest in selectors.chain_heads(only):
                self.stdout.write(f"{ids.wire(ids.PROJECT, project_id)} {number} {digest}")
            return
        heads = _read_heads(options["against"], only)
        projects = sorted({*selectors.sealed_or_existing(only), *heads})
        if only is not None and not projects:
            raise CommandError("no such project, and no seal of one")
        faults = sum(self._verify(project_id, heads) for project_id in projects)
        if faults:
            raise CommandError(f"{faults} findings")

    def _verify(self, project_id: uuid.UUID, heads: _Heads) -> int:
        done = selectors.verify_project(project_id=project_id, heads=heads.get(project_id))
        name = ids.wire(ids.PROJECT, project_id)
        state = f"{len(done.findings)} findings" if done.findings else "ok"
        self.stdout.write(
            f"{name}: {state}; {done.seals} seals ({done.removed} of removed events),"
            f" {done.events} events sealed, {done.unsealed} not yet"
        )
        for finding in done.findings:
            self.stdout.write(f"{name}: {finding}")
        return len(done.findings)


def _project(text: str | None) -> uuid.UUID | None:
    if text is None:
        return None
    found = ids.parse(ids.PROJECT, text)
    if found is None:
        raise CommandError("--project is prj_ and 32 hex digits, or a UUID")
    return found


def _read_heads(file: Path | None, only: uuid.UUID | None) -> _Heads:
    """Project to number to digest, from lines that `--heads` printed."""
    found: _Heads = {}
    for line in _lines(file):
        head = _HEAD.fullmatch(line)
        if head is None:
            raise CommandError(f"{file} has a line that --heads did not print")
        project_id = uuid.UUID(head.group(1))
        if only in (None, project_id):
            found.setdefault(project_id, {})[int(head.group(2))] = head.group(3)
    return found


def _lines(file: Path | None) -> Iterable[str]:
    if file is None:
        return ()
    try:
        return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from None
