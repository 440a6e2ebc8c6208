"""A filter's roots: one list of conditions for all sources, or one for each source named."""

from __future__ import annotations

from typing import Any

from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.filters.conditions import read_condition
from memories.narrowing import UNNARROWED, Either, Every, Narrowing, Tree

SOURCES = ("user", "public", "knowledgebase")
MOST_CONDITIONS = 32


def read_filter(value: Any) -> Narrowing:
    """What a filter narrows each source of items by; None narrows nothing.

    Raises:
        Refusal: 40000 or 40003, naming what is wrong.
    """
    if value is None:
        return UNNARROWED
    if not isinstance(value, dict):
        raise fault(codes.WRONG, "filter must be an object")
    if not value:
        raise fault(codes.WRONG, "filter object cannot be empty")
    if not set(value) <= set(SOURCES):
        tree = _root("filter", value)
        return Narrowing(tree, tree, tree)
    return Narrowing(
        **{name: _root(f"filter.{name}", sent) for name, sent in value.items() if sent is not None}
    )


def _root(name: str, value: Any) -> Tree:
    if not isinstance(value, dict):
        raise fault(codes.WRONG, f"{name} must be an object")
    if not value:
        raise fault(codes.WRONG, f"{name} object cannot be empty")
    if len(value) != 1 or not set(value) <= {"and", "or"}:
        other = next((key for key in value if key not in ("and", "or")), None)
        told = f"; {other[:100]} is none" if other is not None else ""
        raise fault(codes.WRONG, f"{name} must hold exactly one of and, or{told}")
    ((word, conditions),) = value.items()
    if not isinstance(conditions, list):
        raise fault(codes.WRONG, f"{name}.{word} must be a list")
    if not conditions:
        raise fault(codes.EMPTY, f"{name}.{word} must not be empty")
    if len(conditions) > MOST_CONDITIONS:
        raise fault(codes.WRONG, f"{name}.{word} must have at most {MOST_CONDITIONS} conditions")
    tests = tuple(
        read_condition(f"{name}.{word}[{number}]", one) for number, one in enumerate(conditions)
    )
    return Every(tests) if word == "and" else Either(tests)
