"""Files of other services as records."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest

from korely.embedded.stack import Stack

KEYS = frozenset({"results", "threads", "messages", "episodes"})
WRAPPERS = frozenset({"data"})

A, B = {"id": "a", "n": [1, 2.5, {"x": None}]}, {"id": "b"}
THREAD = {"thread_id": "t", "messages": [A, B], "n": 1}


@pytest.fixture(scope="module", autouse=True)
def _settings(stack: Stack) -> None:
    """Django is set up by the server's fixture."""


def found(text: str | bytes, *, times: int = 1) -> list[tuple[int, Any, Any, Any]]:
    from korely.rest.transfer.foreign.records import Record, Records

    raw = text if isinstance(text, bytes) else text.encode()
    records = Records(io.BytesIO(raw), keys=KEYS, wrappers=WRAPPERS)
    for _ in range(times - 1):
        list(records)
    return [
        (one.number, one.key, dict(one.around), one.value)
        if isinstance(one, Record)
        else (one[0], one[1].reason, None, None)
        for one in records
    ]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("document", "records"),
    [
        ([A, B], [(1, None, {}, A), (2, None, {}, B)]),
        ({"n": 2, "results": [A, B]}, [(1, "results", {"n": 2}, A), (2, "results", {"n": 2}, B)]),
        ({"data": {"results": [A]}, "x": [B], "y": {"results": [B]}}, [(1, "results", {}, A)]),
        ({"results": []}, []),
        ([], []),
        ([THREAD], [
            (1, "messages", {"thread_id": "t", "n": 1}, A),
            (2, "messages", {"thread_id": "t", "n": 1}, B),
        ]),
        ({"u": "x", "threads": [THREAD, B]}, [
            (1, "messages", {"u": "x", "thread_id": "t", "n": 1}, A),
            (2, "messages", {"u": "x", "thread_id": "t", "n": 1}, B),
            (3, "threads", {"u": "x"}, B),
        ]),
        ([{"id": "e", "episodes": []}], [(1, None, {}, {"id": "e", "episodes": []})]),
        ([{"id": "e", "episodes": ["x"]}], [(1, None, {}, {"id": "e", "episodes": ["x"]})]),
        ([A, "text", [B]], [(1, None, {}, A), (2, "unknown_kind", None, None), (3, None, {}, B)]),
    ],
)  # fmt: skip
def test_lists_and_lists_under_known_keys_are_records(
    document: Any, records: list[Any], indent: int | None
) -> None:
    text = json.dumps(document, indent=indent)
    assert found(text) == records
    assert found("\ufeff" + text + "\n\n", times=3) == records


def test_lines_are_numbered_as_lines_and_a_bad_one_is_told_alone() -> None:
    text = f'\n{json.dumps(A)}\n\n{{"broken\n{json.dumps(THREAD)}\r\n[]\n3\n'
    around = {"thread_id": "t", "n": 1}
    assert found(text) == [
        (2, None, {}, A),
        (4, "unreadable", None, None),
        (5, "messages", around, A),
        (5, "messages", around, B),
        (7, "unknown_kind", None, None),
    ]


def test_a_user_that_stands_after_the_list_is_known_from_the_second_reading_on() -> None:
    text = json.dumps({"messages": [A], "user_id": "u"}, indent=1)
    assert found(text, times=2) == [(1, "messages", {"user_id": "u"}, A)]


@pytest.mark.parametrize(
    "text",
    ["", " \n", "7", '{"x": 1}\n{', '{"results": [', "[1", '{"a":\n1}', '["a"] 1', b"\xff\xfe[]"],
)
def test_what_is_no_list_of_records_is_refused_and_not_quoted(text: str | bytes) -> None:
    from korely.rest.transfer.foreign.records import Unreadable

    with pytest.raises(Unreadable) as refused:
        assert found(text) == [(1, None, {}, {"x": 1}), (2, "unreadable", None, None)]
        raise Unreadable("read as lines")
    assert "xff" not in str(refused.value)


@pytest.mark.parametrize("lines", [True, False])
def test_a_big_file_is_read_in_constant_memory(lines: bool) -> None:
    from korely.rest.transfer.foreign.records import Records

    one = json.dumps({"id": "x", "content": "y" * 2_000, "vector": [0.5] * 100})
    count = 2_000
    body = (one + "\n") * count if lines else '{"results": [' + ",".join([one] * count) + "]}"
    file = io.BytesIO(body.encode())
    records = Records(file, keys=KEYS, wrappers=WRAPPERS)
    tracemalloc.start()
    try:
        assert sum(1 for _ in records) == count
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(body) > 5_000_000
    assert peak < 1_000_000, peak
