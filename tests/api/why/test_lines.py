"""GET /v1/facts/{fact_id}/why: lines that are long, crossed or circular."""

from __future__ import annotations

import uuid

import pytest

from tests.api.lines import imported
from tests.api.oracle import WatchedBox
from tests.api.why.asking import HEADER, ended, why
from tests.api_client import Api, ok, unique
from tests.fact_calls import write


def test_a_circle_of_facts_is_followed_once(fresh: WatchedBox) -> None:
    """Only an import can bring one: two facts that ended each other, and one that they ended."""
    one, two, three = (f"fct_{uuid.uuid4().hex}" for _ in range(3))
    lines = [
        ended(id=one, invalidated_by=two, user_id="u"),
        ended(id=two, invalidated_by=one, user_id="u"),
        ended(id=three, invalidated_by=one, user_id="u"),
    ]
    imported(fresh.api, [HEADER, *lines])
    for fact in (one, two, three):
        found = why(fresh.api, fact)
        assert {link["id"] for link in found["chain"]} == {one, two, three}
        assert len(found["chain"]) == 3
        assert not found["truncated"]
    itself = f"fct_{uuid.uuid4().hex}"
    imported(fresh.api, [HEADER, ended(id=itself, invalidated_by=itself, user_id="u")])
    assert [link["id"] for link in why(fresh.api, itself)["chain"]] == [itself]


def test_facts_of_another_end_user_are_no_part_of_a_line(fresh: WatchedBox) -> None:
    """Only an import can say that one user's fact ended another's."""
    theirs = write(fresh.api, "Bob", "lives_in", "Atlantis", user_id="bob")
    mine, missing = (f"fct_{uuid.uuid4().hex}" for _ in range(2))
    lines = [
        ended(id=mine, invalidated_by=theirs["id"], user_id="ann"),
        ended(id=missing, invalidated_by=f"fct_{uuid.uuid4().hex}", user_id="ann"),
    ]
    imported(fresh.api, [HEADER, *lines])
    answer = fresh.key(users=["ann"]).get(f"/v1/facts/{mine}/why")
    assert "Atlantis" not in answer.text
    assert ok(answer)["ended"]["by"] is None
    assert [link["id"] for link in ok(answer)["chain"]] == [mine]
    found = why(fresh.api, theirs["id"])
    assert (found["superseded"], len(found["chain"])) == ([], 1)
    assert why(fresh.api, missing)["ended"]["by"] is None


@pytest.mark.parametrize(("asked", "shown"), [(0, 51), (60, 101), (119, 51)])
def test_a_long_line_is_cut_to_the_nearest_facts(
    long_line: tuple[Api, list[str]], asked: int, shown: int
) -> None:
    api, ids = long_line
    found = why(api, ids[asked])
    assert found["truncated"]
    least = max(0, asked - 50)
    assert [link["id"] for link in found["chain"]] == ids[least : least + shown]


@pytest.fixture(scope="module")
def long_line(box: WatchedBox) -> tuple[Api, list[str]]:
    ids = [f"fct_{uuid.uuid4().hex}" for _ in range(120)]
    uid = unique("long")
    lines = [
        ended(
            id=fact,
            user_id=uid,
            valid_from=f"{1900 + number}-01-01",
            invalid_at=f"{1901 + number}-01-01",
            invalidated_by=None if number == 119 else ids[number + 1],
        )
        for number, fact in enumerate(ids)
    ]
    imported(box.api, [HEADER, *lines])
    return box.api, ids


def test_an_answer_takes_a_few_statements_however_long_the_line(
    long_line: tuple[Api, list[str]], box: WatchedBox
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope
    from memories.selectors import explain_fact

    project = uuid.UUID(box.project["id"][4:])
    caller = Caller(organisation_id=uuid.uuid4(), project_id=project)
    with project_scope(project), CaptureQueriesContext(connection) as asked:
        found = explain_fact(caller=caller, fact_id=uuid.UUID(long_line[1][60][4:]))
    assert len(found.chain.facts) == 101
    assert len(asked) == 2
