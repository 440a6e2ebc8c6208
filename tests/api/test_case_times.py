"""Dates as people tell them and as callers spell them: the day that is meant, and never a 500."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.api_client import Api, ok
from tests.fact_calls import all_of, write

TAKEN = """2026-01-15T10:00:00 2026-01-15T10:00:00Z 2026-01-15T10:00:00+09:00 2026-01-15
2026-01-15T10:00:00.123456Z 0001-01-01 9999-12-31T23:59:59.999999Z 2024-02-29""".split()
REFUSED = """2026-02-29 2026-01-15T24:00:00 2026-01-15T25:00Z 2026-W03-1 2026-015 2026-13-01
0000-01-01 10000-01-01 0001-01-01T00:00:00+01:00 9999-12-31T23:59:59-01:00 1768471200 now
2026-01-15T10:00:00+99:99 ٢٠٢٦-01-15 2026-01-15T10:00:00Z[UTC]""".split()

Call = Callable[[Api, str, str], httpx.Response]


def forgetting(api: Api, uid: str, stamp: str) -> httpx.Response:
    fact = write(api, uid, "owns", f"boat {stamp}", user_id=uid, valid_from="0001-01-01")
    return api.post(f"/v1/facts/{fact['id']}/forget", {"at": stamp})


def reading(path: str, name: str, **fixed: str) -> Call:
    return lambda api, uid, stamp: api.get(path, user_id=uid, **{name: stamp}, **fixed)


def telling(api: Api, uid: str, stamp: str) -> httpx.Response:
    return api.post("/v1/memories", {"content": "Noted.", "user_id": uid, "timestamp": stamp})


def writing(api: Api, uid: str, stamp: str) -> httpx.Response:
    body = {"subject": uid, "predicate": "owns", "object": "a car", "user_id": uid}
    return api.post("/v1/facts", {**body, "valid_from": stamp})


CALLS: dict[str, Call] = {
    "timestamp": telling,
    "valid_from": writing,
    "at": forgetting,
    "facts as_of": reading("/v1/facts", "as_of"),
    "facts known_as_of": reading("/v1/facts", "known_as_of"),
    "profile as_of": reading("/v1/profile", "as_of"),
    "context known_as_of": reading("/v1/context", "known_as_of", query="car"),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_spelling_of_an_instant_is_taken_or_named(api: Api, uid: str, name: str) -> None:
    for stamp in TAKEN:
        answer = CALLS[name](api, uid, stamp)
        if (name, stamp) == ("at", "0001-01-01"):
            assert answer.status_code == 422  # not after the fact began
        else:
            assert answer.status_code in (200, 201), (stamp, answer.text)
    for stamp in REFUSED:
        answer = CALLS[name](api, uid, stamp)
        assert answer.status_code == 422, (stamp, answer.text)
        assert answer.json()["detail"][0]["loc"][-1] == name.rpartition(" ")[2]


@pytest.mark.parametrize(
    ("text", "timestamp", "told"),
    [
        ("I moved to Lyon last March.", "2026-06-10", ("lives_in", "2026-03-01")),
        ("I've lived in Lyon since 2019.", "2026-06-10", ("lives_in", "2019-01-01")),
        ("I visited Lyon in 2019.", "2026-06-10", ("visited", "2019-01-01")),
        ("I moved to Lyon yesterday.", "2024-03-01", ("lives_in", "2024-02-29")),
    ],
)
def test_a_date_that_is_told_is_its_documented_day(
    api: Api, uid: str, text: str, timestamp: str, told: tuple[str, str]
) -> None:
    api.told(text, uid, timestamp=timestamp)
    (fact,) = api.facts(user_id=uid)
    assert fact["object"] == "Lyon"
    assert (fact["predicate"], fact["valid_from"]) == (told[0], f"{told[1]}T00:00:00+00:00")


def test_one_instant_reads_the_same_wherever_it_is_shown(api: Api, uid: str) -> None:
    instant = "2025-12-31T15:30:00+00:00"
    made = api.told("I live in Kyoto.", uid, timestamp="2026-01-01T00:30:00+09:00")
    (fact,) = api.facts(user_id=uid)
    (profiled,) = ok(api.get("/v1/profile", user_id=uid))["facts"]
    why = ok(api.get(f"/v1/facts/{fact['id']}/why"))
    listed = ok(api.get("/v1/memories", user_id=uid))["memories"][0]
    assert {made["timestamp"], listed["timestamp"]} == {instant}
    shown: list[dict[str, Any]] = [fact, profiled, why["fact"], made["facts"][0]]
    assert [one["valid_from"] for one in shown] == [instant] * len(shown)
    assert all_of(api, uid, as_of=instant)
    assert api.facts(user_id=uid, as_of="2025-12-31T15:29:59Z") == []
