"""What a conversation tells of tools: their schemas, and how they were used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memories.conversation.said import Call, Said
from memories.fields import compact

SCHEMA, TRAJECTORY = "ToolSchemaMemory", "ToolTrajectoryMemory"

_BLOCK = re.compile(r"<tool_schema>(.*?)</tool_schema>", re.DOTALL)
_NAMED_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Timeout)\b")
_FAILED = re.compile(r"\s*(?:error|exception|failed|failure|traceback)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToolText:
    """The text of one memory of kind `tool`; `numbers` are those of its messages."""

    type: str
    content: str
    numbers: tuple[int, ...]
    used: list[dict[str, str]] = field(default_factory=list)


def as_tools(messages: Sequence[Said]) -> list[ToolText]:
    """Schemas in system messages, one a tool; one trajectory a task that tools were used for."""
    return [*_schemas(messages), *_trajectories(messages)]


def _schemas(messages: Sequence[Said]) -> Iterator[ToolText]:
    for number, message in enumerate(messages):
        if message.role != "system":
            continue
        for block in _BLOCK.findall(message.text):
            try:
                found = json.loads(block)
            except (ValueError, RecursionError):
                continue
            for schema in found if isinstance(found, list) else ():
                if isinstance(schema, dict) and schema:
                    yield ToolText(SCHEMA, compact(schema), (number,))


@dataclass(slots=True)
class _Turn:
    """What happened for one thing the user asked."""

    task: str = ""
    numbers: list[int] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    results: dict[str, str] = field(default_factory=dict)
    answer: str = ""


def _trajectories(messages: Sequence[Said]) -> Iterator[ToolText]:
    turn = _Turn()
    for number, message in enumerate(messages):
        if message.role == "user":
            yield from _told(turn)
            turn = _Turn(task=message.text, numbers=[number])
        elif message.role == "assistant":
            if message.calls:
                turn.calls += message.calls
            elif turn.calls and message.text:
                turn.answer = message.text
            turn.numbers.append(number)
        elif message.role == "tool":
            if message.answers is not None:
                turn.results[message.answers] = message.text
            turn.numbers.append(number)
    yield from _told(turn)


def _told(turn: _Turn) -> Iterator[ToolText]:
    if not turn.calls:
        return
    steps = [turn.task] if turn.task else []
    for call in turn.calls:
        steps.append(f"{call.name}({call.arguments})")
        if call.id in turn.results:
            steps.append(turn.results[call.id])
    if turn.answer:
        steps.append(turn.answer)
    yield ToolText(TRAJECTORY, " → ".join(steps), tuple(turn.numbers), _used(turn))


def _used(turn: _Turn) -> list[dict[str, str]]:
    """How each tool did, in the order of its first call."""
    by_name: dict[str, list[Call]] = {}
    for call in turn.calls:
        by_name.setdefault(call.name, []).append(call)
    return [_use(name, calls, turn.results) for name, calls in by_name.items()]


def _use(name: str, calls: Sequence[Call], results: dict[str, str]) -> dict[str, str]:
    errors = [_error(results.get(call.id)) for call in calls]
    good = errors.count("")
    times = "once" if len(calls) == 1 else f"{len(calls)} times"
    how = {0: "and never succeeded", len(calls): "and succeeded"}.get(good)
    how = how or f"and succeeded {good} of them"
    return {
        "used_tool": name,
        "experience": f"{name} was called {times} {how}; last with {calls[-1].arguments or '{}'}",
        "error_type": next((error for error in reversed(errors) if error), ""),
        "success_rate": f"{good / len(calls):.1f}",
    }


def _error(result: str | None) -> str:
    """What kind of error a result tells; "" for none."""
    if result is None:
        return "no_result"
    try:
        value: Any = json.loads(result)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        told = value.get("error") or (value.get("status") in ("error", "failed") and "error")
        if not told and value.get("success") is not False and value.get("is_error") is not True:
            return ""
    elif not _FAILED.match(result):
        return ""
    named = _NAMED_ERROR.search(result)
    return named.group() if named else "error"
