"""What stays of intervals and projects that are gone."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from korely.embedded.stack import Stack
from tests.api_client import Api, ok
from tests.db.audit_rig import connected
from tests.db.audit_seals.chain import seals, verify


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
