"""A page of an export is read from where it begins, not out of everything the project holds."""

from __future__ import annotations

import random
import uuid

from tests.api_client import Box
from tests.db.test_reads_agree_with_the_core import random_rows, store_rows


def test_pages_of_facts_walk_along_an_index(box: Box) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from facts.selectors import page_of_facts
    from korely.kernel.caller import Caller
    from korely.kernel.clock import now
    from korely.kernel.tenancy import project_scope

    project = uuid.UUID(box.project["id"].removeprefix("prj_"))
    caller = Caller(organisation_id=project, project_id=project)
    chance = random.Random(3)
    for number in range(4):
        store_rows(project, f"walker-{number}", random_rows(chance))

    with project_scope(project), connection.cursor() as cursor:
        # A few rows are read quickest at once: the planner is told that they are many.
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        found, mark = [], None
        with CaptureQueriesContext(connection) as run:
            while page := page_of_facts(
                caller=caller, user_id=None, until=now(), after=mark, limit=7
            ):
                found += [fact.mark for fact in page]
                mark = page[-1].mark
        for statement in run.captured_queries:
            cursor.execute("EXPLAIN " + statement["sql"])
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert "Index Scan using fact_oldest" in plan, plan
    assert len(found) > 14
    assert found == sorted(set(found))
