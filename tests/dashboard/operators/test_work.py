"""Work that is stuck and memories that failed, seen and put back to work."""

from __future__ import annotations

import uuid

from korely.embedded.stack import Stack
from tests.api_client import Box, wait_for
from tests.dashboard.operators.ground import change, project_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor


def put_work(house: Stack, project: str, kind: str) -> str:
    """A row that failed three times with a ValueError, due in an hour; its target is gone."""
    row = uuid.uuid4()
    change(
        house,
        "INSERT INTO work_work (id, project_id, kind, target_id, lane, attempts, next_attempt_at,"
        " nudged_at, created_at, failure) VALUES (%s, %s, %s, %s, 1, 3, now() + interval '1 hour',"
        " now(), now() - interval '2 days', 'ValueError')",
        row,
        project,
        kind,
        uuid.uuid4(),
    )
    return str(row)


def left(house: Stack, row: str) -> list[tuple[object, ...]]:
    return rows(house, "SELECT attempts, failure FROM work_work WHERE id = %s", row)


def test_stuck_work_is_listed_and_put_back_to_work(
    house: Stack, operator: Visitor, box: Box
) -> None:
    row = put_work(house, project_of(box), "extract")
    shown = operator.text("/ops/work/")
    assert f"{box.project['name']} 3 ValueError 2 days ago" in shown
    assert "Due now" not in shown
    done = operator.post(f"/ops/work/{row}/retry/", page="/ops/work/", follow_redirects=True)
    assert "It is due now." in done.text
    wait_for("the worker to drop what is gone", lambda: left(house, row) == [])
    again = operator.post(f"/ops/work/{row}/retry/", page="/account/logout/", follow_redirects=True)
    assert "It is done already" in again.text


def test_deliveries_are_left_to_their_own_page(house: Stack, operator: Visitor, box: Box) -> None:
    row = put_work(house, project_of(box), "webhook")
    try:
        page = operator.get("/ops/work/")
        assert box.project["name"] in page.text
        assert f"/ops/work/{row}/retry/" not in page.text
        operator.post(f"/ops/work/{row}/retry/", page="/account/logout/")
        assert left(house, row) == [(3, "ValueError")]
    finally:
        change(house, "DELETE FROM work_work WHERE id = %s", row)


def test_a_failed_memory_is_extracted_again(house: Stack, operator: Visitor, box: Box) -> None:
    other = Box(box.boot)
    texts = [one.api.told("I live in Lisbon.", "u") for one in (box, other)]
    for one in (box, other):
        failing = "UPDATE memories_memory SET status = 'error', failure = 'ValueError'"
        change(house, failing, project=project_of(one))
    both = operator.text("/ops/failed/")
    assert all(text["id"] in both for text in texts)
    page = f"/ops/failed/?project={box.project['id']}"
    assert texts[1]["id"] not in operator.text(page)
    sent = {"project": box.project["id"]}
    done = operator.post("/ops/failed/retry/", sent, page=page, follow_redirects=True)
    assert "Extracted again: 1." in done.text

    def status(one: Box, text: dict[str, str]) -> str:
        return str(one.api.get(f"/v1/memories/{text['id']}").json()["status"])

    wait_for("the worker to read it", lambda: status(box, texts[0]) == "ready")
    assert status(other, texts[1]) == "error"
    done = operator.post("/ops/failed/retry/", {}, page="/ops/failed/", follow_redirects=True)
    assert "Extracted again:" in done.text
    wait_for("the worker to read the other", lambda: status(other, texts[1]) == "ready")
    query = "SELECT failure FROM memories_memory WHERE project_id = %s"
    assert rows(house, query, project_of(other)) == [(None,)]
    assert "No memory's extraction has failed in this project" in operator.text(page)


def test_nobody_else_puts_anything_back_to_work(house: Stack, gathered: Team, box: Box) -> None:
    row = put_work(house, project_of(box), "extract")
    try:
        for path in (f"/ops/work/{row}/retry/", "/ops/failed/retry/"):
            answer = gathered.owner.post(path, page="/account/logout/", follow_redirects=True)
            assert answer.status_code == 404
        assert left(house, row) == [(3, "ValueError")]
    finally:
        change(house, "DELETE FROM work_work WHERE id = %s", row)


def test_what_is_stuck_is_found_by_indexes_among_very_much_that_waits(stack: Stack) -> None:
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    from accounts.models import Project
    from korely.work import selectors

    project = Project.objects.order_by("created_at").first()
    assert project is not None
    with transaction.atomic(), connection.cursor() as cursor:
        # Every 400th failed; all of the older half is late. Nobody else sees any of it.
        cursor.execute(
            "INSERT INTO work_work (id, project_id, kind, target_id, lane, attempts,"
            " next_attempt_at, nudged_at, created_at, failure)"
            " SELECT gen_random_uuid(), %s, 'extract', gen_random_uuid(), n,"
            " CASE WHEN n %% 400 = 0 THEN 3 ELSE n %% 2 END,"
            " now() + CASE WHEN n > 10000 THEN - interval '1 hour' - n * interval '1 second'"
            " ELSE interval '1 hour' END,"
            " now(), now() - n * interval '1 second', NULL FROM generate_series(1, 20000) n",
            [project.id],
        )
        with CaptureQueriesContext(connection) as asked:
            found = selectors.stuck(most=50)
        plan = ""
        for one in list(asked.captured_queries):
            cursor.execute(f"EXPLAIN {one['sql']}")
            plan += "\n".join(line for (line,) in cursor.fetchall())
        transaction.set_rollback(True)
    assert "Seq Scan on work_work" not in plan, plan
    assert "work_failed" in plan, plan
    assert "work_due" in plan, plan
    assert len(found) == 50
    assert [row.created_at for row in found] == sorted(row.created_at for row in found)
    assert {row.attempts for row in found} == {0, 1, 3}
