"""Rows that filters are tried on, each a memory, a tool, a fact and a preference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from korely.embedded.stack import Stack
from korely.openmem.filters import read_filter
from tests.api_client import Api, Box, unique
from tests.openmem.client import LISTS, Mos
from tests.openmem.filter_oracle import Row, matches

NAMES = ("n", "s", "flag", "several", "od'd %key", "ключ", "a.b")
KINDS = ("note", "tool", "fact", "preference")
VALUES: list[Any] = [0, 5, 5.0, -1.5, 1e300, 7, "5", "true", "x", "X", "", True, False, "日本"]
TAGS = ("home", "Home", "work", "a b", "100%")
APPS, AGENTS = ("app", "other"), ("bot", "aide")


@dataclass(frozen=True)
class World:
    rows: list[Row]
    mos: Mos
    user: str
    project: str
    connection: psycopg.Connection[Any]

    def found(self, kind: str, sent: dict[str, Any]) -> set[str]:
        """Which rows a filter finds, by ids of one kind, in SQL."""
        from memories.selectors.narrowed import Condition

        condition = Condition("t")
        tree = read_filter(sent).user
        if kind in ("fact", "preference"):
            table, test = "facts_fact f", condition.on_facts(tree)
        else:
            table, test = "memories_memory m", condition.on_memories(tree)
        with self.connection.transaction():
            self.connection.execute(f"SET LOCAL korely.project_id = '{self.project}'")
            statement = f"SELECT {table[-1]}.id FROM {table} WHERE {test}"
            rows = self.connection.execute(statement, condition.values)
            return {row[0].hex for row in rows} & {row.ids[kind] for row in self.rows}

    def shown(self, sent: dict[str, Any]) -> dict[str, tuple[set[str], set[str]]]:
        """The ids of each list of `get/memory` and of `search/memory`."""
        limits = {f"{kind}_limit_number": 25 for kind in ("memory", "preference", "tool_memory")}
        fields: dict[str, Any] = {"filter": sent, "include_tool_memory": True}
        answers = (
            self.mos.listed(self.user, size=50, **fields),
            self.mos.search(self.user, "kayak canoe", **limits, **fields),
        )
        names = dict(zip(("note", "preference", "tool"), LISTS, strict=True))
        first, second = (
            {kind: {one["id"][4:] for one in found[name]} for kind, name in names.items()}
            for found in answers
        )
        return {kind: (first[kind], second[kind]) for kind in names}

    def expected(self, kind: str, sent: dict[str, Any]) -> set[str]:
        ((word, conditions),) = sent.items()
        judge = all if word == "and" else any
        return {
            row.ids[kind] for row in self.rows if judge(matches(row, one) for one in conditions)
        }


@contextmanager
def made_world(stack: Stack, boot: Api) -> Iterator[World]:
    """Two dozen rows in a project of their own."""
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
            {"role": "user", "content": f"I like canoe number {number}."},
        ]
        mos.data("/add/message", user_id=user, messages=messages, **fields)
        made.append(fields)
    box.api.settle(user)
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        yield _read(connection, mos, box.project["id"], user, made)


def _read(
    connection: psycopg.Connection[Any],
    mos: Mos,
    project: str,
    user: str,
    made: list[dict[str, Any]],
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
            facts = connection.execute(
                "SELECT f.predicate, f.id FROM facts_fact f"
                " JOIN facts_factsource s ON s.fact_id = f.id WHERE s.memory_id = %s",
                [ids["note"]],
            ).fetchall()
            held = {predicate: key.hex for predicate, key in facts}
            ids |= {"fact": held["owns"], "preference": held["likes"]}
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
    return World(rows, mos, user, key, connection)
