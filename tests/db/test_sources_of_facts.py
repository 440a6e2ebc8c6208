"""A memory is a fact's source once, however often it is read."""

from __future__ import annotations

import uuid

from tests.api_client import Box, ok


def test_a_text_changed_and_changed_back_is_one_source_again(fresh: Box, uid: str) -> None:
    from facts.models import FactSource
    from korely.kernel.tenancy import project_scope

    api, project = fresh.api, uuid.UUID(fresh.project["id"].removeprefix("prj_"))
    api.told("I love mangos.", uid)
    made = api.told("I love mangos.", uid)
    memory = uuid.UUID(made["id"].removeprefix("mem_"))

    def rows() -> list[tuple[uuid.UUID, int, bool]]:
        with project_scope(project):
            found = FactSource.objects.filter(memory_id=memory)
            return [(row.fact_id, row.span_start, row.withdrawn_at is None) for row in found]

    [(fact, start, stands)] = rows()
    assert stands
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": "Nothing to say."}))
    api.settle(uid)
    assert rows() == [(fact, start, False)]
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": "Well. I love mangos."}))
    api.settle(uid)
    [(again, later, stands)] = rows()
    assert (again, stands) == (fact, True)
    assert later > start  # the evidence is where the new text says it
