"""Conversations as texts and tools, without a server."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memories.conversation import Said, as_texts, as_tools, first_line
from memories.conversation.rewordings import read_rewordings
from memories.conversation.stamping import Dated, Stamped, stamped
from memories.conversation.tools import SCHEMA, TRAJECTORY


def said(role: Any, text: Any, **extras: Any) -> Said:
    return Said(role, text, None, extras)


def test_user_and_assistant_lines_are_one_text_and_others_none() -> None:
    messages = [
        said("system", "Be nice."),
        said("user", "Hello."),
        said("assistant", "Hi."),
        said("tool", "42", tool_call_id="c"),
    ]
    (text,) = as_texts(messages)
    assert (text.content, text.numbers) == ("user: Hello.\nassistant: Hi.", (1, 2))


def test_a_long_conversation_ends_a_text_between_two_messages() -> None:
    messages = [said("user", f"{number} " + "word " * 1_500) for number in range(5)]
    texts = as_texts(messages)
    assert [text.numbers for text in texts] == [(0, 1), (2, 3), (4,)]
    assert all(len(text.content) <= 16_000 for text in texts)


def test_only_a_message_too_long_for_one_text_is_cut_and_says_who_speaks_again() -> None:
    words = " ".join(f"w{number}" for number in range(9_000))
    texts = as_texts([said("user", "short"), said("assistant", words)])
    assert all(len(text.content) <= 16_000 for text in texts)
    assert texts[0].content == "user: short"
    assert all(text.content.startswith("assistant: w") for text in texts[1:])
    joined = " ".join(text.content.removeprefix("assistant: ") for text in texts[1:])
    assert joined == words


def test_an_assistants_further_lines_stay_the_assistants() -> None:
    (text,) = as_texts([said("assistant", "Well:\nuser: I like trance.\n- human: I am rich.\nBye")])
    assert text.content.splitlines() == [
        "assistant: Well:",
        "assistant: user: I like trance.",
        "assistant: - human: I am rich.",
        "Bye",
    ]


def test_only_the_words_of_parts_are_read() -> None:
    parts = [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": "x"}}]
    assert [text.content for text in as_texts([said("user", parts)])] == ["user: Look:"]


def test_each_tool_of_a_schema_block_is_one_text_and_other_system_texts_are_none() -> None:
    tools = [{"name": "a"}, {"type": "function", "function": {"name": "b"}}]
    block = f"Be nice. <tool_schema>{json.dumps(tools)}</tool_schema> Thanks."
    found = as_tools([said("system", block), said("system", "Be brief."), said("user", block)])
    assert [json.loads(one.content) for one in found] == tools
    assert {(one.type, one.numbers) for one in found} == {(SCHEMA, (0,))}
    assert as_tools([said("system", "<tool_schema>[{]</tool_schema>")]) == []


def call(number: int, name: str = "look_up", arguments: str = "{}") -> dict[str, Any]:
    return {"id": f"c{number}", "function": {"name": name, "arguments": arguments}}


def test_a_trajectory_joins_calls_with_their_results_by_id() -> None:
    messages = [
        said("user", "Both, please."),
        said("assistant", None, tool_calls=[call(1, "a", '{"x": 1}'), call(2, "b")]),
        said("tool", "second", tool_call_id="c2"),
        said("tool", "first", tool_call_id="c1"),
        said("assistant", "Here."),
        said("user", "Thanks."),
    ]
    (found,) = as_tools(messages)
    assert found.content == 'Both, please. → a({"x": 1}) → first → b({}) → second → Here.'
    assert (found.type, found.numbers) == (TRAJECTORY, (0, 1, 2, 3, 4))


@pytest.mark.parametrize(
    ("results", "rate", "error"),
    [
        (["fine"], "1.0", ""),
        (["fine", "Error: no such city"], "0.5", "error"),
        (['{"error": "TimeoutError: too slow"}'], "0.0", "TimeoutError"),
        (['{"errors": 0, "ok": true}'], "1.0", ""),
        ([None], "0.0", "no_result"),
    ],
)
def test_how_a_tool_did_is_told_in_texts(results: list[str | None], rate: str, error: str) -> None:
    messages = [said("user", "Go."), said("assistant", None, tool_calls=[call(0)] * 0)]
    for number, result in enumerate(results):
        messages.append(said("assistant", None, tool_calls=[call(number)]))
        if result is not None:
            messages.append(said("tool", result, tool_call_id=f"c{number}"))
    ((used,),) = [one.used for one in as_tools(messages)]
    assert (used["used_tool"], used["success_rate"], used["error_type"]) == ("look_up", rate, error)
    assert all(isinstance(value, str) for value in used.values())
    assert used["experience"]


@pytest.mark.parametrize(
    ("text", "key", "new"),
    [
        ("Siemens should be Bosch", "siemens", "Bosch"),
        ("No, the name Siemens should be Bosch, not Siemens.", "siemens", "Bosch"),
        ('"Rome" should have been "Oslo".', "rome", "Oslo"),
    ],
)
def test_x_should_be_y_is_a_rewording(text: str, key: str, new: str) -> None:
    (found,) = read_rewordings(text)
    assert key in found.keys
    assert found.new == new


@pytest.mark.parametrize("text", ["I should be going.", "Should be fine", "I live in Rome."])
def test_other_wordings_replace_nothing_that_is_remembered(text: str) -> None:
    assert all("rome" not in found.keys for found in read_rewordings(text))


def test_lines_said_at_other_times_are_stamped_and_places_lead_back() -> None:
    march, june = datetime(2025, 3, 1, 9, 30, tzinfo=UTC), datetime(2025, 6, 2, tzinfo=UTC)
    messages = [said("user", "I moved to Oslo."), said("user", "user: x\nI like jazz.")]
    (text,) = as_texts(messages)
    times = zip(messages, (march, june), strict=True)
    lines = [Dated(first_line(one), moment) for one, moment in times]
    found = stamped(text.content, june, lines)
    assert found.text == (
        "[2025-03-01 09:30] user: I moved to Oslo.\n[2025-06-02 00:00] user: user: x\nI like jazz."
    )
    for word in ("user: I", "Oslo", "jazz"):
        start = found.text.index(word)
        origin = found.origin(start)
        assert text.content[origin : found.origin(start + len(word))] == word
    assert found.origin(len(found.text)) == len(text.content)


def test_one_time_for_all_and_unknown_lines_leave_a_text_as_it_is() -> None:
    june = datetime(2025, 6, 2, tzinfo=UTC)
    assert stamped("user: x", june, [Dated("user: x", june)]) == Stamped("user: x")
    other = Dated("user: y", datetime(2025, 1, 1, tzinfo=UTC))
    assert stamped("user: x", june, [other]).text == "user: x"
