"""Requests that leave exactly as they are written, and bodies of an exact size."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from tests.api_client import Api

MOST = 2_097_152  # bytes a body may have


def padded(size: int) -> bytes:
    body = b'{"query": "padding"}'
    return body + b" " * (size - len(body))


def raw(api: Api, method: str, target: str, **given: Any) -> tuple[int, dict[str, Any]]:
    """One request whose target and headers leave exactly as written; status and JSON."""
    address = urlsplit(api.base_url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        connection.putheader("Authorization", f"Bearer {api.key}")
        for name, value in given.get("headers", {}).items():
            connection.putheader(name, value)
        body = given.get("body")
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()
