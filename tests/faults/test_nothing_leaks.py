"""Logs, the broker and error bodies hold neither what was remembered nor what opens the door."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import redis

from tests.api_client import Api, ok, refused, wait_for
from tests.faults.rig import Rig

# One word for each place a text can come in by; found nowhere else.
CONTENT, QUERY, METADATA, USER = "zwieselberg", "quackenbrook", "mettlachine", "userlehnin"
MALFORMED, ROUTE, UPDATED = "kaputtmacher", "pathwalden", "neuschreiber"
FACT, NAME = "halberstoff", "namenloser"
WORDS = (CONTENT, QUERY, METADATA, USER, MALFORMED, ROUTE, UPDATED, FACT, NAME)


@contextmanager
def refusing(rig: Rig, table: str, column: str) -> Iterator[None]:
    """The database refuses rows with the word: an error that quotes the row it refused."""
    rule = f"CHECK ({column} NOT ILIKE '%{CONTENT}%')"
    rig.alter(f"ALTER TABLE {table} ADD CONSTRAINT odd {rule} NOT VALID")
    try:
        yield
    finally:
        rig.alter(f"ALTER TABLE {table} DROP CONSTRAINT odd")


def refusals(rig: Rig, api: Api) -> list[httpx.Response]:
    """Every kind of refusal, each given the words to quote."""
    key = api.key
    memory = {"content": f"I like {CONTENT}.", "user_id": USER, "metadata": {METADATA: METADATA}}
    found = [
        api.request("POST", "/v1/memories", content=f'{{"content": "{MALFORMED}", "user_id": '),
        api.post("/v1/memories", {"content": CONTENT, "metadata": {METADATA: "\x00"}}),
        api.post("/v1/memories/search", {"query": QUERY, "limit": 500}),
        api.get(f"/v1/memories/{ROUTE}"),
        api.get(f"/v1/{ROUTE}"),
        api.get("/v1/context", query=QUERY, token_budget=1, user_id=USER),
        Api(api.base_url, None).get("/v1/memories", api_key=key, key=key),
        api.post("/v1/facts", {"subject": FACT, "predicate": "", "object": FACT}),
        api.post(f"/v1/users/{USER}-2/names", {"name": NAME}),
        api.post("/v1/users/a%2Fb/names", {"name": NAME}),
        rig.boot.post("/admin/keys", {"name": CONTENT, "users": [f"{CONTENT}*{CONTENT}"]}),
        rig.boot.post("/v1/agents/init", {"agent_caller": CONTENT}),
        httpx.get(f"{api.base_url}/v1/memories", headers={"Authorization": f"Token {key}"}),
        httpx.get(f"{api.base_url}/v1/memories", headers={"Authorization": f"Bearer {key}0"}),
    ]
    assert all(400 <= response.status_code < 500 for response in found)
    with refusing(rig, "memories_memory", "content"):
        found.append(api.post("/v1/memories", memory))
        refused(found[-1], 500, "internal_error")
    with rig.without("postgres"):
        for call in (
            lambda: api.post("/v1/memories", memory),
            lambda: api.post("/v1/memories/search", {"query": QUERY, "user_id": USER}),
        ):
            found.append(call())
            refused(found[-1], 503, "unavailable")
    rig.await_ready()
    return found


def broker_contents(rig: Rig) -> str:
    """All keys and values of both databases, whatever their kind, decoded too."""
    parts: list[object] = []
    for url in ("BROKER_URL", "CACHE_URL"):
        client = redis.from_url(rig.stack.env[url])
        for name in client.scan_iter():
            kind = client.type(name).decode()
            reads = {
                "string": client.get,
                "list": lambda key, c=client: c.lrange(key, 0, -1),
                "hash": client.hgetall,
                "set": client.smembers,
                "zset": lambda key, c=client: c.zrange(key, 0, -1),
            }
            parts += [name, reads[kind](name)]
    plain = repr(parts)
    wrapped = re.findall(r"[A-Za-z0-9+/]{16,}={0,2}", plain)  # messages carry bodies in base64
    return plain + repr([b64decode(word + "=" * (-len(word) % 4)) for word in wrapped])


def log_files(rig: Rig) -> dict[str, str]:
    files = [path for path in (rig.stack.data_dir / "logs").rglob("*") if path.is_file()]
    return {path.name: path.read_text("utf-8", "replace") for path in files}


def test_no_log_no_message_and_no_error_holds_a_text_a_key_or_a_password(rig):
    box = rig.box()
    memory = {"content": f"I like {CONTENT}.", "user_id": USER, "metadata": {METADATA: METADATA}}
    ok(box.api.post(f"/v1/users/{USER}/names", {"name": NAME}), 201)
    stated = {"subject": USER, "predicate": "likes", "object": FACT, "user_id": USER}
    old = ok(box.api.post("/v1/facts", stated), 201)["id"]
    ok(box.api.patch(f"/v1/facts/{old}", {"object": f"{FACT} indeed"}))
    bodies = [response.text for response in refusals(rig, box.api)]
    bodies.append(box.api.patch(f"/v1/facts/{old}", {"object": FACT}).text)
    minted = box.mint(scopes=["admin"], users=None)
    rotated = ok(rig.boot.post(f"/admin/keys/{minted['id']}/rotate"), 201)
    bodies.append(rig.boot.post(f"/admin/keys/{minted['id']}/rotate").text)
    with refusing(rig, "facts_fact", "object"):
        made = ok(box.api.post("/v1/memories", memory), 201)["id"]
        path = f"/v1/memories/{made}"
        wait_for("the worker's failure", lambda: ok(box.api.get(path))["status"] == "error")
    with rig.frozen("worker"):
        for _ in range(4):  # the first messages are on their way to the worker already
            ok(box.api.patch(path, {"content": f"I like {UPDATED} and {CONTENT}."}))
        box.api.search(QUERY, user_id=USER, metadata={METADATA: METADATA})
        box.api.context(QUERY, user_id=USER)
        messages = broker_contents(rig)
        assert f'"{made.removeprefix("mem_")}"' in messages  # a nudge is there: an id
    box.api.settle()
    assert ok(box.api.get(path))["status"] == "ready"

    secrets = json.loads((rig.stack.data_dir / "secrets.json").read_text())
    hidden = [str(value) for name, value in secrets.items() if not name.endswith("_port")]
    hidden += [one.partition(":")[2] for one in secrets["peppers"].split(",")]
    for url in ("DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL"):
        hidden += [rig.stack.env[url], urlsplit(rig.stack.env[url]).password or "?"]
    assert min(map(len, hidden)) >= 16
    shown = (box.api.key, rig.boot.key, minted["key"], rotated["key"])
    keys = [str(key).rpartition("_")[2] for key in shown]
    logs = log_files(rig)
    assert set(logs) >= {"web.log", "worker.log", "postgres.log", "valkey.log"}
    assert "request.failed" in logs["web.log"]
    assert "request.database_away" in logs["web.log"]
    assert "memory.extraction_failed" in logs["worker.log"]
    places = {**logs, "messages": messages, "errors": "".join(bodies), "screen": rig.stack.output}
    for place, text in places.items():
        for secret in (*keys, *hidden):
            assert secret not in text, place
        for word in WORDS:
            # An id that was asked for may be named in its own refusal, as a field's name may.
            if place != "errors":
                assert word not in text.lower(), (place, word)
    for word in (CONTENT, QUERY, MALFORMED, FACT, NAME):
        assert word not in places["errors"]
    audited = repr(rig.rows("SELECT e::text FROM billing_auditevent e")).replace(USER, "")
    assert "key_rotate" in audited
    assert not [word for word in (*WORDS, *keys, *hidden) if word in audited]
