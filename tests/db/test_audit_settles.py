"""What a read of the audit log shows while transactions that write events are under way."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from korely.embedded.stack import Stack
from korely.kernel.caller import Caller, Worker
from tests.api_client import Box, wait_for
from tests.db.audit_rig import connected, project_of, record


@pytest.fixture
def project(fresh: Box) -> uuid.UUID:
    return project_of(fresh.project)


@contextmanager
def writing(project: uuid.UUID) -> Iterator[Callable[[], str]]:
    """A transaction that has written an event and stays open until called; its `aud_` id."""
    from django.db import connection

    from billing import services
    from korely.kernel.tenancy import project_scope

    written, go = threading.Event(), threading.Event()

    def write() -> str:
        try:
            with project_scope(project):
                made = services.record(Worker(project), "write", user_id="slow")
                written.set()
                assert go.wait(60)
            return made
        finally:
            connection.close()

    def finish() -> str:
        go.set()
        return future.result(60)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(write)
        assert written.wait(60)
        try:
            yield finish
        finally:
            go.set()


def shown(project: uuid.UUID, **query: datetime | None) -> list[str]:
    from billing import selectors

    caller = Caller(organisation_id=uuid.uuid4(), project_id=project)
    page = selectors.list_audit(caller=caller, limit=1000, offset=0, **query)
    assert page.total == len(page.events)
    return [f"aud_{event.id.hex}" for event in page.events]


def is_waited_for(stack: Stack) -> bool:
    with connected(stack, "owner") as connection:
        return bool(
            connection.execute(
                "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            ).fetchone()
        )


def test_the_clock_is_read_once_nobody_asks_whether_all_is_there(
    stack: Stack, project: uuid.UUID
) -> None:
    from billing.audit_lock import audit_lane
    from billing.models import AuditEvent
    from korely.kernel.tenancy import project_scope

    with connected(stack, "app") as connection, ThreadPoolExecutor(1) as pool:
        connection.execute("SELECT pg_advisory_lock(%s)", [audit_lane(project)])
        future = pool.submit(record, project, 1, user_id="late")
        wait_for("the writer", lambda: is_waited_for(stack))
        (moment,) = connection.execute("SELECT clock_timestamp()").fetchone()
        connection.execute("SELECT pg_advisory_unlock(%s)", [audit_lane(project)])
        future.result(60)
    with project_scope(project):
        assert AuditEvent.objects.get(user_id="late").ts > moment


def test_a_read_waits_for_a_write_under_way_and_shows_it(stack: Stack, project: uuid.UUID) -> None:
    with writing(project) as finish, ThreadPoolExecutor(1) as pool:
        future = pool.submit(shown, project)
        wait_for("the reader", lambda: is_waited_for(stack))
        slow = finish()
        assert future.result(60)[0] == slow


def test_behind_a_slow_write_a_read_shows_what_cannot_change_any_more(project: uuid.UUID) -> None:
    (early,) = record(project)
    with writing(project) as finish:
        (late,) = record(project)
        began = time.monotonic()
        first = shown(project)
        assert time.monotonic() - began < 10
        assert first[0] == early
        slow = finish()
    assert shown(project) == [late, slow, *first]


def test_an_older_bound_needs_no_wait(project: uuid.UUID) -> None:
    record(project)
    with writing(project) as finish:
        began = time.monotonic()
        assert shown(project, until=datetime.now(UTC) - timedelta(hours=1)) == []
        assert time.monotonic() - began < 0.9
        finish()


def test_a_seal_leaves_out_what_is_not_settled(project: uuid.UUID) -> None:
    from billing import selectors, services

    before = len(record(project, 2)) + len(shown(project)) - 2
    with writing(project) as finish:
        record(project)
        seal = services.seal_project(project_id=project, lag=timedelta())
        assert seal is not None
        assert seal.events == before
        assert services.seal_project(project_id=project, lag=timedelta()) is None
        finish()
    again = services.seal_project(project_id=project, lag=timedelta())
    assert again is not None
    assert again.events == 2
    done = selectors.verify_project(project_id=project)
    assert (done.findings, done.events, done.unsealed) == ([], before + 2, 0)
