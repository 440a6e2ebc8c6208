"""Every number of the contract at its edge, which is taken, and one beyond, which is not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.openmem.client import Mos, denied, good

ADD, SEARCH, GET, DELETE = "/add/message", "/search/memory", "/get/memory", "/delete/memory"
MESSAGES, FEEDBACK = "/get/message", "/add/feedback"
HELLO = {"role": "user", "content": "Hello there."}
NEEDED: dict[str, dict[str, Any]] = {
    ADD: {"user_id": "limits", "messages": [HELLO]},
    SEARCH: {"user_id": "limits", "query": "x"},
    GET: {"user_id": "limits"},
    MESSAGES: {"user_id": "limits", "conversation_id": "c"},
    FEEDBACK: {"user_id": "limits", "feedback_content": "x"},
}


def said(characters: int) -> list[dict[str, Any]]:
    """Two messages of so many characters together."""
    half = characters // 2
    return [{"role": "user", "content": "x" * one} for one in (half, characters - half)]


def info(size: int) -> dict[str, Any]:
    """So many bytes of JSON, as {"k":"é…"}; two of them a character."""
    return {"k": "é" * ((size - 8) // 2) + "x" * (size % 2)}


def called(path: str, field: str, *edges: Any, beyond: dict[int, list[Any]]) -> Any:
    return pytest.param(path, field, edges, beyond, id=f"{path[1:]}-{field}")


NUMBERS_AS_TEXTS = ["1", True, [1]]
CASES = [
    *(
        called(path, "user_id", "u", "u" * 100, "ü" * 100, beyond={40010: ["u" * 101, "u" * 300]})
        for path in NEEDED
    ),
    *(
        called(path, "conversation_id", "c" * 100, None, beyond={40011: ["c" * 101]})
        for path in (ADD, SEARCH, FEEDBACK)
    ),
    called(MESSAGES, "conversation_id", "c", "c" * 100, beyond={40011: ["c" * 101]}),
    called(ADD, "messages", [HELLO], [HELLO] * 100, beyond={40000: [[HELLO] * 101], 40003: [[]]}),
    called(ADD, "messages", said(80_000), beyond={40305: [said(80_001), said(90_000)]}),
    called(
        ADD,
        "tags",
        [],
        [f"t{number}" for number in range(50)],
        ["t" * 100],
        beyond={40000: [["t"] * 51, ["t" * 101], [""], [" "]]},
    ),
    called(ADD, "info", {}, info(8_192), beyond={40000: [info(8_193), info(9_000)]}),
    called(SEARCH, "query", "q" * 16_000, beyond={40305: ["q" * 16_001], 40002: ["", " ", None]}),
    *(
        called(SEARCH, f"{kind}_limit_number", 0, 25, None, beyond={40000: [-1, 26, 1e9, "6"]})
        for kind in ("memory", "preference", "tool_memory")
    ),
    called(
        SEARCH,
        "relativity",
        0,
        1,
        0.0,
        1.0,
        None,
        beyond={40012: [-0.001, 1.001, *NUMBERS_AS_TEXTS]},
    ),
    called(GET, "page", 1, 2, None, beyond={40000: [0, -1, 1.5, *NUMBERS_AS_TEXTS]}),
    called(GET, "current", 1, 2, None, beyond={40000: [0, -1, 1.5, *NUMBERS_AS_TEXTS]}),
    called(GET, "size", 1, 50, None, beyond={40000: [0, 51, 1.5, *NUMBERS_AS_TEXTS]}),
    called(
        MESSAGES, "message_limit_number", 1, 50, None, beyond={40000: [0, 51, *NUMBERS_AS_TEXTS]}
    ),
]


@pytest.mark.parametrize(("path", "field", "edges", "beyond"), CASES)
def test_what_is_at_the_edge_is_taken_and_what_is_beyond_is_refused_by_name(
    mos: Mos, path: str, field: str, edges: tuple[Any, ...], beyond: dict[int, list[Any]]
) -> None:
    for value in edges:
        good(mos.post(path, **{**NEEDED[path], field: value}))
    for code, values in beyond.items():
        for value in values:
            denied(mos.post(path, **{**NEEDED[path], field: value}), 400, code, field)


def test_a_hundred_ids_are_deleted_at_once_and_no_more_are(mos: Mos, uid: str) -> None:
    unknown = [f"mem_{number:032x}" for number in range(101)]
    denied(mos.post(DELETE, memory_ids=unknown[:100]), 404, 40307)
    denied(mos.post(DELETE, memory_ids=unknown), 400, 40000, "memory_ids")
    mos.say(uid, "Where is the key?")
    (memory,) = mos.listed(uid)["memory_detail_list"]
    assert mos.data(DELETE, memory_ids=[memory["id"]]) == {"success": True}
    assert mos.listed(uid)["total"] == 0


def test_without_limits_each_list_has_six_and_a_page_ten(mos: Mos, uid: str) -> None:
    names = ("jazz", "blues", "swing", "opera", "polka", "tango", "samba", "salsa", "waltz")
    schemas = [f'{{"name": "play_{one}"}}' for one in names]
    system = {"role": "system", "content": f"<tool_schema>[{', '.join(schemas)}]</tool_schema>"}
    lines = [{"role": "user", "content": f"I like {one}."} for one in names]
    mos.data("/add/message", user_id=uid, messages=[system, *lines], async_mode=False)
    for number in range(12):
        mos.data("/add/message", user_id=uid, messages=[{**HELLO, "content": f"Parcel {number}?"}])

    def sizes(found: dict[str, Any]) -> list[int]:
        lists = ("memory_detail_list", "preference_detail_list", "tool_memory_detail_list")
        return [len(found[name]) for name in lists]

    assert sizes(mos.search(uid, "music parcel", include_tool_memory=True)) == [6, 6, 6]
    assert sizes(mos.search(uid, "music parcel")) == [6, 6, 0]
    whole = {f"{kind}_limit_number": 25 for kind in ("memory", "preference", "tool_memory")}
    assert sizes(mos.search(uid, "parcel", include_tool_memory=True, **whole)) == [13, 9, 9]
    assert sizes(mos.listed(uid)) == [10, 9, 9]
    assert sizes(mos.listed(uid, page=2)) == [3, 0, 0]
    messages = mos.data("/get/message", user_id=uid, conversation_id="none")
    assert messages == {"message_detail_list": []}
    mos.say(uid, *(f"Line {number}." for number in range(8)), conversation_id="eight")
    eight = {"user_id": uid, "conversation_id": "eight"}
    kept = mos.data("/get/message", **eight)["message_detail_list"]
    assert [one["content"] for one in kept] == [f"Line {number}." for number in range(2, 8)]
