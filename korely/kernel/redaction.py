"""What may never reach a log: keys, webhook secrets, credentials in URLs, memory text.

Log calls carry ids and counts only; this is the net below that rule. Exception messages are
dropped altogether, since a database error quotes the row it refused.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

_SECRETS = re.compile(
    r"kor_(?:self|live)_[0-9a-f]{32}|whsec_[A-Za-z0-9+/=]+|(?<=://)[^\s/@]+@|(?i:bearer\s+\S+)"
)


def scrub(text: str) -> str:
    """The text with keys, webhook secrets and URL credentials replaced."""
    return _SECRETS.sub("[redacted]", text)


def _frames(info: Any) -> str:
    kind, error, trace = info if isinstance(info, tuple) else sys.exc_info()
    if error is not None and trace is None:
        trace = error.__traceback__
    lines = [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]
    name = kind.__name__ if kind else "Exception"
    state = getattr(error, "sqlstate", None) or getattr(
        getattr(error, "__cause__", None), "sqlstate", None
    )
    return "\n".join([*lines[-25:], f"{name}{f' sqlstate={state}' if state else ''}"])


def redact(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: exceptions become frames and a class name, strings are scrubbed."""
    info = event.pop("exc_info", None)
    if info:
        event["exception"] = _frames(info if isinstance(info, tuple) else sys.exc_info())
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = scrub(value)
        elif isinstance(value, BaseException):
            event[key] = type(value).__name__
    return event
