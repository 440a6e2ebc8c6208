"""What a language model answers, read as strictly as any other input."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from facts.extraction.writer.failures import WriterUnavailable

_LONGEST = 2_000  # code points of a part: none of a fact is longer than a sentence
_MOST_REPLACED = 8
_MOST_READ = 200  # facts of an answer; one of 4,096 tokens has fewer


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as a model words it, of the right types and nothing more."""

    quote: str
    subject: str
    predicate: str
    verb: str
    object: str
    tense: str
    denied: bool
    when: str
    replaces: tuple[str, ...]


def read_tokens(body: bytes) -> int | None:
    """The tokens that an answer says it cost; None when it does not."""
    try:
        told = json.loads(body)["usage"]["total_tokens"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else None


def read_reply(body: bytes) -> list[Stated | None]:
    """The facts of a chat completion in its order, None for an entry of another shape.

    Raises:
        WriterUnavailable: "unusable" when it is no completion, or its content is not of the schema.
    """
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
        found = json.loads(content)["facts"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise WriterUnavailable("unusable", "not the JSON that was asked for") from None
    if not isinstance(found, list):
        raise WriterUnavailable("unusable", "not the JSON that was asked for")
    return [_stated(entry) for entry in found[:_MOST_READ]]


def _stated(entry: Any) -> Stated | None:
    if not isinstance(entry, dict):
        return None
    quote, subject, predicate, verb, value, tense, when = (
        _text(entry.get(name))
        for name in ("quote", "subject", "predicate", "verb", "object", "tense", "when")
    )
    denied, replaces = entry.get("denied"), entry.get("replaces")
    if None in (quote, subject, predicate, verb, value, tense, when):
        return None
    if not isinstance(denied, bool) or not isinstance(replaces, list):
        return None
    replaced = [_text(one) for one in replaces[:_MOST_REPLACED]]
    return Stated(
        quote=quote or "",
        subject=subject or "",
        predicate=predicate or "",
        verb=verb or "",
        object=value or "",
        tense=tense or "",
        denied=denied,
        when=when or "",
        replaces=tuple(one for one in replaced if one),
    )


def _text(given: object) -> str | None:
    return given.strip() if isinstance(given, str) and len(given) <= _LONGEST else None
