"""`/agent/mcp`: Streamable HTTP, stateless, answers in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View
from mcp_types import INVALID_REQUEST, PARSE_ERROR

from korely.http import bodies, hosts, marks, strict_json
from korely.http.errors import answer_text, json_text, refuse
from korely.http.guard import Guard
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal, forbidden
from korely.mcp import messages
from korely.mcp.messages import Fault
from korely.mcp.protocol import VERSIONS, Exchange

MOST_MESSAGES = 50  # of one request


@dataclass(frozen=True, slots=True)
class Operation:
    """A key is all that a message needs; tools ask for their scope, and are counted one by one."""

    scope: str | None = None
    counted: bool = False
    public: bool = False
    lines: bool = False


class Mcp(Guard, View):
    def post(self, request: HttpRequest, caller: Caller, raw: bytes) -> HttpResponse:
        _require_own_origin(request)
        try:
            sent = _read(raw)
            _require_known_version(request, sent)
        except Fault as fault:
            return _answer(messages.error(None, fault), 400)
        exchange = Exchange.of(caller, request.headers.get("Mcp-Session-Id"))
        several = isinstance(sent, list)
        answers = [found for one in (sent if several else [sent]) if (found := _one(exchange, one))]
        if not answers:
            return HttpResponse(status=202)
        self.standing = exchange.standing
        bad = not several and answers[0].get("error", {}).get("code") == INVALID_REQUEST
        response = _answer(answers if several else answers[0], 400 if bad else 200)
        for name, value in exchange.headers.items():
            response[name] = value
        return response

    post.operation = Operation()  # type: ignore[attr-defined]

    def read(self, request: HttpRequest, wanted: Operation) -> dict[str, Any]:
        bodies.require_arrived(request, marks.MAX_BODY)
        bodies.require_media(request, bodies.JSON)
        return {"raw": request.body}

    def refused(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        return refuse(refusal)


def _read(raw: bytes) -> Any:
    """One message or a list of them. Raises Fault: -32700, -32600."""
    try:
        sent = strict_json.read(raw)
    except strict_json.Malformed as error:
        raise Fault(PARSE_ERROR, f"Parse error: {error}") from None
    if isinstance(sent, list) and not 1 <= len(sent) <= MOST_MESSAGES:
        raise Fault(INVALID_REQUEST, f"A list has 1 to {MOST_MESSAGES} messages")
    return sent


def _one(exchange: Exchange, sent: Any) -> dict[str, Any] | None:
    """The answer to one message; None when it wants none."""
    try:
        request = messages.read_message(sent)
        return None if request is None else messages.result(request.id, exchange.answer(request))
    except Fault as fault:
        return messages.error(messages.id_of(sent), fault)


def _require_known_version(request: HttpRequest, sent: Any) -> None:
    """The handshake says its version in its parameters; whatever follows it may say it on top."""
    version = request.headers.get("MCP-Protocol-Version")
    opens = isinstance(sent, dict) and sent.get("method") == "initialize"
    if version is not None and version not in VERSIONS and not opens:
        raise Fault(INVALID_REQUEST, f"MCP-Protocol-Version is none of {', '.join(VERSIONS)}")


def _require_own_origin(request: HttpRequest) -> None:
    """A page of another site in somebody's browser does not get to speak to a server near it."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    host = urlsplit(origin).netloc.rpartition("@")[2]
    allowed = {urlsplit(one).netloc or one for one in settings.MCP_ALLOWED_ORIGINS}
    if not host or not (host in allowed or hosts.is_own(host)):
        raise forbidden("This Origin may not call MCP: MCP_ALLOWED_ORIGINS names those that may")


def _answer(body: Any, status: int) -> HttpResponse:
    return answer_text(json_text(body), status)
