"""A server in Tokyo, and one without a network: the same answers as anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from korely.embedded.options import CHECKOUT
from tests.api_client import ok


def test_a_server_whose_clock_is_set_to_tokyo_gives_every_instant_in_utc(rig):
    for part in ("web", "worker", "beat"):
        assert rig.process(part).environ()["TZ"] == "Asia/Tokyo"
    box = rig.box()
    began = datetime.now(UTC)
    made = box.api.told("I live in Kyoto.", "u", timestamp="2026-01-01T00:30:00+09:00")
    instant = "2025-12-31T15:30:00+00:00"
    assert made["timestamp"] == instant
    for field in ("created_at", "updated_at"):
        assert began <= datetime.fromisoformat(made[field]) <= began + timedelta(minutes=2)
        assert made[field].endswith("+00:00")
    assert made["facts"][0]["valid_from"] == instant
    assert ok(box.api.get("/v1/memories"))["memories"][0]["timestamp"] == instant
    (fact,) = box.api.facts(as_of="2025-12-31T15:30:00Z")
    assert fact["valid_from"] == instant
    assert box.api.facts(as_of="2026-01-01T00:29:59+09:00") == []
    block = box.api.context("Where does u live?", user_id="u")["context"]
    assert "(since 2025-12-31)" in block
    assert "- [2025-12-31] I live in Kyoto." in block
    history = ok(box.api.get(f"/v1/memories/{made['id']}/history"))["events"]
    for event in history:
        assert began <= datetime.fromisoformat(event["at"]) <= began + timedelta(minutes=2)
    naive = box.api.add("No zone is UTC.", timestamp="2026-01-01T00:30:00")
    assert naive["timestamp"] == "2026-01-01T00:30:00+00:00"
    # "Yesterday" is the day before in UTC, not on the server's own calendar.
    late = box.api.told("I moved to Osaka yesterday.", "v", timestamp="2026-03-10T20:00:00Z")
    assert late["facts"][0]["valid_from"].startswith("2026-03-09")


def test_a_machine_without_a_network_starts_writes_extracts_searches_and_builds_context():
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.without_network"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout)
    assert seen["interfaces"] == ["lo"]
    assert seen["outside"] == "Network is unreachable"
    assert seen["fact"] == "lives_in Lisbon"
    assert seen["hit"] == "I live in Lisbon."
    assert "lives_in Lisbon" in seen["context"]
    assert seen["docs"] == 200
