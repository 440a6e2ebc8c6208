"""What the document's patterns allow is what the fields take."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rest_framework import serializers

from korely.embedded.stack import Stack
from korely.http.fields import Identifier, Instant, Patterns, StrictField, Text
from korely.http.shapes import Shape, read
from tests.api.oracle import Oracle
from tests.api_client import Api, ok

pytestmark = pytest.mark.usefixtures("stack")

ODD = "\x00\x01\t\n\x1c\x1f \x7f\x85\x9f\xa0\u2028\u3000/.*aÄé\U0001f469\u200d"
TEXTS = st.one_of(
    st.text(st.sampled_from(ODD), max_size=5), st.text(max_size=5), st.just("x" * 256)
)
CALM = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def taken(field: StrictField, value: Any) -> bool:
    try:
        field.run_validation(value)
    except serializers.ValidationError:
        return False
    return True


def allowed(field: StrictField, value: Any) -> bool:
    return bool(Draft202012Validator(field.document()).is_valid(value))


@pytest.mark.parametrize(
    "field",
    [
        Text(most=200),
        Text(least=0, most=200),
        Identifier(),
        Identifier(segment=True),
    ],
    ids=["text", "text that may be empty", "id", "id of a path"],
)
@CALM
@given(value=TEXTS)
def test_a_text_is_taken_where_the_document_allows_it(field: StrictField, value: str) -> None:
    # `$` of Python also matches before a last line end, that of JSON Schema does not.
    if not value.endswith("\n"):
        assert taken(field, value) == allowed(field, value)


@CALM
@given(value=st.lists(TEXTS.filter(lambda text: not text.endswith("\n")), max_size=3))
def test_patterns_of_users_are_taken_where_the_document_allows_them(value: list[str]) -> None:
    assert taken(Patterns(), value) == allowed(Patterns(), value)


@pytest.mark.parametrize(
    "text",
    [
        *("2026-03-01", "2026-03-01T14:30", "2026-03-01 14:30:05Z", "2026-03-01T14:30:05.5"),
        *("2026-03-01T14:30:05.123456789+23:59", "0001-01-02T00:00-00:00", "9999-12-31T23:59Z"),
    ],
)
def test_every_spelling_of_an_instant_is_in_the_document(text: str) -> None:
    assert taken(Instant(), text) and allowed(Instant(), text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-3-1", "0000-01-01", "2026-13-01", "2026-00-01", "2026-01-00"),
        *("2026-01-32", "2026-03-01T24:00", "2026-03-01T14:60", "2026-03-01T14:30:60"),
        *("2026-03-01T14", "2026-03-01T14:30:05.", "2026-03-01T14:30:05.1234567890"),
        *("2026-03-01T14:30+24:00", "2026-03-01T14:30+0100", "2026-03-01z", "2026-03-01Z"),
        *(" 2026-03-01", "2026-03-01t14:30", "٢٠٢٦-03-01", "yesterday"),
    ],
)
def test_what_is_no_instant_is_not_in_the_document(text: str) -> None:
    assert not taken(Instant(), text) and not allowed(Instant(), text)


@pytest.mark.parametrize("text", ["2026-02-30", "2025-02-29", "2026-04-31"])
def test_a_day_that_its_month_has_not_is_all_that_the_pattern_leaves_open(text: str) -> None:
    assert not taken(Instant(), text) and allowed(Instant(), text)


@pytest.mark.parametrize(
    ("name", "body", "right"),
    [
        ("Search", {"query": "x", "types": ["memories"], "run_id": "r"}, True),
        ("Search", {"query": "x", "types": ["facts"], "run_id": None, "min_score": None}, True),
        ("Search", {"query": "x", "types": ["facts"], "run_id": "r"}, False),
        ("Search", {"query": "x", "types": ["memories", "facts"], "metadata": {}}, False),
        ("Search", {"query": "x", "types": ["facts"], "min_score": 0}, False),
        ("CorrectFact", {"predicate": "likes"}, True),
        ("CorrectFact", {"subject": None, "object": "tea"}, True),
        ("CorrectFact", {}, False),
        ("CorrectFact", {"subject": None}, False),
    ],
)
def test_what_holds_between_fields_is_in_the_document(
    stack: Stack, name: str, body: dict[str, Any], right: bool
) -> None:
    from korely.http import asking, stating

    document = ok(Api(stack.base_url, None).get("/v1/openapi.json"))
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    shape: type[Shape] = getattr(asking if name == "Search" else stating, name)
    assert (not read(shape, body, closed=True)[1]) == right
    assert Draft202012Validator(schema).is_valid(body) == right


def test_people_in_paths_and_the_confirmation_are_documented_as_they_are_read(
    stack: Stack,
) -> None:
    oracle = Oracle(ok(Api(stack.base_url, None).get("/v1/openapi.json")))
    paths = oracle.document["paths"]
    for path, item in paths.items():
        for name in re.findall(r"\{(user_id|agent_id)\}", path):
            for entry in item.values():
                (found,) = [one for one in entry["parameters"] if one["name"] == name]
                assert found["schema"] == Identifier(segment=True).document(), path
    (confirm,) = paths["/v1/account"]["delete"]["parameters"]
    assert confirm["required"] and confirm["schema"] == {"type": "boolean", "enum": [True]}
