"""A tree of conditions as SQL, typed: a value equals one of its own type, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from korely.kernel.spelled import SpelledFloat
from memories.narrowing import Column, Comparison, Either, Every, FieldTest, Path, Plain, Tree

# Numbers that PostgreSQL reads as such whatever they are; no double is beyond them.
_NUMBER = r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?"
_LONGEST = 1_000  # characters of a number, as of one in a body
_READABLE = re.compile(_NUMBER)

_SYMBOLS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_ORDERED = frozenset(_SYMBOLS)

_OF_MEMORIES = {
    "agent_id": "m.agent_id",
    "create_time": "m.created_at",
    "update_time": "m.updated_at",
}
_OF_FACTS = {
    "agent_id": "f.agent_id",
    "create_time": "f.created_at",
    "update_time": "coalesce(f.last_confirmed_at, f.created_at)",
}


class Condition:
    """Makes SQL of trees, and collects the values of its parameters, named apart by `prefix`."""

    def __init__(self, prefix: str) -> None:
        self.values: dict[str, Any] = {}
        self._prefix = prefix
        self._numbers = count()

    def on_memories(self, tree: Tree | None) -> str:
        """A condition on a memory aliased `m`."""
        return self._sql(tree, _OF_MEMORIES, " AND ".join)

    def on_facts(self, tree: Tree | None) -> str:
        """A condition on a fact aliased `f`."""
        return self._sql(
            tree,
            _OF_FACTS,
            lambda tests: (
                "EXISTS (SELECT 1 FROM facts_factsource s JOIN memories_memory m"
                " ON m.project_id = s.project_id AND m.id = s.memory_id"
                " WHERE s.project_id = f.project_id AND s.fact_id = f.id"
                f" AND s.withdrawn_at IS NULL AND {' AND '.join(tests)})"
            ),
        )

    def _sql(
        self, tree: Tree | None, columns: dict[str, str], of_metadata: Callable[[list[str]], str]
    ) -> str:
        if tree is None:
            return "true"
        if isinstance(tree, Every | Either):
            word = " AND " if isinstance(tree, Every) else " OR "
            return f"({word.join(self._sql(one, columns, of_metadata) for one in tree.tests)})"
        if isinstance(tree.field, Column):
            column = columns[tree.field.name]
            return f"({' AND '.join(self._column(column, one) for one in tree.comparisons)})"
        return f"({of_metadata(self._metadata(tree, tree.field))})"

    def _column(self, column: str, one: Comparison) -> str:
        if one.operator == "in":
            return f"{column} = ANY({self._value(list(_several(one)))})"
        return f"{column} {_SYMBOLS.get(one.operator, '=')} {self._value(one.value)}"

    def _metadata(self, test: FieldTest, path: Path) -> list[str]:
        stored = "m.metadata"
        for key in path.keys[:-1]:
            stored = f"{stored} -> {self._value(key)}"
        last = self._value(path.keys[-1])
        item, text = f"({stored} -> {last})", f"({stored} ->> {last})"
        return [self._compared(item, text, one) for one in test.comparisons]

    def _compared(self, item: str, text: str, one: Comparison) -> str:
        kind = f"json_typeof({item})"
        if one.operator == "contains":
            elements = f"CASE {kind} WHEN 'array' THEN {item} ELSE '[]'::json END"
            equal = self._equal("json_typeof(e.item)", "(e.item #>> '{}')", _plain(one))
            return f"EXISTS (SELECT 1 FROM json_array_elements({elements}) e(item) WHERE {equal})"
        if one.operator == "in":
            equals = [self._equal(kind, text, value) for value in _several(one)]
            return f"({' OR '.join(equals) or 'false'})"
        if one.operator in _ORDERED:
            return self._number(kind, text, _SYMBOLS[one.operator], _plain(one))
        return self._equal(kind, text, _plain(one))

    def _equal(self, kind: str, text: str, value: Plain) -> str:
        if isinstance(value, bool):
            return f"({kind} = 'boolean' AND {text} = '{str(value).lower()}')"
        if isinstance(value, str):
            return f"({kind} = 'string' AND {text} = {self._value(value)})"
        return self._number(kind, text, "=", value)

    def _number(self, kind: str, text: str, symbol: str, value: Plain) -> str:
        asked = self._value(_spelling(value))
        return (
            f"CASE WHEN {kind} = 'number' AND length({text}) <= {_LONGEST}"
            f" AND {text} ~ '^{_NUMBER}$'"
            f" THEN {text}::numeric {symbol} {asked}::numeric ELSE false END"
        )

    def _value(self, value: Any) -> str:
        name = f"{self._prefix}_{next(self._numbers)}"
        self.values[name] = value
        return f"%({name})s"


def _several(one: Comparison) -> tuple[Plain, ...]:
    assert isinstance(one.value, tuple)
    return one.value


def _plain(one: Comparison) -> Plain:
    assert isinstance(one.value, str | int | float | bool)
    return one.value


def _spelling(value: Plain) -> str:
    """A number as it was sent, where PostgreSQL reads that."""
    if isinstance(value, float):
        spelled = value.spelling if isinstance(value, SpelledFloat) else repr(value)
        return spelled if _READABLE.fullmatch(spelled) else repr(float(value))
    return str(value)
