"""What a chain of seals holds together, and what breaks it."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.db.audit_rig import connected
from tests.db.audit_seals.chain import seals, verify

Thief = psycopg.Connection[Any]


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
