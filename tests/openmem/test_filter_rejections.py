"""Every filter that is refused, and the name it is refused under. Mostly read without a server."""

from __future__ import annotations

from typing import Any

import pytest

from korely.kernel.errors import Refusal
from korely.openmem.filters import read_filter
from memories.narrowing import UNNARROWED, Comparison, Every, FieldTest, Narrowing, Path
from tests.openmem.client import Mos, denied

ONE = {"scene": "x"}

# What each field takes, with a value of a right type; `bare` is a value without an operator.
TEXT, TIME = "x", "2025-01-01"
TAKEN: dict[str, dict[str, Any]] = {
    "agent_id": {"bare": TEXT, "in": [TEXT]},
    "app_id": {"bare": TEXT, "in": [TEXT]},
    "tags": {"contains": TEXT},
    "create_time": dict.fromkeys(("gt", "gte", "lt", "lte"), TIME),
    "update_time": dict.fromkeys(("gt", "gte", "lt", "lte"), TIME),
    "key": {
        "bare": TEXT,
        "in": [TEXT, 5, True],
        "contains": TEXT,
        **dict.fromkeys(("gt", "gte", "lt", "lte"), 5),
    },
}
TAKEN |= dict.fromkeys(("info.key", "info.tags", "info.create_time", "ключ"), TAKEN["key"])
OPERATORS = ("bare", "in", "contains", "gt", "gte", "lt", "lte")
UNKNOWN = ("eq", "ne", "not", "nin", "like", "exists", "regex", "between", "GT", "In", "$gt", "")
# Values of every type, and what takes them.
TYPES: dict[str, Any] = {
    "string": TEXT,
    "time": TIME,
    "integer": 5,
    "number": 5.5,
    "boolean": True,
    "null": None,
    "object": {"a": 1},
    "list": [TEXT],
    "list of lists": [[TEXT]],
    "list of nulls": [None],
}
WORDS, SCALARS = {"string", "time"}, {"string", "time", "integer", "number", "boolean"}


def taken_types(field: str, operator: str) -> set[str]:
    if field in ("create_time", "update_time"):
        return {"time"}
    if operator == "in":
        return {"list"}
    if field in ("agent_id", "app_id", "tags"):
        return WORDS
    return {"integer", "number"} if operator in ("gt", "gte", "lt", "lte") else SCALARS


def refusal(sent: Any) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        read_filter(sent)
    assert caught.value.status == 400
    return caught.value.code, caught.value.message


@pytest.mark.parametrize(
    ("sent", "code", "word"),
    [
        ({}, "40000", "filter object cannot be empty"),
        ("{}", "40000", "filter"),
        ([], "40000", "filter"),
        ('{"and": []}', "40000", "filter"),
        ({"and": []}, "40003", "filter.and"),
        ({"or": []}, "40003", "filter.or"),
        ({"and": {}}, "40000", "filter.and"),
        ({"and": "x"}, "40000", "filter.and"),
        ({"and": [ONE], "or": [ONE]}, "40000", "and, or"),
        ({"and": [ONE], "scene": "x"}, "40000", "scene"),
        ({"scene": "x"}, "40000", "scene"),
        ({"not": [ONE]}, "40000", "not"),
        ({"and": [ONE] * 33}, "40000", "32"),
        ({"and": ["x"]}, "40000", "filter.and[0]"),
        ({"and": [None]}, "40000", "filter.and[0]"),
        ({"and": [{}]}, "40003", "filter.and[0]"),
        ({"and": [ONE, {"or": [ONE]}]}, "40000", "filter.and[1].or"),
        ({"and": [{"and": [ONE]}]}, "40000", "filter.and[0].and"),
        ({"and": [{"not": ONE}]}, "40000", "filter.and[0].not"),
        ({"and": [{"user_id": "u"}]}, "40000", "user_id"),
        ({"user_id": "u"}, "40000", "user_id"),
        ({"user": {}}, "40000", "filter.user object cannot be empty"),
        ({"user": [ONE]}, "40000", "filter.user"),
        ({"user": {"and": [ONE]}, "and": [ONE]}, "40000", "user"),
        ({"user": {"and": [ONE]}, "others": {"and": [ONE]}}, "40000", "filter"),
        ({"public": {"and": []}}, "40003", "filter.public.and"),
        ({"and": [{"agent_id": 5}]}, "40000", "agent_id"),
        ({"and": [{"agent_id": None}]}, "40000", "agent_id"),
        ({"and": [{"agent_id": {"in": "a"}}]}, "40000", "agent_id.in"),
        ({"and": [{"agent_id": {"in": [5]}}]}, "40000", "agent_id.in"),
        ({"and": [{"agent_id": {"contains": "a"}}]}, "40000", "contains"),
        ({"and": [{"agent_id": {"gt": "a"}}]}, "40000", "gt"),
        ({"and": [{"agent_id": {}}]}, "40003", "agent_id"),
        ({"and": [{"app_id": {"like": "a"}}]}, "40000", "like"),
        ({"and": [{"tags": "a"}]}, "40000", "tags"),
        ({"and": [{"tags": {"in": ["a"]}}]}, "40000", "in"),
        ({"and": [{"tags": {"contains": 5}}]}, "40000", "tags.contains"),
        ({"and": [{"tags": {"contains": ["a"]}}]}, "40000", "tags.contains"),
        ({"and": [{"create_time": "2025-01-01"}]}, "40000", "create_time"),
        ({"and": [{"create_time": {"in": []}}]}, "40000", "in"),
        ({"and": [{"create_time": {"gt": "yesterday"}}]}, "40000", "create_time.gt"),
        ({"and": [{"update_time": {"gt": 5}}]}, "40000", "update_time.gt"),
        ({"and": [{"n": {"eq": 5}}]}, "40000", "eq"),
        ({"and": [{"n": {"gt": "5"}}]}, "40000", "n.gt"),
        ({"and": [{"n": {"gt": True}}]}, "40000", "n.gt"),
        ({"and": [{"n": [5]}]}, "40000", "n"),
        ({"and": [{"n": {"in": [None]}}]}, "40000", "n.in"),
        ({"and": [{"n": {"in": [[5]]}}]}, "40000", "n.in"),
        ({"and": [{"n": {"gt": 1, "near": 2}}]}, "40000", "near"),
        ({"and": [{"info.": 1}]}, "40000", "info."),
        ({"and": [{"info": {"n": 1}}]}, "40000", "info.n"),
        ({"and": [{"": 1}]}, "40000", "filter.and[0]"),
    ],
)
def test_a_filter_that_would_be_guessed_at_is_refused_by_name(
    sent: Any, code: str, word: str
) -> None:
    found, message = refusal(sent)
    assert (found, word in message) == (code, True), message


