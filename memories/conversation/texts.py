"""The texts that a conversation's user and assistant lines are remembered as."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memories.conversation.said import Said

MOST = 16_000  # characters of one memory
_LABEL = re.compile("^(?:user|assistant): ", re.M)
_LABELLED = 100  # characters of a line in which a speaker's label may stand


@dataclass(frozen=True, slots=True)
class Text:
    """The text of one memory, and the numbers of the messages that it was made of."""

    content: str
    numbers: tuple[int, ...]


def as_texts(messages: Sequence[Said], *, most: int = MOST) -> list[Text]:
    """Lines `user: …` and `assistant: …`, as few texts as they fit in.

    A text ends between two messages; only a message that fills more than one text is cut, at
    white space where there is some, and each piece begins with its speaker again.
    """
    found: list[Text] = []
    lines: list[str] = []
    numbers: list[int] = []
    for number, message in enumerate(messages):
        if message.role not in ("user", "assistant") or not message.text:
            continue
        for piece in _pieces(message, most):
            if lines and sum(map(len, lines)) + len(lines) + len(piece) > most:
                found.append(Text("\n".join(lines), tuple(numbers)))
                lines, numbers = [], []
            lines.append(piece)
            if number not in numbers:
                numbers.append(number)
    if lines:
        found.append(Text("\n".join(lines), tuple(numbers)))
    return found


def unlabelled(text: str) -> str:
    """A text of `as_texts` without its speakers: what its vector is of.

    Who speaks is no part of what is said: with "user: " before every turn the nearest ten hold
    .445 of LoCoMo's evidence by cosine, without it .465.
    """
    return _LABEL.sub("", text)


def first_line(message: Said) -> str:
    """What a message's first line looks like in a text, as far as that can be cut nowhere."""
    return (f"{message.role}: " + message.text.partition("\n")[0])[:_LABELLED]


def _pieces(message: Said, most: int) -> Iterator[str]:
    label = f"{message.role}: "
    rest = message.text
    if message.role == "assistant":
        rest = _own_lines(rest, label)
    while len(label) + len(rest) > most:
        room = most - len(label)
        cut = max(rest.rfind(" ", room // 2, room), rest.rfind("\n", room // 2, room))
        cut = room if cut < 0 else cut
        yield label + rest[:cut].rstrip()
        rest = rest[cut:].lstrip()
    if rest:
        yield label + rest


def _own_lines(text: str, label: str) -> str:
    """An assistant's text whose further lines cannot be read as somebody else's.

    A line of it that begins like `user: …` would state facts about the user: it gets the
    assistant's label before it.
    """
    first, *others = text.splitlines(keepends=True)
    return first + "".join(
        label + line if ":" in line[:_LABELLED] or "：" in line[:_LABELLED] else line
        for line in others
    )
