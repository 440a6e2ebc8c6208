"""Filters against a plain reading of them: the same rows, of memories, tools and facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from korely.embedded.stack import Stack
from korely.openmem.filters import read_filter
from tests.api_client import Api, Box, unique
from tests.openmem.client import Mos
from tests.openmem.filter_oracle import ORDER, Row, is_number, matches

NAMES = ("n", "s", "flag", "several", "od'd %key", "ключ", "a.b")
VALUES: list[Any] = [0, 5, 5.0, -1.5, 1e300, 7, "5", "true", "x", "X", "", True, False, "日本"]
TAGS = ("home", "Home", "work", "a b", "100%")
APPS, AGENTS = ("app", "other"), ("bot", "aide")


@dataclass(frozen=True)
class World:
    rows: list[Row]
    project: str
    connection: psycopg.Connection[Any]

    def found(self, kind: str, sent: dict[str, Any]) -> set[str]:
        """Which rows a filter finds, by ids of one kind, in SQL."""
        from memories.selectors.narrowed import Condition

        condition = Condition("t")
        tree = read_filter(sent).user
        if kind == "fact":
            table, test = "facts_fact f", condition.on_facts(tree)
        else:
            table, test = "memories_memory m", condition.on_memories(tree)
        with self.connection.transaction():
            self.connection.execute(f"SET LOCAL korely.project_id = '{self.project}'")
            statement = f"SELECT {table[-1]}.id FROM {table} WHERE {test}"
            rows = self.connection.execute(statement, condition.values)
            return {row[0].hex for row in rows} & {row.ids[kind] for row in self.rows}


@pytest.fixture(scope="module")
def world(stack: Stack, boot: Api) -> Iterator[World]:
    box = Box(boot)
    mos, user = Mos(stack.base_url, box.api.key), unique("user")
    made = []
    for number in range(24):
        info = {
            name: VALUES[(number * 5 + at * 3) % len(VALUES)]
            for at, name in enumerate(NAMES)
            if (number + at) % 3 and name != "several"
        }
        if number % 2:
            info["several"] = [TAGS[number % 5], TAGS[(number + 2) % 5]]
        fields: dict[str, Any] = {"info": info}
        if number % 4:
            fields["tags"] = [TAGS[number % 5], TAGS[(number + 1) % 5]]
        if number % 3:
            fields["app_id"] = APPS[number % 2]
        if number % 5:
            fields["agent_id"] = AGENTS[number % 2]
        schema = f'<tool_schema>[{{"name": "tool{number}"}}]</tool_schema>'
        messages = [
            {"role": "system", "content": schema},
            {"role": "user", "content": f"I own a kayak number {number}."},
        ]
        mos.data("/add/message", user_id=user, messages=messages, **fields)
        made.append(fields)
    box.api.settle(user)
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        yield _read(connection, box.project["id"], user, made)


def _read(
    connection: psycopg.Connection[Any], project: str, user: str, made: list[dict[str, Any]]
) -> World:
    key = project.removeprefix("prj_")
    rows = []
    with connection.transaction():
        connection.execute(f"SET LOCAL korely.project_id = '{key}'")
        for number, fields in enumerate(made):
            ids = {}
            for kind, text in (("note", f"number {number}."), ("tool", f'"tool{number}"')):
                row = connection.execute(
                    "SELECT id, created_at FROM memories_memory WHERE user_id = %s"
                    " AND (kind = 'tool') = %s AND content LIKE %s",
                    [user, kind == "tool", f"%{text}%"],
                ).fetchone()
                assert row is not None
                ids[kind] = row[0].hex
            fact = connection.execute(
                "SELECT f.id FROM facts_fact f JOIN facts_factsource s ON s.fact_id = f.id"
                " WHERE s.memory_id = %s",
                [ids["note"]],
            ).fetchone()
            assert fact is not None, number
            ids["fact"] = fact[0].hex
            rows.append(
                Row(
                    fields.get("agent_id"),
                    fields.get("app_id"),
                    tuple(fields.get("tags", ())),
                    fields["info"],
                    row[1],
                    ids,
                )
            )
    return World(rows, key, connection)


def expected(world: World, kind: str, sent: dict[str, Any]) -> set[str]:
    ((word, conditions),) = sent.items()
    judge = all if word == "and" else any
    return {row.ids[kind] for row in world.rows if judge(matches(row, one) for one in conditions)}


def days() -> st.SearchStrategy[str]:
    today = datetime.now(UTC).date()
    moments = [today + timedelta(days=offset) for offset in (-400, -1, 0, 1, 400)]
    texts = [day.isoformat() for day in moments]
    return st.sampled_from([*texts, *(f"{text} 12:00:00" for text in texts)])


NUMBERS = st.sampled_from([one for one in VALUES if is_number(one)])
PLAIN = st.sampled_from(VALUES)
INFO = st.one_of(
    PLAIN,
    st.dictionaries(st.sampled_from(list(ORDER)), NUMBERS, min_size=1, max_size=2),
    st.fixed_dictionaries({"in": st.lists(PLAIN, max_size=4)}),
    st.fixed_dictionaries({"contains": st.sampled_from([*TAGS, 5, True])}),
)
CONDITION = st.dictionaries(
    st.sampled_from([*NAMES, *(f"info.{name}" for name in NAMES), "missing"]), INFO, max_size=2
)


def _named(pool: tuple[str, ...]) -> st.SearchStrategy[Any]:
    several = st.lists(st.sampled_from(pool), max_size=2)
    return st.one_of(st.sampled_from(pool), st.fixed_dictionaries({"in": several}))


@st.composite
def filters(draw: st.DrawFn) -> dict[str, Any]:
    conditions = []
    for _ in range(draw(st.integers(1, 3))):
        condition: dict[str, Any] = dict(draw(CONDITION))
        if draw(st.booleans()):
            condition["agent_id"] = draw(_named(AGENTS))
        if draw(st.booleans()):
            condition["app_id"] = draw(_named(APPS))
        if draw(st.booleans()):
            condition["tags"] = {"contains": draw(st.sampled_from(TAGS))}
        if draw(st.booleans()):
            name = draw(st.sampled_from(["create_time", "update_time"]))
            bounds = st.dictionaries(st.sampled_from(list(ORDER)), days(), min_size=1, max_size=2)
            condition[name] = draw(bounds)
        conditions.append(condition or {"n": 5})
    return {draw(st.sampled_from(["and", "or"])): conditions}


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(sent=filters())
def test_a_filter_finds_what_it_says_alike_for_memories_tools_and_facts(
    world: World, sent: dict[str, Any]
) -> None:
    for kind in ("note", "tool", "fact"):
        assert world.found(kind, sent) == expected(world, kind, sent), (kind, json.dumps(sent))


@pytest.mark.parametrize("field", ["create_time", "update_time"])
def test_a_bare_date_is_its_midnight_but_for_lte_the_end_of_its_day(
    world: World, field: str
) -> None:
    moments = [row.create_time for row in world.rows]
    first, last = min(moments).date(), max(moments).date()
    whole = {row.ids["note"] for row in world.rows}

    def found(**bounds: Any) -> set[str]:
        return world.found("note", {"and": [{field: {k: str(v) for k, v in bounds.items()}}]})

    assert found(gte=first, lte=last) == whole
    assert found(lt=first) == set()
    assert found(gt=last + timedelta(days=1)) == set()
    assert found(lte=first - timedelta(days=1)) == set()
    assert found(lte="9999-12-31") == whole


def test_numbers_no_database_can_hold_match_nothing_and_break_nothing(
    api: Api, mos: Mos, uid: str
) -> None:
    body = '{"content": "odd number %d", "user_id": "%s", "metadata": {"info": {"n": %s}}}'
    for place, number in enumerate(("1e-20000", "9" * 1000, "1e300")):
        headers = {"Content-Type": "application/json"}
        content = body % (place, uid, number)
        assert (
            api.request("POST", "/v1/memories", content=content, headers=headers).status_code == 201
        )

    def found(**asked: Any) -> int:
        return int(mos.listed(uid, filter={"and": [{"n": asked}]}, size=50)["total"])

    assert (found(gt=0), found(lt=0), found(gt=10**999 - 2)) == (2, 0, 1)