def test_no_filter_narrows_nothing() -> None:
    assert read_filter(None) == UNNARROWED


def test_a_source_that_is_not_named_is_not_narrowed() -> None:
    test = Every((FieldTest(Path(("info", "n")), (Comparison("eq", 5),)),))
    assert read_filter({"public": {"and": [{"n": 5}]}}) == Narrowing(public=test)
    assert read_filter({"and": [{"info.n": 5}]}) == Narrowing(test, test, test)


def condition(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {field: value if operator == "bare" else {operator: value}}


@pytest.mark.parametrize("field", TAKEN)
@pytest.mark.parametrize("operator", [*OPERATORS, *UNKNOWN])
def test_a_field_takes_its_operators_and_no_other(field: str, operator: str) -> None:
    value = TAKEN[field].get(operator, TEXT)
    sent = {"or": [ONE, condition(field, operator, value)]}
    if operator in TAKEN[field]:
        read_filter(sent)
        return
    code, message = refusal(sent)
    where = f"filter.or[1].{field}" if operator == "bare" else f"filter.or[1].{field}.{operator}"
    assert (code, message.startswith(where)) == ("40000", True), message


@pytest.mark.parametrize("field", TAKEN)
def test_an_operator_takes_its_types_and_no_other(field: str) -> None:
    for operator in TAKEN[field]:
        for name, value in TYPES.items():
            if operator == "bare" and name == "object":
                continue  # which is an operator: the test above
            sent = {"and": [condition(field, operator, value)]}
            if name in taken_types(field, operator):
                read_filter(sent)
                continue
            code, message = refusal(sent)
            where = f"filter.and[0].{field}"
            assert (code, where in message) == ("40000", True), (operator, name, message)


@pytest.mark.parametrize("field", TAKEN)
def test_one_operator_that_is_wrong_refuses_all_of_its_field(field: str) -> None:
    right = {op: value for op, value in TAKEN[field].items() if op != "bare"}
    read_filter({"and": [{field: right}]})
    code, message = refusal({"and": [{field: {**right, "near": 5}}]})
    assert (code, f"{field}.near" in message) == ("40000", True), message
    code, message = refusal({"and": [{"scene": "x", field: {}}]})
    assert (code, field in message) == ("40003", True), message


@pytest.mark.parametrize("word", ["and", "or"])
@pytest.mark.parametrize("source", [None, "user", "public", "knowledgebase"])
def test_a_root_holds_1_to_32_conditions_wherever_it_is(word: str, source: str | None) -> None:
    def root(conditions: Any) -> dict[str, Any]:
        sent = {word: conditions}
        return sent if source is None else {source: sent}

    name = "filter" if source is None else f"filter.{source}"
    for count in (1, 32):
        read_filter(root([ONE] * count))
    code, message = refusal(root([ONE] * 33))
    assert (code, f"{name}.{word}" in message) == ("40000", True), message
    assert refusal(root([]))[0] == "40003"
    for wrong in ({}, "x", None, 5, True, ONE):
        code, message = refusal(root(wrong))
        assert (code, f"{name}.{word}" in message) == ("40000", True), message
    for inner in ("and", "or", "not", "user_id"):
        code, message = refusal(root([{"scene": "x", inner: [ONE]}]))
        assert (code, f"{name}.{word}[0].{inner}" in message) == ("40000", True), message


@pytest.mark.parametrize(
    ("sent", "code", "word"),
    [
        ({}, 40000, "filter object cannot be empty"),
        ('{"and": [{"n": 5}]}', 40000, "filter must be an object"),
        ({"and": []}, 40003, "filter.and"),
        ({"and": [ONE], "or": [ONE]}, 40000, "exactly one"),
        ({"and": [{"tags": {"in": ["a"]}}]}, 40000, "tags.in"),
        ({"and": [{"user_id": "u"}]}, 40000, "user_id"),
    ],
)
@pytest.mark.parametrize("path", ["/search/memory", "/get/memory"])
def test_both_calls_refuse_a_filter_before_they_look_anything_up(
    mos: Mos, path: str, sent: Any, code: int, word: str
) -> None:
    denied(mos.post(path, user_id="u", query="x", filter=sent), 400, code, word)


def test_a_null_filter_is_none(mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.")
    assert mos.listed(uid, filter=None) == mos.listed(uid)
    assert mos.search(uid, "jazz", filter=None) == mos.search(uid, "jazz")
