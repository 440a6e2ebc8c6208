"""When intervals are sealed, by whom, and how long they are."""

from __future__ import annotations

from datetime import timedelta

from korely.embedded.stack import Stack
from tests.api_client import Box
from tests.concurrency.at_once import at_once
from tests.db.audit_rig import project_of, record


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


def test_beat_sends_what_the_worker_knows(stack: Stack) -> None:
    from django.conf import settings

    from korely.celery import app

    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"billing.seal_audit", "billing.age_audit"} <= scheduled
    assert scheduled <= set(app.tasks)
