"""The path of a request as the application is to see it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from korely.front.asgi import Scope

# Stands for an encoded slash. A control character: ids may hold every other kind of character, a
# private-use one included. `%01` in a path looks the same, and is as invalid in an id.
SLASH = "\x01"

# Stands for the first segment that is not UTF-8 and all that follows it.
_NOWHERE = "/" + SLASH

_ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
_NOT_PLAIN = re.compile(rb"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True)
class Path:
    """`script_name` and `path_info` as text. `broken`: the path was not UTF-8, and `path_info` ends
    in the stand-in for its first segment that is not: whose the path is can still be told.
    """

    script_name: str
    path_info: str
    broken: bool


def read(scope: Scope, prefix: str) -> Path:
    """The path of an ASGI scope, percent-decoded once and otherwise as it was sent.

    Args:
        prefix: the path of the service's public address, `""` or `/like/this`. It is cut off
            where a request has it; a proxy may have done so before.
    """
    raw = scope.get("raw_path") or quote(scope["path"]).encode("ascii")
    decoded = unquote_to_bytes(_ENCODED_SLASH.sub(SLASH.encode("ascii"), raw))
    broken = False
    try:
        path = decoded.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = True
        path = decoded[: error.start].decode("utf-8").rpartition("/")[0] + _NOWHERE
    if prefix and (path == prefix or path.startswith(prefix + "/")):
        path = path[len(prefix) :] or "/"
    return Path(prefix, path, broken)


def query(scope: Scope) -> bytes:
    """The query string, with raw bytes outside ASCII percent-encoded."""
    return _NOT_PLAIN.sub(lambda found: b"%%%02X" % found[0][0], scope.get("query_string", b""))
