"""Requests with an `Idempotency-Key` whose server is killed: sent again, they have acted once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from tests.api_client import Api, ok, wait_for
from tests.faults.rig import Rig, all_memories


def write(api: Api, key: str) -> httpx.Response:
    body = {"content": f"The text of {key}.", "user_id": "u"}
    return api.request("POST", "/v1/memories", json=body, headers={"Idempotency-Key": key})


def test_requests_cut_off_by_a_killed_server_act_once_when_sent_again(rig: Rig) -> None:
    box = rig.box()
    answered: dict[str, Any] = {}
    sent: set[str] = set()
    stop = threading.Event()

    def writer(number: int) -> None:
        api = Api(box.api.base_url, box.api.key)
        for count in range(10_000):
            if stop.is_set():
                return
            key = f"k{number}-{count}"
            sent.add(key)
            try:
                answered[key] = ok(write(api, key), 201)
            except httpx.HTTPError:
                return

    with ThreadPoolExecutor(6) as pool:
        threads = [pool.submit(writer, number) for number in range(6)]
        wait_for("some answers", lambda: len(answered) >= 40)
        rig.kill("web")
        stop.set()
        for thread in threads:
            thread.result()
    assert len(sent) > len(answered)
    rig.await_ready()
    again = {key: write(box.api, key) for key in sorted(sent)}
    for key, made in answered.items():
        assert again[key].headers["idempotency-replayed"] == "true"
        assert again[key].json() == made
    ids = {ok(answer, 201)["id"] for answer in again.values()}
    stored = all_memories(box.api)
    assert {memory["id"] for memory in stored} == ids
    assert len(stored) == len(sent)
