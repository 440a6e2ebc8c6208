"""The four tools."""

from korely.mcp.tools.add import ADD
from korely.mcp.tools.base import Outcome, Tool
from korely.mcp.tools.context import GET_CONTEXT
from korely.mcp.tools.facts import GET_FACTS
from korely.mcp.tools.search import SEARCH

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (GET_CONTEXT, ADD, SEARCH, GET_FACTS)}

__all__ = ["TOOLS", "Outcome", "Tool"]
