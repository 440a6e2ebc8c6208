"""Lines of a memory: who speaks, when, and whether a line is prose, a list item or a heading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from facts.extraction.text.masking import mask
from facts.vocabulary.words import words

Role = Literal["user", "assistant", "speaker"]

_STAMP = re.compile(
    r"[ \t]*\[(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2})?(?:\.\d{1,6})?"
    r"(Z|[+-]\d{2}:?\d{2})?)?\][ \t]*(?:[-:][ \t]+)?"
)
_BULLET = re.compile(r"[ \t]*(?:[-*+\u2022\u2013]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_LABEL = re.compile(r"[ \t]*(\w[\w.\-]{0,40}(?: \w[\w.\-]{0,30})?)[ \t]?:(?=[ \t]|$)")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|i've|ive|my|me|mine|we|our)\b", re.I)

_USER_LABELS = words("user human me client customer patient caller")
_ASSISTANT_LABELS = words("assistant ai bot system agent model chatbot tool function gpt")

# What hands over a text to work on ("Translate: I live in …"): nobody's name either.
TASKS = words(
    """translate rewrite rephrase paraphrase summarize summarise proofread correct improve draft
    write compose edit reword generate complete"""
)

# What stands before a colon in notes and must not be read as somebody's name.
_KEYS = words(
    """note notes update updates budget decision decisions deadline team phone tel mobile email
    mail     mails device sla erp wife husband spouse partner kids kid children son sons
    daughter daughters     plan status blocker blockers champion contact contacts summary
    session todo todos owner status     address city home location timezone tz job role title
    company employer manager boss name age diet     allergy allergies pet pets dog dogs cat
    cats car bike goal goals hobby hobbies interests interest     language languages salary
    price cost birthday born dob seat airline meals meal medication     medications meds
    condition conditions reminder fact facts news info fyi ps nb re fwd subject topic     date
    time when where who what why how warning error question answer q a ticket claim reason
    result results next previous today yesterday tomorrow also context background favorite
    favourite     likes dislikes hates loves prefers preference preferences stack tools editor
    shell os database db     server search checkout docs frontend backend design infra devops
    broadband internet hobby gender     pronouns nationality school university degree
    profession occupation project projects feature     rent mortgage income typo correction
    edit btw lunch dinner breakfast call meeting mtg lost     intro source link links url http
    https example tip hint important attention confirmed wedding"""
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the masked text.

    `text` is the content after stamp, bullet and label, `start` its code-point offset. `role` says
    who speaks: the end user ("user", also for unlabelled text), an assistant, or the named
    `speaker`. `stamp` is the line's own time, None when it carries none.
    """

    text: str
    start: int
    role: Role
    speaker: str | None
    stamp: datetime | None
    is_item: bool
    is_heading: bool
    labelled: bool


@dataclass(frozen=True, slots=True)
class _Raw:
    body: str
    start: int
    stamp: datetime | None
    is_item: bool
    is_heading: bool
    label: str | None
    label_end: int


def read_lines(text: str, *, user_id: str | None, names: Sequence[str]) -> list[Line]:
    """The lines of `text` that can state something, masked, with their speakers."""
    raws = [raw for raw in _raw_lines(mask(text)) if raw.body.strip()]
    labels = [raw.label.casefold() for raw in raws if raw.label is not None and not raw.is_item]
    own = {name.casefold() for name in names} | ({user_id.casefold()} if user_id else set())
    lines: list[Line] = []
    role: Role = "user"
    speaker: str | None = None
    labelled = False
    stamp: datetime | None = None
    for raw in raws:
        stamp = raw.stamp or (stamp if not raw.label else None)
        kind = _label_kind(raw, labels, own)
        body, start = raw.body, raw.start
        if kind is not None and raw.label is not None:
            role, labelled = kind, True
            speaker = None if kind != "speaker" or raw.label.casefold() in own else raw.label
            if kind == "speaker" and speaker is None:
                role = "user"
            body, start = body[raw.label_end :], start + raw.label_end
        if body.strip():
            lines.append(
                Line(body, start, role, speaker, stamp, raw.is_item, raw.is_heading, labelled)
            )
    return lines


def _raw_lines(masked: str) -> list[_Raw]:
    raws: list[_Raw] = []
    offset = 0
    for whole in masked.splitlines(keepends=True):
        at = 0
        stamp = None
        found = _STAMP.match(whole)
        if found:
            stamp = _stamp(found)
            at = found.end() if stamp else 0
        heading = _HEADING.match(whole, at)
        bullet = None if heading else _BULLET.match(whole, at)
        if heading or bullet:
            at = (heading or bullet).end()  # type: ignore[union-attr]
            found = _STAMP.match(whole, at)
            if found and _stamp(found):
                stamp, at = _stamp(found), found.end()
        body = whole[at:].rstrip()
        label = _LABEL.match(body)
        raws.append(
            _Raw(
                body,
                offset + at,
                stamp,
                bullet is not None,
                heading is not None,
                label.group(1) if label else None,
                label.end() if label else 0,
            )
        )
        offset += len(whole)
    return raws


def _stamp(found: re.Match[str]) -> datetime | None:
    day, hour, minute, zone = found.groups()
    text = (
        day if hour is None else f"{day}T{hour}:{minute}{(zone or '+00:00').replace('Z', '+00:00')}"
    )
    try:
        when = datetime.fromisoformat(text)
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _label_kind(raw: _Raw, labels: Sequence[str], own: set[str]) -> Role | None:
    if raw.label is None or raw.is_heading:
        return None
    label = raw.label.casefold()
    if label in _ASSISTANT_LABELS:
        return "assistant"
    if label in _USER_LABELS:
        return "user"
    if TASKS & set(label.split()):
        return None
    if raw.is_item or label in _KEYS or label.split()[0] in _KEYS or label.split()[-1] in _KEYS:
        return None
    if label in own or any(len(label) > 2 and name.startswith(label) for name in own):
        return "speaker"
    spoken = {other for other in labels if other not in _KEYS}
    if len(spoken) > 1 and len(labels) > 1:
        return "speaker"
    rest = raw.body[raw.label_end :]
    single = " " not in label and raw.label[:1].isupper()
    # A long rest is speech; after an unknown key of a note stands a short value.
    return "speaker" if single and (_FIRST_PERSON.search(rest) or len(rest.split()) > 5) else None
