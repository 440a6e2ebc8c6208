"""A conversation that a language model goes on with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from facts.extraction.writer.asking import MOST_ANSWERED
from facts.extraction.writer.endpoint import Endpoint
from facts.extraction.writer.failures import WriterUnavailable

Turn = Mapping[str, str]  # its `role` and its `content`


def conversation(endpoint: Endpoint, turns: Sequence[Turn], options: Mapping[str, Any]) -> bytes:
    """The body of a request; `options` are `max_tokens`, `temperature`, `top_p`, those given."""
    body = {
        "model": endpoint.model,
        "messages": [dict(one) for one in turns],
        "max_tokens": MOST_ANSWERED,
        **options,
    }
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def read_text(body: bytes) -> str:
    """The words of a chat completion. Raises WriterUnavailable when it has none."""
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str) or not content.strip():
        raise WriterUnavailable("unusable", "no words")
    return content.strip().replace("\x00", "")
