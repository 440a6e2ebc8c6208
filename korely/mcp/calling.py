"""One call of a tool: guarded, counted and audited like the REST call of the same name."""

from __future__ import annotations

from typing import Any

from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from korely.http import rate_limits
from korely.http.errors import as_refusal
from korely.http.guard import audit_denied
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal, forbidden
from korely.mcp.arguments import read_arguments
from korely.mcp.messages import Fault
from korely.mcp.tools import TOOLS, Outcome, Tool


def call_tool(caller: Caller, params: Any) -> tuple[dict[str, Any], rate_limits.Standing | None]:
    """The result of a call, and where the account stands since. A refusal is a result of its own.

    Raises:
        Fault: -32602 for an unknown tool, and for arguments of a wrong name or type.
    """
    name, sent = params.get("name"), params.get("arguments")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise Fault(INVALID_PARAMS, f"Unknown tool; there are: {', '.join(TOOLS)}")
    if sent is not None and not isinstance(sent, dict):
        raise Fault(INVALID_PARAMS, "arguments must be an object")
    arguments = read_arguments(tool.arguments, sent or {})
    standing = rate_limits.count(caller)
    try:
        if standing is not None and standing.exceeded:
            raise standing.refusal()
        return _told(_outcome(tool, caller, arguments)), standing
    except Exception as error:  # whatever a call meets is told to who called, as elsewhere
        return _refused(as_refusal(error)), standing


def _outcome(tool: Tool, caller: Caller, arguments: dict[str, Any]) -> Outcome:
    try:
        if tool.scope not in caller.scopes:
            raise forbidden(f"API key missing required scope(s): {tool.scope}")
        return tool.run(caller, arguments)
    except Refusal as refusal:
        if refusal.status == 403:
            audit_denied(caller, tool.scope)
        raise


def _told(outcome: Outcome) -> dict[str, Any]:
    return _dumped(
        CallToolResult(
            content=[TextContent(type="text", text=outcome.text)],
            structured_content=dict(outcome.structured),
        )
    )


def _refused(refusal: Refusal) -> dict[str, Any]:
    text = f"error: {refusal.message}"
    return _dumped(CallToolResult(content=[TextContent(type="text", text=text)], is_error=True))


def _dumped(result: CallToolResult) -> dict[str, Any]:
    shown: dict[str, Any] = result.model_dump(
        by_alias=True, exclude_none=True, exclude={"result_type"}
    )
    return shown
