"""The methods of the protocol: handshake, ping, the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from django.conf import settings
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Implementation,
    InitializeResult,
    ServerCapabilities,
    ToolsCapability,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from korely.http.rate_limits import Standing
from korely.kernel.caller import Caller
from korely.mcp import sessions
from korely.mcp.calling import call_tool
from korely.mcp.messages import Fault, Request
from korely.mcp.tools import TOOLS

VERSIONS = HANDSHAKE_PROTOCOL_VERSIONS
DEFAULT_CLIENT = "mcp"
_INSTRUCTIONS = (
    "Long-term memory. Recall with korely_get_context before answering; remember with korely_add"
    " what should last beyond this conversation."
)


@dataclass(slots=True)
class Exchange:
    """One HTTP request: who asks, and what its answer carries besides the messages' own."""

    caller: Caller
    standing: Standing | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, caller: Caller, session: str | None) -> Exchange:
        """The caller as it is known here: actor `mcp`, labelled by its session, else its header."""
        client = sessions.client_of(session) or caller.client or DEFAULT_CLIENT
        return cls(replace(caller, actor="mcp", client=client))

    def answer(self, request: Request) -> Mapping[str, Any]:
        """The result of a request. Raises Fault: -32601 for an unknown method, -32602."""
        match request.method:
            case "initialize":
                return self._initialize(request.params)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": list(_described())}
            case "tools/call":
                result, standing = call_tool(self.caller, request.params)
                self.standing = standing or self.standing
                return result
        raise Fault(METHOD_NOT_FOUND, f"Method not found: {request.method[:100]}")

    def _initialize(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        asked, client = params.get("protocolVersion"), params.get("clientInfo")
        if not isinstance(asked, str):
            raise Fault(INVALID_PARAMS, "protocolVersion must be a string")
        name = client.get("name") if isinstance(client, dict) else None
        self.headers["Mcp-Session-Id"] = sessions.open_session(
            name if isinstance(name, str) else ""
        )
        told = InitializeResult(
            protocol_version=asked if asked in VERSIONS else LATEST_HANDSHAKE_VERSION,
            capabilities=ServerCapabilities(tools=ToolsCapability(list_changed=False)),
            server_info=Implementation(name="korely", version=settings.KORELY_VERSION),
            instructions=_INSTRUCTIONS,
        )
        shown: dict[str, Any] = told.model_dump(
            by_alias=True, exclude_none=True, exclude={"result_type"}
        )
        return shown


@cache
def _described() -> tuple[dict[str, Any], ...]:
    return tuple(tool.described() for tool in TOOLS.values())
