"""The audit log at /ops/: a project's, by index alone, however long it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box
from tests.dashboard.operators.ground import project_of
from tests.dashboard.visitor import Visitor, words

MANY = 60_000


def test_events_are_shown_newest_first_and_paged_by_key(operator: Visitor, box: Box) -> None:
    for number in range(3):
        box.api.add(f"Number {number}.", user_id=f"<img onerror=x> {number}")
    path = f"/ops/audit/?project={box.project['id']}"
    page = operator.get(path)
    assert page.status_code == 200
    assert "<img onerror" not in page.text
    shown = words(page)
    order = [shown.index(f"<img onerror=x> {number}") for number in (2, 1, 0)]
    assert order == sorted(order)
    assert shown.count(" write ") == 3
    assert " write " not in words(operator.get(f"{path}&action=read"))
    today = datetime.now(UTC).date()
    assert words(operator.get(f"{path}&since={today}&until={today}")).count(" write ") == 3
    ended = operator.get(f"{path}&until={today - timedelta(days=1)}")
    assert "No event matches" in words(ended)


@pytest.mark.parametrize("query", ["project=", "project=prj_1", "project=x&since=soon"])
def test_what_cannot_be_read_is_told(operator: Visitor, query: str) -> None:
    assert operator.get(f"/ops/audit/?{query}").status_code in (400, 404)


def test_a_long_log_is_opened_by_its_index_and_never_counted(
    house: Stack, operator: Visitor, box: Box
) -> None:
    project = project_of(box)
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(f"SET LOCAL korely.project_id = '{project}'")
        connection.execute(
            "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, meta)"
            " SELECT %s, gen_random_uuid(), now() - n * interval '1 second', 'rest', 'read', 'ok',"
            " '{}' FROM generate_series(1, %s) n",
            [project, MANY],
        )
    with psycopg.connect(house.env["DATABASE_OWNER_URL"], autocommit=True) as connection:
        connection.execute("ANALYZE billing_auditevent")
    first = f"/ops/audit/?project={project}"
    page = operator.get(first)
    assert page.text.count('<th scope="row">') == 50
    older = page.text.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0]
    deep = operator.get(f"/ops/audit/{older.replace('&amp;', '&')}")
    assert deep.status_code == 200
    assert 'rel="prev"' in deep.text
    took = []
    for _ in range(5):
        began = time.perf_counter()
        assert operator.get(first).status_code == 200
        took.append(time.perf_counter() - began)
    assert min(took) < 0.15
    with psycopg.connect(house.env["DATABASE_OPS_URL"]) as connection:
        plan = "\n".join(
            line
            for (line,) in connection.execute(
                "EXPLAIN SELECT * FROM billing_auditevent WHERE project_id = %s"
                " ORDER BY ts DESC, id DESC LIMIT 51",
                [project],
            )
        )
    assert "Index Scan" in plan
    assert "Sort" not in plan.replace("Sort Key", "")
