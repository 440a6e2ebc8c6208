"""Batches through the official client and its command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from korely_memory import APIError, Korely, NotFoundError, QuotaExceededError, TooManyBatchesError

from tests.api_client import unique, wait_for
from tests.clients.conftest import Run


def finished(korely: Korely, job_id: str) -> Any:
    def look() -> Any:
        job = korely.batch_status(job_id)
        return job if job.status == "completed" else None

    return wait_for("the batch", look)


def test_a_batch_is_sent_and_followed(korely: Korely) -> None:
    user = unique("batch")
    job = korely.batch(
        [
            {"content": "I live in Rome.", "user_id": user, "timestamp": "2026-01-01"},
            {"content": "", "user_id": user},
            {"content": "I like tea.", "user_id": user, "metadata": {"n": 1}},
        ]
    )
    assert (job.status, job.received, job.imported, job.failed) == ("pending", 3, 0, 0)
    done = finished(korely, job.id)
    assert (done.received, done.imported, done.failed) == (3, 2, 1)
    assert [(error["index"], error["error"]) for error in done.errors] == [(1, "content is empty")]
    found = korely.get_all(user_id=user)
    assert [memory.content for memory in found] == ["I like tea.", "I live in Rome."]
    assert found[0].metadata == {"n": 1}
    wait_for("extraction", lambda: korely.events(user_id=user).processing == 0)
    (city,) = korely.get_facts(user_id=user, predicate="lives_in")
    assert str(city.valid_from).startswith("2026-01-01")


def test_refusals_are_the_clients_own_errors(
    korely: Korely, on_plan: Callable[..., Korely]
) -> None:
    with pytest.raises(APIError, match=r"memories\[1\]\.timestamp"):
        korely.batch([{"content": "a"}, {"content": "b", "timestamp": "yesterday"}])
    with pytest.raises(NotFoundError):
        korely.batch_status("job_" + "0" * 32)
    with pytest.raises(QuotaExceededError) as spent:
        on_plan(writes_per_month=2).batch([{"content": "x"}] * 3)
    assert not isinstance(spent.value, TooManyBatchesError)
    with pytest.raises(TooManyBatchesError):
        on_plan(running_batches=0).batch([{"content": "x"}])


def test_the_command_line_sends_a_file_and_shows_how_far_it_is(
    run: Run, admin: Korely, tmp_path: Path
) -> None:
    user = unique("cli")
    file = tmp_path / "memories.jsonl"
    lines = [{"content": f"Line {n}.", "user_id": user} for n in range(3)]
    file.write_text("\n".join(map(json.dumps, lines)))
    told = run("batch", str(file))
    found = re.search(r"job_[0-9a-f]{32}", told)
    assert found is not None, told
    finished(admin, found[0])
    assert "completed" in run("batch-status", found[0])
    assert [one.content for one in admin.get_all(user_id=user)] == ["Line 2.", "Line 1.", "Line 0."]
