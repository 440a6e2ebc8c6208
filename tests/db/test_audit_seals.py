"""The chain of seals: what it holds together, and what breaks it."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from korely.kernel.caller import Caller
from tests.api_client import Api, Box, ok
from tests.concurrency.at_once import at_once
from tests.db.audit_rig import connected, project_of, record

Thief = psycopg.Connection[Any]


@pytest.fixture
def project(fresh: Box) -> uuid.UUID:
    """Three sealed intervals of two events or more, and two events after them."""
    from billing import services

    found = project_of(fresh.project)
    for _ in range(3):
        record(found, 2, user_id="anna", meta={"call": "list", "share": 1.50})
        assert services.seal_project(project_id=found, lag=timedelta()) is not None
    record(found, 2)
    return found


def verify(project: uuid.UUID, *options: str) -> tuple[list[str], bool]:
    """The command's lines about a project, and whether it ended well."""
    from django.core.management import CommandError, call_command

    out = StringIO()
    try:
        call_command("verify_audit", "--project", f"prj_{project.hex}", *options, stdout=out)
    except CommandError as error:
        assert "findings" in str(error), error
        return out.getvalue().splitlines(), False
    return out.getvalue().splitlines(), True


def seals(project: uuid.UUID) -> list[Any]:
    from billing.models import AuditSeal

    return list(AuditSeal.objects.filter(project_id=project).order_by("number"))


def test_an_untouched_chain_is_found_well(project: uuid.UUID) -> None:
    events = sum(seal.events for seal in seals(project))
    assert verify(project) == (
        [
            f"prj_{project.hex}: ok; 3 seals (0 of removed events), {events} events sealed,"
            " 2 not yet"
        ],
        True,
    )


