"""One condition: fields with values or operators, all of which must hold."""

from __future__ import annotations

from typing import Any, cast

from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.filters.instants import read_bound
from memories.narrowing import Column, Comparison, Every, FieldTest, Operator, Path, Plain, Tree

OPERATORS = ("in", "contains", "gt", "gte", "lt", "lte")
ORDERED = ("gt", "gte", "lt", "lte")

_NEVER = ("and", "or", "not", "user_id")
_OF = {
    "agent_id": ("in",),
    "app_id": ("in",),
    "tags": ("contains",),
    "create_time": ORDERED,
    "update_time": ORDERED,
}
_TEXTS = ("agent_id", "app_id", "tags")
_TIMES = ("create_time", "update_time")
_NAME_SHOWN = 100  # characters of a field's name that a refusal tells


def read_condition(name: str, value: Any) -> Tree:
    """A condition's tests. Raises Refusal (40000, 40003) naming the field and the operator."""
    if not isinstance(value, dict):
        raise fault(codes.WRONG, f"{name} must be an object")
    if not value:
        raise fault(codes.EMPTY, f"{name} must not be empty")
    tests = tuple(_test(name, field, sent) for field, sent in value.items())
    return tests[0] if len(tests) == 1 else Every(tests)


def _test(name: str, field: str, sent: Any) -> FieldTest:
    where = f"{name}.{field[:_NAME_SHOWN]}"
    if field in _NEVER:
        raise fault(codes.WRONG, f"{where} is not allowed in a condition")
    if not field or field == "info." or "\x00" in field:
        raise fault(codes.WRONG, f"{where} is not the name of a field")
    place = _place(field)
    if not isinstance(sent, dict):
        if field in _OF and "in" not in _OF[field]:
            raise fault(codes.WRONG, f"{where} takes only: {', '.join(_OF[field])}")
        return FieldTest(place, (Comparison("eq", _plain(where, field, sent)),))
    if not sent:
        raise fault(codes.EMPTY, f"{where} must not be empty")
    return FieldTest(place, tuple(_comparison(where, field, op, one) for op, one in sent.items()))


def _place(field: str) -> Column | Path:
    if field == "agent_id":
        return Column("agent_id")
    if field == "create_time":
        return Column("create_time")
    if field == "update_time":
        return Column("update_time")
    if field in ("app_id", "tags"):
        return Path((field,))
    return Path(("info", field.removeprefix("info.")))


def _comparison(where: str, field: str, operator: str, value: Any) -> Comparison:
    shown = f"{where}.{operator[:_NAME_SHOWN]}"
    if operator not in OPERATORS:
        raise fault(codes.WRONG, f"{shown}: unknown operator")
    if operator not in _OF.get(field, OPERATORS):
        raise fault(codes.WRONG, f"{shown}: {field} does not take this operator")
    known = cast("Operator", operator)
    if field in _TIMES:
        return read_bound(shown, known, value)
    if operator == "in":
        if not isinstance(value, list):
            raise fault(codes.WRONG, f"{shown} must be a list")
        return Comparison(known, tuple(_plain(shown, field, one) for one in value))
    if operator in ORDERED and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise fault(codes.WRONG, f"{shown} must be a number")
    return Comparison(known, _plain(shown, field, value))


def _plain(where: str, field: str, value: Any) -> Plain:
    if field in _TEXTS and not isinstance(value, str):
        raise fault(codes.WRONG, f"{where} must be a string")
    if not isinstance(value, str | int | float):
        raise fault(codes.WRONG, f"{where} must be a string, a number or a boolean")
    if isinstance(value, str) and "\x00" in value:
        raise fault(codes.WRONG, f"{where} must not contain a NUL character")
    return value
