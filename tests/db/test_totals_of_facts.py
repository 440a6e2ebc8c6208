"""`total` is what a walk over all pages of a read would find, however it is counted."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api_client import Box
from tests.db.test_reads_agree_with_the_core import day, random_rows, store_rows

FILTERS: list[dict[str, Any]] = [
    {},
    {"user_id": "ada"},
    {"user_id": "ada", "subject": "Maria"},
    {"entity": "tea"},
    {"predicate": "likes"},
    {"predicate": "dislikes"},
    {"predicate": "lives_in"},
    {"predicate_family": "preferences"},
]


def clocks(chance: random.Random) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"include_invalidated": True}
    for _ in range(4):
        at, known = day(chance.randint(-2, 47)), day(chance.randint(-2, 47))
        yield {"as_of": at}
        yield {"known_as_of": known}
        yield {"as_of": at, "known_as_of": known, "exclude_sessions": True}
        yield {"as_of": at, "include_invalidated": True}


@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_a_short_page_has_the_total_of_a_long_one(crowd: uuid.UUID, wanted: dict[str, Any]) -> None:
    from facts.selectors import FactFilter, Reading, list_facts
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope

    caller = Caller(organisation_id=crowd, project_id=crowd)
    confined = Caller(organisation_id=crowd, project_id=crowd, users=("ada", "b*"))
    counted = set()
    for clock in clocks(random.Random(1)):
        filtered = FactFilter(**wanted, reading=Reading(**clock))
        for who in (caller, confined):
            with project_scope(crowd):
                whole = list_facts(caller=who, wanted=filtered, limit=500, offset=0)
                first = list_facts(caller=who, wanted=filtered, limit=1, offset=0)
                beyond = list_facts(caller=who, wanted=filtered, limit=1, offset=490)
            assert whole.total == len(whole.facts) == first.total == beyond.total
            counted.add(whole.total)
    assert len(counted) > 4  # the clocks tell them apart


@pytest.fixture(scope="module")
def crowd(box: Box) -> uuid.UUID:
    """A project with facts of a few end users, whose slots overlap."""
    project = uuid.UUID(box.project["id"].removeprefix("prj_"))
    chance = random.Random(7)
    for user in ("ada", "ben", "bea", "cem", "dot"):
        store_rows(project, user, random_rows(chance))
    return project
