"""Every filter that is refused, and the name it is refused under. Read without a server."""

from __future__ import annotations

from typing import Any

import pytest

from korely.kernel.errors import Refusal
from korely.openmem.filters import read_filter
from memories.narrowing import UNNARROWED, Comparison, Every, FieldTest, Narrowing, Path

ONE = {"scene": "x"}


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
