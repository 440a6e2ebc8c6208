"""An installation whose language model must be used, on a budget of tokens a day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from facts.extraction.writer import Endpoint, least_tokens
from korely.embedded.stack import Stack
from tests.api_client import Api, ok, refused, unique, wait_for
from tests.writer.model import Model, completion, fact, modelling, send, states

BUDGET = 40_000
TEXT = "I live in Rome."
ROME = states(fact("I live in Rome", "user", "lives_in", "Rome"))


@dataclass
class Home:
    stack: Stack
    model: Model
    boot: Api

    @property
    def least(self) -> int:
        return least_tokens(Endpoint("default", self.model.url, "small", ""))

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        address = self.stack.env["DATABASE_URL"]
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def use(self, tokens: int) -> None:
        """The day's count, as if calls had used so many."""
        today = datetime.now(UTC).date()
        self.rows(
            "INSERT INTO billing_writerday (day, tokens) VALUES (%s, %s)"
            " ON CONFLICT (day) DO UPDATE SET tokens = excluded.tokens",
            today,
            tokens,
        )

    def project(self, region: str | None = None) -> Api:
        fields = {"name": unique("project")} | ({"region": region} if region else {})
        made = ok(self.boot.post("/admin/projects", fields), 201)
        body = {"name": unique("key"), "project_id": made["id"]}
        return Api(self.boot.base_url, ok(self.boot.post("/admin/keys", body), 201)["key"])


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Stack, Model]]:
    with modelling(otherwise=ROME) as model:
        env = {
            "KORELY_WRITER_URL": model.url,
            "KORELY_WRITER_MODEL": "small",
            "KORELY_WRITER_REQUIRED": "1",
            "KORELY_WRITER_DAILY_BUDGET": str(BUDGET),
            "KORELY_WRITER_TRIES": "1",
            "KORELY_WRITER_BREAKER_FAILURES": "2",
            "KORELY_WRITER_BREAKER_SECONDS": "1",
            "EXTRACTION_MAX_ATTEMPTS": "3",
            "WORK_BACKOFF_SECONDS": "0.2",
            "WORK_SWEEP_SECONDS": "0.3",
            "WORK_GRACE_SECONDS": "1",
            "RATE_LIMIT_PER_MINUTE": "0",
        }
        with Stack.temporary(env=env) as stack:
            yield stack, model


@pytest.fixture
def home(running: tuple[Stack, Model]) -> Home:
    stack, model = running
    found = Home(stack, model, Api(stack.base_url, stack.key))
    found.use(0)
    model.otherwise = ROME
    return found


def test_texts_wait_for_a_model_that_is_away_and_the_local_engine_does_not_stand_in(
    home: Home,
) -> None:
    api, user = home.project(), unique("user")
    home.model.otherwise = send(503, b"{}")
    before = len(home.model.got)
    made = [api.add(TEXT, user_id=user, agent_id=str(number)) for number in range(4)]
    # The breaker opens after two, is tried again and again, and no text is given up for that.
    wait_for("the model to be probed twice", lambda: len(home.model.got) >= before + 4)
    events = ok(api.get("/v1/events", user_id=user))
    assert {one["status"] for one in events["events"]} == {"processing"}
    assert api.facts(user_id=user) == []
    home.model.otherwise = ROME
    api.settle(user)
    for memory in made:
        read = ok(api.get(f"/v1/memories/{memory['id']}"))
        assert (read["status"], [one["object"] for one in read["facts"]]) == ("ready", ["Rome"])


def test_a_text_that_the_model_never_reads_is_given_up_after_its_attempts(home: Home) -> None:
    api, user = home.project(), unique("user")
    before = len(home.model.got)
    home.model.acts += [send(200, completion("I can't."))] * 3
    memory = api.told(TEXT, user)
    assert (memory["status"], memory["facts"]) == ("error", [])
    assert len(home.model.got) == before + 3


def test_writes_are_paused_until_tomorrow_once_the_days_tokens_are_spent(home: Home) -> None:
    api, user = home.project(), unique("user")
    memory = api.told(TEXT, user)
    path = f"/v1/memories/{memory['id']}"
    usage = "SELECT sum(writes) FROM billing_usage"
    home.use(BUDGET - home.least + 1)
    spent, asked = home.rows(usage), len(home.model.got)
    begun = datetime.now(UTC)
    midnight = datetime.combine(begun.date() + timedelta(days=1), datetime.min.time(), UTC)
    for response in (
        api.post("/v1/memories", {"content": "I live in Oslo."}),
        api.patch(path, {"content": "I live in Oslo."}),
        api.post("/v1/batch", {"memories": [{"content": "I live in Oslo."}]}),
    ):
        refused(response, 503, "writes_paused")
        left = (midnight - begun).total_seconds()
        assert abs(int(response.headers["retry-after"]) - left) < 60
    assert ok(api.get("/v1/memories"))["total"] == 1
    assert ok(api.get(path)) == memory
    assert home.rows(usage) == spent
    assert home.rows("SELECT count(*) FROM memories_batch") == [(0,)]
    # What needs no model goes on: reads, direct facts, forgetting, projects that none serves.
    assert api.search("Rome", user_id=user)
    triple = {"subject": user, "predicate": "likes", "object": "tea", "user_id": user}
    ok(api.post("/v1/facts", triple), 201)
    european = home.project("eu")
    assert ok(european.get("/v1/ping"))["processing_region"] is None
    assert [one["object"] for one in european.told(TEXT, user)["facts"]] == ["Rome"]
    assert ok(api.delete(path))["status"] == "forgotten"
    assert len(home.model.got) == asked
    home.use(0)
    assert api.told(TEXT, user)["status"] == "ready"


def test_a_text_that_does_not_fit_today_waits_for_tomorrow(home: Home) -> None:
    api, user = home.project(), unique("user")
    home.use(BUDGET - home.least - 500)
    asked = len(home.model.got)
    long = api.add("I live in Rome. " + "All is well. " * 500, user_id=user)

    def waiting() -> list[tuple[Any, ...]]:
        return home.rows(
            "SELECT next_attempt_at FROM work_work WHERE kind = 'extract'"
            " AND target_id = %s AND next_attempt_at > now() + interval '30 seconds'",
            long["id"].removeprefix("mem_"),
        )

    ((due,),) = wait_for("the text to be put off", waiting)
    assert due.astimezone(UTC).time() == datetime.min.time()
    assert timedelta() < due - datetime.now(UTC) <= timedelta(days=1)
    assert len(home.model.got) == asked
    # One that fits is read meanwhile, of the same end user too.
    assert api.told(TEXT, unique("user"))["status"] == "ready"