def test_intervals_follow_each_other_and_a_digest_is_what_is_documented(
    stack: Stack, project: uuid.UUID
) -> None:
    first, second, third = seals(project)
    assert first.from_ts is None
    assert (second.from_ts, third.from_ts) == (first.to_ts, second.to_ts)
    assert (first.previous, second.previous) == ("", first.digest)
    with connected(stack, "app", project) as connection:
        rows = connection.execute(
            "SELECT to_jsonb(e) - 'ts' || jsonb_build_object('meta', meta::text, 'ip', ip::text,"
            " 'read_facts', read_facts::text, 'read_memories', read_memories::text), ts"
            " FROM billing_auditevent e WHERE ts > %s AND ts <= %s ORDER BY ts, id",
            [second.from_ts, second.to_ts],
        ).fetchall()
    assert len(rows) == second.events
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    micros = timedelta(microseconds=1)
    head = {
        "version": 1,
        "project": project.hex,
        "number": 2,
        "previous": first.digest,
        "from": second.from_ts.isoformat(timespec="microseconds"),
        "to": second.to_ts.isoformat(timespec="microseconds"),
    }
    lines = [head]
    lines += [{**values, "ts": (ts - epoch) // micros} for values, ts in rows]
    lines += [{"events": len(rows)}]
    text = "".join(json.dumps(x, sort_keys=True, separators=(",", ":")) + "\n" for x in lines)
    assert hashlib.sha256(text.encode()).hexdigest() == second.digest


def change_an_event(thief: Thief, project: uuid.UUID) -> None:
    changed = thief.execute(
        "UPDATE billing_auditevent SET user_id = 'bob' WHERE id = (SELECT id"
        " FROM billing_auditevent WHERE project_id = %s AND user_id = 'anna' LIMIT 1)",
        [project],
    )
    assert changed.rowcount == 1


def move_an_event(thief: Thief, project: uuid.UUID) -> None:
    """By a microsecond, within its interval."""
    thief.execute(
        "UPDATE billing_auditevent SET ts = ts - interval '1 microsecond' WHERE id = (SELECT id"
        " FROM billing_auditevent WHERE project_id = %s AND user_id = 'anna'"
        " ORDER BY ts DESC LIMIT 1)",
        [project],
    )


def remove_an_event(thief: Thief, project: uuid.UUID) -> None:
    thief.execute(
        "DELETE FROM billing_auditevent WHERE id = (SELECT id FROM billing_auditevent"
        " WHERE project_id = %s AND user_id = 'anna' LIMIT 1)",
        [project],
    )


def insert_an_event(thief: Thief, project: uuid.UUID) -> None:
    thief.execute(
        "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, meta)"
        " SELECT project_id, gen_random_uuid(), to_ts, 'rest', 'read', 'ok', '{}'"
        " FROM billing_auditseal WHERE project_id = %s AND number = 2",
        [project],
    )


def insert_an_event_before_all(thief: Thief, project: uuid.UUID) -> None:
    thief.execute(
        "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, meta)"
        " VALUES (%s, gen_random_uuid(), '0044-03-15 BC', 'rest', 'read', 'ok', '{}')",
        [project],
    )


def drop_a_seal(thief: Thief, project: uuid.UUID) -> None:
    thief.execute("DELETE FROM billing_auditseal WHERE project_id = %s AND number = 2", [project])


def drop_the_first_seal(thief: Thief, project: uuid.UUID) -> None:
    thief.execute("DELETE FROM billing_auditseal WHERE project_id = %s AND number = 1", [project])


def hide_a_removal(thief: Thief, project: uuid.UUID) -> None:
    """Remove an interval by hand and say that it was removed as it should be."""
    thief.execute(
        "DELETE FROM billing_auditevent e USING billing_auditseal s WHERE s.project_id = %s"
        " AND s.number = 2 AND e.project_id = s.project_id AND e.ts > s.from_ts"
        " AND e.ts <= s.to_ts",
        [project],
    )
    thief.execute(
        "UPDATE billing_auditseal SET removed_at = now() WHERE project_id = %s AND number = 2",
        [project],
    )


def widen_a_seal(thief: Thief, project: uuid.UUID) -> None:
    thief.execute(
        "UPDATE billing_auditseal SET to_ts = to_ts + interval '1 microsecond'"
        " WHERE project_id = %s AND number = 2",
        [project],
    )


@pytest.mark.parametrize(
    ("tamper", "finding"),
    [
        (change_an_event, "its events are not those that were sealed"),
        (move_an_event, "its events are not those that were sealed"),
        (remove_an_event, "events where"),
        (insert_an_event, "events where"),
        (insert_an_event_before_all, "events where"),
        (drop_a_seal, "seal 2: missing"),
        (drop_the_first_seal, "seal 1: missing"),
        (hide_a_removal, "seal 2: its events were removed and those of seal 1"),
        (widen_a_seal, "seal 3: does not begin where the seal before it ends"),
    ],
)
def test_whatever_is_done_to_a_sealed_interval_is_found(
    stack: Stack, project: uuid.UUID, tamper: Callable[[Thief, uuid.UUID], None], finding: str
) -> None:
    with connected(stack, "thief") as thief:
        tamper(thief, project)
    lines, well = verify(project)
    assert not well
    assert any(finding in line for line in lines[1:]), lines


def forge(stack: Stack, project: uuid.UUID) -> None:
    """Change an event and make every seal anew, as one who knows how it is done."""
    from billing.selectors.seals import fingerprint
    from korely.kernel.tenancy import project_scope

    with connected(stack, "thief") as thief:
        change_an_event(thief, project)
        previous = ""
        for seal in seals(project):
            with project_scope(project):
                digest, _ = fingerprint(
                    project_id=project,
                    number=seal.number,
                    previous=previous,
                    from_ts=seal.from_ts,
                    to_ts=seal.to_ts,
                )
            thief.execute(
                "UPDATE billing_auditseal SET digest = %s, previous = %s WHERE id = %s",
                [digest, previous, seal.id],
            )
            previous = digest


def test_a_chain_made_anew_as_a_whole_is_told_by_heads_kept_elsewhere(
    stack: Stack, project: uuid.UUID, tmp_path: Path
) -> None:
    heads, well = verify(project, "--heads")
    assert heads == [f"prj_{project.hex} 3 {seals(project)[-1].digest}"]
    assert well
    kept = tmp_path / "heads"
    kept.write_text("\n".join(heads) + "\n")
    assert verify(project, "--against", str(kept))[1]
    forge(stack, project)
    assert verify(project)[1]
    lines, well = verify(project, "--against", str(kept))
    assert not well
    assert lines[1:] == [
        f"prj_{project.hex}: seal 3: the one that was kept elsewhere is another one"
    ]


def test_the_last_seals_dropped_are_told_by_heads_kept_elsewhere(
    stack: Stack, project: uuid.UUID, tmp_path: Path
) -> None:
    from billing import services

    kept = tmp_path / "heads"
    kept.write_text("\n".join(verify(project, "--heads")[0]))
    with connected(stack, "thief") as thief:
        thief.execute("DELETE FROM billing_auditseal WHERE project_id = %s", [project])
    lines, well = verify(project, "--against", str(kept))
    assert not well
    assert "seal 3: the one that was kept elsewhere is missing" in lines[1]
    assert services.seal_project(project_id=project, lag=timedelta()) is not None
    assert not verify(project, "--against", str(kept))[1]


def test_a_long_backlog_makes_several_seals(fresh: Box) -> None:
    from billing import selectors, services

    project = project_of(fresh.project)
    record(project, 7)
    made = []
    while seal := services.seal_project(project_id=project, lag=timedelta(), most=3):
        made.append(seal.events)
    assert made[:2] == [3, 3]
    assert sum(made) == 7 + 2  # the project and its key were made
    assert selectors.verify_project(project_id=project).findings == []


def test_young_events_wait_for_the_next_round(fresh: Box) -> None:
    from billing import services

    project = project_of(fresh.project)
    assert services.seal_project(project_id=project) is None
    assert services.seal_project(project_id=project, lag=timedelta()) is not None


def test_two_that_seal_at_once_make_one_chain(fresh: Box) -> None:
    from django.db import connection

    from billing import selectors, services

    project = project_of(fresh.project)
    record(project, 20)

    def seal() -> int:
        try:
            count = 0
            while services.seal_project(project_id=project, lag=timedelta(), most=2):
                count += 1
            return count
        finally:
            connection.close()

    at_once([seal] * 4)
    while services.seal_project(project_id=project, lag=timedelta(), most=2):
        pass
    done = selectors.verify_project(project_id=project)
    assert (done.findings, done.events, done.unsealed) == ([], 22, 0)


def test_a_round_goes_through_all_projects_in_turns(fresh: Box) -> None:
    from billing import services
    from billing.selectors.seals import projects_after

    start = projects_after(None)[0]
    while services.seal_project(project_id=start) is not None:
        pass  # other tests may have left it more than a turn's work
    turns = [services.seal_all(seconds=0)]
    assert turns == [start]  # its time was over after the first
    while turns[-1] is not None:
        turns.append(services.seal_all(after=turns[-1], seconds=30))
    passed = [one for one in turns if one is not None]
    assert passed == sorted(passed)


def test_aged_intervals_go_whole_and_leave_their_seals_and_an_event(project: uuid.UUID) -> None:
    from billing import selectors, services
    from billing.models import AuditEvent
    from korely.kernel.tenancy import project_scope

    chain = seals(project)
    early = datetime(2020, 1, 1, tzinfo=UTC)
    assert services.remove_aged_audit(project_id=project, before=early) == 0
    before = chain[2].to_ts  # ends then, so is not older
    gone = services.remove_aged_audit(project_id=project, before=before)
    assert gone == chain[0].events + chain[1].events
    assert services.remove_aged_audit(project_id=project, before=before) == 0
    with project_scope(project):
        told = AuditEvent.objects.get(action="audit_remove")
        assert AuditEvent.objects.count() == chain[2].events + 2 + 1
    assert (told.actor, told.meta) == ("worker", {"first": 1, "last": 2, "events": gone})
    left = seals(project)
    assert [seal.digest for seal in left] == [seal.digest for seal in chain]
    assert [seal.removed_at is None for seal in left] == [False, False, True]
    done = selectors.verify_project(project_id=project)
    assert (done.findings, done.removed, done.events) == ([], 2, chain[2].events)


def test_an_event_slipped_into_a_removed_interval_is_found(
    stack: Stack, project: uuid.UUID
) -> None:
    from billing import services

    services.remove_aged_audit(project_id=project, before=datetime.now(UTC))
    assert verify(project)[1]
    with connected(stack, "thief") as thief:
        insert_an_event(thief, project)
    lines, well = verify(project)
    assert not well
    assert "seal 2: 1 events where all were removed" in lines[1]


def test_a_deleted_project_leaves_its_chain_alone(
    stack: Stack, project: uuid.UUID, boot: Api
) -> None:
    held = sum(seal.events for seal in seals(project)) + 2
    ok(boot.delete(f"/admin/projects/prj_{project.hex}", erase=True))
    with connected(stack, "thief") as thief:
        count = "SELECT count(*) FROM billing_auditevent WHERE project_id = %s"
        assert thief.execute(count, [project]).fetchone() == (0,)
    left = seals(project)
    assert sum(seal.events for seal in left) == held  # the last ones were sealed to be removed
    assert all(seal.removed_at is not None for seal in left)
    assert verify(project) == (
        [
            f"prj_{project.hex}: ok; {len(left)} seals ({len(left)} of removed events), 0 events"
            " sealed, 0 not yet"
        ],
        True,
    )


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


def test_beat_sends_what_the_worker_knows(stack: Stack) -> None:
    from django.conf import settings

    from korely.celery import app

    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"billing.seal_audit", "billing.age_audit"} <= scheduled
    assert scheduled <= set(app.tasks)


def test_without_a_retention_nothing_ages_and_with_one_what_is_older_does(
    stack: Stack, project: uuid.UUID
) -> None:
    from django.test import override_settings

    from billing import tasks

    before = uuid.UUID(int=project.int - 1).hex
    with connected(stack, "thief") as thief:  # as if sealed two days ago
        thief.execute(
            "UPDATE billing_auditseal SET to_ts = now() - interval '2 days'"
            " WHERE project_id = %s AND number = 1",
            [project],
        )
    tasks.age_audit(after=before)
    assert [seal.removed_at for seal in seals(project)] == [None, None, None]
    with override_settings(AUDIT_RETENTION_DAYS=3):
        tasks.age_audit(after=before)
    assert [seal.removed_at for seal in seals(project)] == [None, None, None]
    with override_settings(AUDIT_RETENTION_DAYS=1):
        tasks.age_audit(after=before)
    assert [seal.removed_at is None for seal in seals(project)] == [False, True, True]


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
