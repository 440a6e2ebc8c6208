"""What the dialect stores, exported and imported again."""

from __future__ import annotations

import json

from tests.api_client import Api, Box, ok
from tests.openmem.client import Mos, texts


def test_all_that_is_stored_goes_out_and_comes_in_again(
    boot: Api, fresh: Box, fresh_mos: Mos, uid: str
) -> None:
    schema = json.dumps([{"name": "f", "description": "d" * 20_000}])
    fresh_mos.data(
        "/add/message",
        user_id=uid,
        messages=[
            {"role": "system", "content": f"<tool_schema>{schema}</tool_schema>"},
            {"role": "user", "content": "Where is the key?"},
        ],
        tags=["ж" * 100] * 50,
        info={"k": "v" * 8_100},
        async_mode=False,
    )
    lines = fresh.api.get("/v1/export").text
    other = Box(boot)
    kind = {"Content-Type": "application/x-ndjson"}
    told = ok(other.api.request("POST", "/v1/import", content=lines.encode(), headers=kind))
    assert (told["memories_imported"], told["failed"], told["complete"]) == (2, 0, True)
    found = Mos(boot.base_url, other.api.key).listed(uid)
    assert texts(found) == ["user: Where is the key?"]
    assert found["memory_detail_list"][0]["info"] == {"k": "v" * 8_100}
    (tool,) = found["tool_memory_detail_list"]
    assert tool["tool_type"] == "ToolSchemaMemory"
    assert json.loads(tool["tool_value"])["name"] == "f"
