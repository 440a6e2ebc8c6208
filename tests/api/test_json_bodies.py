"""The strict reader of JSON bodies, with generated documents; its refusals over HTTP."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korely.http.strict_json import MAX_DEPTH, Malformed, read
from tests.api_client import Api, refused

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=12
)


def same(left: Any, right: Any) -> bool:
    """Equal, with booleans, integers and reals kept apart."""
    if isinstance(left, float) != isinstance(right, float):
        return False
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@settings(max_examples=100, deadline=None)
@given(VALUES, st.booleans(), st.sampled_from(["", "\ufeff"]), st.sampled_from([None, 1, "\t"]))
def test_any_json_document_is_read_as_it_is(
    value: Any, plain: bool, mark: str, indent: Any
) -> None:
    text = mark + json.dumps(value, ensure_ascii=plain, indent=indent)
    assert same(read(text.encode()), value)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_as_malformed(raw: bytes) -> None:
    try:
        value = read(raw)
    except Malformed as refusal:
        assert str(refusal)
    else:
        assert same(json.loads(raw.decode("utf-8-sig")), value)


@settings(max_examples=100, deadline=None)
@given(VALUES, st.data())
def test_a_document_with_one_byte_changed_never_fails_otherwise(value: Any, data: Any) -> None:
    raw = bytearray(json.dumps({"content": value}).encode())
    raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(bytes(raw))
    except Malformed as refusal:
        assert str(refusal)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 130), st.sampled_from(["[]", "{}", "[{"]))
def test_nesting_is_refused_past_64(depth: int, form: str) -> None:
    pieces = {"[]": ("[", "]"), "{}": ('{"a":', "}"), "[{": ('[{"a":', "}]")}[form]
    levels = depth * (2 if form == "[{" else 1)
    text = pieces[0] * depth + "1" + pieces[1] * depth
    if levels > MAX_DEPTH:
        with pytest.raises(Malformed, match="nesting"):
            read(text.encode())
    else:
        assert read(text.encode()) is not None


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(0xD800, 0xDFFF), TEXTS, st.booleans())
def test_a_lone_surrogate_is_refused_as_key_and_as_value(
    before: str, code: int, after: str, as_key: bool
) -> None:
    quoted = json.dumps(before)[:-1] + f"\\u{code:04x}" + json.dumps(after)[1:]
    text = f"{{{quoted}: 1}}" if as_key else f'{{"a": [{quoted}]}}'
    with pytest.raises(Malformed, match="surrogate"):
        read(text.encode())


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXTS, LEAVES, min_size=1), st.data())
def test_a_member_name_given_twice_is_refused(members: dict[str, Any], data: Any) -> None:
    again = data.draw(st.sampled_from(sorted(members)))
    text = json.dumps(members)[:-1] + f", {json.dumps(again)}: 0}}"
    for document in (text, f'[{{"x": {text}}}]'):
        with pytest.raises(Malformed, match="twice"):
            read(document.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9" * 1_000, int("9" * 1_000)),
        ("1" + "0" * 995 + "e-9", float("1" + "0" * 300 + "e-9") * 0 + math.inf),
        ("0." + "1" * 998, float("0." + "1" * 998)),
        ("-1e308", -1e308),
        ("1e-400", 0.0),
    ],
    ids=["1,000 digits", "overflow", "1,000 characters", "large", "underflow"],
)
def test_numbers_at_the_bounds(text: str, value: Any) -> None:
    if isinstance(value, float) and math.isinf(value):
        with pytest.raises(Malformed, match="infinity"):
            read(text.encode())
    else:
        assert read(text.encode()) == value


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"{",
        b'{"query": "x"',
        b"[]",
        b'"x"',
        b"null",
        b"7",
        b"query=x",
        b'{"query": "x"} trailing',
        b'{"query": "x"}{"query": "x"}',
        b'{"query": NaN}',
        b'{"query": "x", "min_score": Infinity}',
        b'{"query": "x", "min_score": -Infinity}',
        b'{"query": "x", "min_score": 1e999}',
        b'{"query": "x", "query": "y"}',
        b'{"query": "x", "metadata": {"a": 1, "a": 2}}',
        b'{"query": "x", "limit": ' + b"9" * 1_001 + b"}",
        b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"query": "x", "metadata": ' + b'{"a":' * 100 + b"1" + b"}" * 100 + b"}",
        b"{'query': 'x'}",
        b'{"query": "x",}',
        b'{"query": "tab\tinside"}',
        b'{"query": "x"} \x00',
        b'{"query": 01}',
        b'{"query": +1}',
        b'{"query": .5}',
        b"\xff\xfe",
        b'\xef\xbb\xbf\xef\xbb\xbf{"query": "x"}',
    ],
    ids=lambda raw: repr(raw[:24]),
)
def test_a_malformed_body_is_422_about_the_body_or_a_field(api: Api, raw: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = api.request("POST", "/v1/memories/search", content=raw, headers=headers)
    body = refused(response, 422, "invalid_request")
    assert body["detail"][0]["loc"][0] == "body"
    assert "body" in body["message"] or "query" in body["message"]
