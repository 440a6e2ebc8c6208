"""Which lists are wanted."""

from __future__ import annotations

from korely.openmem.sent import Sent


def read_views(sent: Sent, *, tools: bool) -> frozenset[str]:
    """The lists that are wanted; `tools`: whether those of tools are, unless told otherwise."""
    preference = sent.boolean("include_preference", True)
    tool = sent.boolean("include_tool_memory", tools)
    named = sent.words("include_memory_view")
    if named is not None:
        return frozenset(named)
    wanted = {"detail_factual", *(["preference"] if preference else [])}
    return frozenset({*wanted, *(["tool_memory"] if tool else [])})
