"""The official MCP client over HTTP, and `korely-mcp` over stdio, against the live server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api_client import Api
from tests.mcp.calls import text


@pytest.mark.parametrize("offered", ["legacy", "auto"])
def test_the_official_client_connects_lists_and_calls_all_four(
    api: Api, uid: str, offered: str
) -> None:
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async def use() -> list[Any]:
        headers = {"Authorization": f"Bearer {api.key}"}
        async with httpx.AsyncClient(headers=headers, timeout=30) as http:
            transport = streamable_http_client(f"{api.base_url}/agent/mcp", http_client=http)
            async with Client(transport, mode=offered) as client:
                listed = await client.list_tools()
                calls: list[tuple[str, dict[str, Any]]] = [
                    ("korely_add", {"content": "The kettle is copper.", "user_id": uid}),
                    ("korely_search", {"query": "copper kettle", "user_id": uid}),
                    ("korely_get_context", {"query": "kettle", "user_id": uid}),
                    ("korely_get_facts", {"user_id": uid}),
                    ("korely_search", {"query": "x", "limit": 0}),
                ]
                return [listed, *[await client.call_tool(name, sent) for name, sent in calls]]

    listed, added, found, block, facts, broken = asyncio.run(asyncio.wait_for(use(), 60))
    assert {one.name for one in listed.tools} == {
        *("korely_add", "korely_get_context", "korely_get_facts", "korely_search")
    }
    assert added.content[0].text.startswith("Stored mem_")
    assert "The kettle is copper." in found.content[0].text
    assert found.structured_content["results"][0]["text"] == "The kettle is copper."
    assert "The kettle is copper." in block.content[0].text
    assert not facts.is_error
    assert broken.is_error
    assert broken.content[0].text.startswith("error: ")


def test_korely_mcp_over_stdio_says_what_the_hosted_tools_say(
    api: Api, uid: str, tmp_path: Path
) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-10")
    body = {"subject": uid, "predicate": "likes", "object": "tea", "user_id": uid}
    api.post("/v1/facts", {**body, "valid_from": "2026-02-01"})
    asked: list[tuple[str, dict[str, Any]]] = [
        ("korely_get_facts", {}),
        ("korely_search", {"query": "Rome"}),
        ("korely_get_context", {"query": "Rome"}),
        ("korely_get_facts", {"as_of": "2026-01-20"}),
        ("korely_get_facts", {"as_of": "2020-01-01"}),
    ]
    sent = [{"method": "initialize", "params": {}}, {"method": "tools/list"}]
    sent += [
        {"method": "tools/call", "params": {"name": name, "arguments": given}}
        for name, given in asked
    ]
    lines = [json.dumps({"jsonrpc": "2.0", "id": n, **one}) for n, one in enumerate(sent)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KORELY_")}
    home = {"HOME": str(tmp_path), "KORELY_CONFIG_HOME": str(tmp_path)}
    server = {"KORELY_API_KEY": str(api.key), "KORELY_BASE_URL": api.base_url}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "korely-mcp"), "--user-id", uid],
        input="\n".join(lines) + "\n",
        env={**kept, **home, **server},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    results = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    said = [one["content"][0]["text"] for one in results[2:]]
    hosted = [text(api, name, user_id=uid, **given) for name, given in asked]
    assert said == hosted
