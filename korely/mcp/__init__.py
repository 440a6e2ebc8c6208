"""The MCP tools: an adapter over the same services (contract, section 20)."""
