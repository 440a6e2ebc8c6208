"""Bodies as the front handed them on: whether they arrived, what they are, a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.http import parse_header_parameters

from korely.http import marks, strict_json
from korely.http.shapes import unreadable
from korely.kernel.errors import Refusal

JSON = "application/json"


def too_large(most: int) -> Refusal:
    return Refusal(413, "payload_too_large", f"The body is larger than {most:,} bytes")


def require_arrived(request: HttpRequest, most: int) -> None:
    """408 for a body that came late, 413 for one of more than `most` bytes."""
    mark = marks.body_mark(request)
    if mark == "late":
        raise Refusal(
            408, "request_timeout", "The body did not arrive whole in time; send it again"
        )
    if mark == "too_large":
        raise too_large(most)


def require_media(request: HttpRequest, media: str) -> None:
    """415 for a body of another kind, in another charset, or encoded."""
    kind = request.META.get("CONTENT_TYPE", "")
    essence, parameters = parse_header_parameters(kind)
    charset = parameters.get("charset", "utf-8").lower()
    if kind and (essence != media or charset not in {"utf-8", "utf8"}):
        message = f"Content-Type must be {media} in UTF-8, or left out"
        raise Refusal(415, "unsupported_media_type", message)
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise Refusal(415, "unsupported_media_type", "Content-Encoding must be identity")


def read_object(raw: bytes) -> Mapping[str, Any]:
    """The JSON object in a body; 422 where there is none."""
    try:
        value = strict_json.read(raw)
    except strict_json.Malformed as error:
        raise unreadable(str(error)) from None
    if not isinstance(value, dict):
        raise unreadable("the body must be a JSON object")
    return value
