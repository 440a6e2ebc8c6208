"""What the command takes, and what totals make of sealed intervals."""

from __future__ import annotations

import uuid
from io import StringIO
from pathlib import Path

import pytest

from korely.kernel.caller import Caller
from tests.db.audit_seals.chain import seals


def test_the_command_takes_only_what_it_can_read(project: uuid.UUID, tmp_path: Path) -> None:
    from django.core.management import CommandError, call_command

    odd = tmp_path / "odd"
    odd.write_text("prj_1 2 3\n")
    for options in (
        ["--project", "nothing"],
        ["--project", uuid.uuid4().hex],
        ["--against", str(odd)],
        ["--against", str(tmp_path / "absent")],
    ):
        with pytest.raises(CommandError):
            call_command("verify_audit", *options, stdout=StringIO())


def test_totals_take_sealed_intervals_as_counted_whatever_the_bounds(project: uuid.UUID) -> None:
    from billing import selectors, services

    caller = Caller(organisation_id=uuid.uuid4(), project_id=project)

    def agree() -> None:
        listed = selectors.list_audit(caller=caller, limit=1000, offset=0)
        assert listed.total == len(listed.events)
        moments = [event.ts for event in listed.events]
        edges = [seal.to_ts for seal in seals(project)]
        bounds = [None, *moments[::2], *edges]
        for since in bounds:
            for until in bounds:
                page = selectors.list_audit(
                    caller=caller, since=since, until=until, limit=1, offset=0
                )
                within = [
                    ts
                    for ts in moments
                    if (since is None or ts >= since) and (until is None or ts <= until)
                ]
                assert page.total == len(within), (since, until)

    agree()
    services.remove_aged_audit(project_id=project, before=seals(project)[1].to_ts)
    agree()
