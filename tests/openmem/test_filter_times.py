"""Bounds of time: what a bare date means, and that what is shown can be asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from korely.kernel.errors import Refusal
from korely.openmem.filters.instants import read_bound
from memories.narrowing import Operator
from tests.api_client import Box
from tests.openmem.client import LISTS, Mos
from tests.openmem.filter_oracle import ORDER

TIMES = pytest.mark.parametrize("field", ["create_time", "update_time"])


@pytest.mark.parametrize(
    ("operator", "sent", "read"),
    [
        *((one, "2025-01-01", (one, "2025-01-01T00:00:00")) for one in ("gt", "gte", "lt")),
        ("lte", "2025-12-31", ("lt", "2026-01-01T00:00:00")),
        ("lte", "2024-02-29", ("lt", "2024-03-01T00:00:00")),
        ("lte", "2025-02-28", ("lt", "2025-03-01T00:00:00")),
        ("lte", "0001-01-01", ("lt", "0001-01-02T00:00:00")),
        ("lte", "9999-12-31", ("lte", "9999-12-31T23:59:59.999999")),
        ("gte", "9999-12-31", ("gte", "9999-12-31T00:00:00")),
        ("lte", "2025-12-31 00:00:00", ("lte", "2025-12-31T00:00:00")),
        ("lte", "2025-12-31T00:00", ("lte", "2025-12-31T00:00:00")),
        ("gt", "2025-12-31 23:59:59", ("gt", "2025-12-31T23:59:59")),
        ("gte", "2025-12-31T23:30:00Z", ("gte", "2025-12-31T23:30:00")),
        ("lt", "2026-01-01T01:30:00+02:00", ("lt", "2025-12-31T23:30:00")),
        ("lte", "2025-12-31T20:30:00.250000-05:00", ("lte", "2026-01-01T01:30:00.250000")),
    ],
)
def test_a_bare_date_is_its_midnight_in_utc_but_for_lte_the_end_of_its_day(
    operator: Operator, sent: str, read: tuple[str, str]
) -> None:
    found = read_bound("create_time", operator, sent)
    moment = datetime.fromisoformat(read[1]).replace(tzinfo=UTC)
    assert (found.operator, found.value) == (read[0], moment)


@pytest.mark.parametrize(
    "sent",
    [
        *("2025-02-29", "2025-13-01", "2025-1-1", "2025", "20250101", "2025-01-01T25:00"),
        *("today", "", " 2025-01-01", "2025-01-01 ", "2025-01-01T10:00:00+25:00"),
        "0001-01-01T00:00:00+01:00",
    ],
)
def test_what_is_no_time_is_refused_by_name(sent: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_bound("here.create_time.lte", "lte", sent)
    assert (caught.value.status, caught.value.code) == (400, "40000")
    assert "here.create_time.lte" in caught.value.message


EDGES = (
    "2024-12-31T23:59:59.999999+00:00",
    "2025-01-01T00:00:00+00:00",
    "2025-12-31T23:59:59.999999+00:00",
    "2026-01-01T00:00:00+00:00",
)


@pytest.fixture(scope="module")
def edged(stack: Stack, box: Box, mos: Mos) -> str:
    """An end user with a memory, a preference, a fact and a tool at each edge of 2025."""
    user = "edges-of-2025"
    for number in range(len(EDGES)):
        schema = f'<tool_schema>[{{"name": "tool{number}"}}]</tool_schema>'
        messages = [
            {"role": "system", "content": schema},
            {"role": "user", "content": f"I like canoe number {number}."},
        ]
        mos.data("/add/message", user_id=user, messages=messages, async_mode=False)
    project = box.project["id"].removeprefix("prj_")
    with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
        connection.execute(f"SET LOCAL korely.project_id = '{project}'")
        for number, moment in enumerate(EDGES):
            values = [moment, moment, user]
            for text in (f"%canoe number {number}.", f"%tool{number}%"):
                changed = connection.execute(
                    "UPDATE memories_memory SET created_at = %s, updated_at = %s"
                    " WHERE user_id = %s AND content LIKE %s",
                    [*values, text],
                )
                assert changed.rowcount == 1
            changed = connection.execute(
                "UPDATE facts_fact SET created_at = %s, last_confirmed_at = %s"
                " WHERE user_id = %s AND object = %s",
                [*values, f"canoe number {number}"],
            )
            assert changed.rowcount == 1
    return user


def found(mos: Mos, user: str, field: str, **bounds: str) -> list[set[int]]:
    """The edges that each list of `get/memory` and of `search/memory` has."""
    sent = {"filter": {"and": [{field: bounds}]}, "include_tool_memory": True}
    answers = (mos.listed(user, **sent), mos.search(user, "canoe tool", **sent))
    return [
        {EDGES.index(one[field]) for one in answer[name]} for answer in answers for name in LISTS
    ]


@TIMES
@pytest.mark.parametrize(
    ("bounds", "edges"),
    [
        ({"gte": "2025-01-01", "lte": "2025-12-31"}, {1, 2}),
        ({"gt": "2025-01-01", "lt": "2025-12-31"}, set()),
        ({"gt": "2025-01-01"}, {2, 3}),
        ({"gte": "2025-12-31"}, {2, 3}),
        ({"lt": "2025-01-01"}, {0}),
        ({"lte": "2024-12-31"}, {0}),
        ({"lte": "2025-01-01"}, {0, 1}),
        ({"lte": "2025-12-31"}, {0, 1, 2}),
        ({"lte": "2025-12-31 00:00:00"}, {0, 1}),
        ({"gte": "2026-01-01"}, {3}),
        ({"gt": "2026-01-01"}, set()),
        ({"lte": "9999-12-31"}, {0, 1, 2, 3}),
        ({"gte": "2025-12-31T23:59:59.999999Z"}, {2, 3}),
        ({"gt": "2026-01-01T01:59:59.999999+02:00"}, {3}),
    ],
)
def test_dates_hold_the_whole_day_in_every_list_of_both_calls(
    mos: Mos, edged: str, field: str, bounds: dict[str, str], edges: set[int]
) -> None:
    assert found(mos, edged, field, **bounds) == [edges] * 6


@TIMES
def test_a_bound_compares_with_the_time_that_is_shown(mos: Mos, uid: str, field: str) -> None:
    schema = {"role": "system", "content": '<tool_schema>[{"name": "t"}]</tool_schema>'}
    mos.data("/add/message", user_id=uid, messages=[schema])
    mos.say(uid, "I like jazz.")
    mos.say(uid, "I really like jazz.")
    whole = mos.listed(uid)
    (jazz,) = whole["preference_detail_list"]
    assert jazz["update_time"] > jazz["create_time"]

    def ids(answer: dict[str, Any]) -> set[str]:
        return {one["id"] for name in LISTS for one in answer[name]}

    items = [one for name in LISTS for one in whole[name]]
    for bound in {one[field] for one in items}:
        moment = datetime.fromisoformat(bound)
        for operator, judge in ORDER.items():
            want = {one["id"] for one in items if judge(datetime.fromisoformat(one[field]), moment)}
            sent = {"and": [{field: {operator: bound}}]}
            assert ids(mos.listed(uid, filter=sent)) == want, (operator, bound)
