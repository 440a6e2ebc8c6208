"""JSON bodies, read strictly: what is ambiguous or cannot be kept is refused (contract, 1)."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from korely.kernel.spelled import SpelledFloat

MAX_DEPTH = 64
MAX_NUMBER_LENGTH = 1_000  # characters

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Malformed(ValueError):
    """The body is no JSON document that the service takes; the message says why."""


def _integer(text: str) -> int:
    if len(text) > MAX_NUMBER_LENGTH:
        raise Malformed(f"a number is longer than {MAX_NUMBER_LENGTH:,} characters")
    return int(text)


def _real(text: str) -> float:
    if len(text) > MAX_NUMBER_LENGTH:
        raise Malformed(f"a number is longer than {MAX_NUMBER_LENGTH:,} characters")
    value = SpelledFloat(text)
    if math.isinf(value):
        raise Malformed("a number overflows to infinity")
    return value


def _constant(text: str) -> NoReturn:
    raise Malformed(f"{text} is not a JSON number")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a member name appears twice in one object")
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_integer, parse_float=_real, parse_constant=_constant
)


def _walk(value: Any, *, surrogates: bool) -> None:
    """Refuse nesting past the limit and, where the text has such escapes, lone surrogates."""
    level = [value]
    depth = 0
    while level:
        below: list[Any] = []
        nested = False
        for item in level:
            if isinstance(item, dict):
                nested = True
                below.extend(item.values())
                if surrogates:
                    below.extend(item.keys())
            elif isinstance(item, list):
                nested = True
                below.extend(item)
            elif surrogates and isinstance(item, str):
                try:
                    item.encode()
                except UnicodeEncodeError:
                    raise Malformed("a string holds a lone surrogate") from None
        depth += nested
        if depth > MAX_DEPTH:
            raise Malformed(f"nesting is deeper than {MAX_DEPTH}")
        level = below


def read(raw: bytes) -> Any:
    """The document in a body.

    Raises:
        Malformed: not UTF-8, not JSON, NaN or an infinity, a number that overflows or is longer
            than 1,000 characters, a member name twice, nesting deeper than 64, a lone surrogate.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed("the body is not UTF-8") from None
    try:
        value = _DECODER.decode(text)
    except Malformed:
        raise
    except RecursionError:
        raise Malformed(f"nesting is deeper than {MAX_DEPTH}") from None
    except ValueError as error:
        where = f" at position {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Malformed(f"the body is not JSON{where}") from None
    _walk(value, surrogates=_SURROGATE.search(raw) is not None)
    return value
