"""A whole installation with language models: whose texts go where, and what comes of failures."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique, wait_for
from tests.writer.conftest import KEY
from tests.writer.model import Act, Model, Request, Write, fact, modelling, send, states

REGION_KEY = "sk-of-the-region-9876543210"


def understands(model: Model, request: Request, write: Write) -> None:
    """Finds in every text one statement that the local engine does not."""
    text = request.said["text"]
    quote = text.splitlines()[0].rstrip(".")
    states(fact(quote, "user", "interested_in", quote.split()[-1]))(model, request, write)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with modelling(otherwise=understands) as running:
        yield running


@pytest.fixture(scope="module")
def european() -> Iterator[Model]:
    with modelling(otherwise=understands) as running:
        yield running


@pytest.fixture(scope="module")
def home(model: Model, european: Model) -> Iterator[Stack]:
    env = {
        "KORELY_WRITER_URL": model.url,
        "KORELY_WRITER_MODEL": "small",
        "KORELY_WRITER_KEY": KEY,
        "KORELY_WRITER_EU_URL": european.url + "/",
        "KORELY_WRITER_EU_MODEL": "petit",
        "KORELY_WRITER_EU_KEY": REGION_KEY,
        "KORELY_WRITER_TIMEOUT_SECONDS": "20",
        "KORELY_WRITER_READ_SECONDS": "15",
        "KORELY_WRITER_TRIES": "1",
        "KORELY_WRITER_BREAKER_FAILURES": "2",
        "KORELY_WRITER_BREAKER_SECONDS": "1.5",
        "RATE_LIMIT_PER_MINUTE": "0",
        "KORELY_SIGNUP": "1",
        "LOG_LEVEL": "DEBUG",
    }
    with Stack.temporary(env=env) as running:
        yield running


@pytest.fixture
def boot(home: Stack) -> Api:
    return Api(home.base_url, home.key)


def project(boot: Api, region: str | None = None) -> Api:
    """A read-write key of a new project of that region."""
    fields = {"name": unique("project")} | ({"region": region} if region else {})
    made = ok(boot.post("/admin/projects", fields), 201)
    body = {"name": unique("key"), "project_id": made["id"]}
    return Api(boot.base_url, ok(boot.post("/admin/keys", body), 201)["key"])


def found(memory: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["predicate"], one["object"]) for one in memory["facts"]]


def logs(home: Stack) -> str:
    return home.output + "".join(
        path.read_text(errors="replace") for path in home.data_dir.rglob("*.log*")
    )


def test_a_text_is_read_by_the_model_of_its_projects_region_and_ping_says_so(
    boot: Api, model: Model, european: Model
) -> None:
    text = "Lately I am all about volcanoes."
    regions = {None: "global", "global": "global", "eu": "eu"}
    for region, told in regions.items():
        api, serving = project(boot, region), european if region == "eu" else model
        other = model if region == "eu" else european
        before, others = len(serving.got), len(other.got)
        assert ok(api.get("/v1/ping"))["processing_region"] == told
        user = unique("user")
        memory = api.told(text, user, timestamp="2026-05-01T10:00:00Z")
        assert (memory["status"], found(memory)) == ("ready", [("interested_in", "volcanoes")])
        assert (len(serving.got), len(other.got)) == (before + 1, others)
        request = serving.got[-1]
        assert request.headers["authorization"] == f"Bearer {REGION_KEY if region == 'eu' else KEY}"
        assert request.body["model"] == ("petit" if region == "eu" else "small")
        assert request.said == {"said_at": "2026-05-01T10:00+00:00", "text": text}
        assert user not in request.raw.decode()


def test_an_account_that_an_agent_makes_is_told_where_its_texts_are_read(boot: Api) -> None:
    made = ok(boot.post("/v1/agents/init", {"processing_region": "eu"}), 201)
    assert made["processing_region"] == "eu"
    api = Api(boot.base_url, made["api_key"])
    assert ok(api.get("/v1/ping"))["processing_region"] == "eu"


def test_what_the_model_invents_is_not_stored(boot: Api, model: Model) -> None:
    api = project(boot)
    model.acts.append(
        states(
            fact("I live in Paris", "user", "lives_in", "Paris"),
            fact("I live in Rome", "user", "works_as", "administrator"),
            fact("I live in Rome", "user", "lives_in", "Rome"),
        )
    )
    memory = api.told("I live in Rome.", unique("user"))
    assert found(memory) == [("lives_in", "Rome")]


def test_facts_of_the_model_meet_stored_ones_like_any_other(boot: Api, model: Model) -> None:
    api, user = project(boot), unique("user")
    for number, city in enumerate(("Rome", "Oslo")):
        text = f"My home is {city} now"
        model.acts.append(states(fact(text, "user", "lives_in", city)))
        api.told(text, user, timestamp=f"2026-0{number + 1}-01")
    (now,) = api.facts(user_id=user)
    assert now["object"] == "Oslo"
    rows = api.facts(user_id=user, include_invalidated=True)
    assert {row["object"]: row["closed_reason"] for row in rows} == {
        "Oslo": None,
        "Rome": "superseded",
    }


@pytest.mark.parametrize(
    "act", [send(500, b"{}"), send(401, b"{}"), send(200, b"<html>"), send(302, b"")]
)
def test_when_the_model_fails_the_local_engine_reads_and_the_next_text_is_the_models_again(
    boot: Api, model: Model, act: Act
) -> None:
    api = project(boot)
    heal(api, model)
    model.acts.append(act)
    memory = api.told("I live in Rome.", unique("user"))
    assert (memory["status"], found(memory)) == ("ready", [("lives_in", "Rome")])
    assert model.acts == []
    memory = api.told("Lately I am all about volcanoes.", unique("user"))
    assert found(memory) == [("interested_in", "volcanoes")]


def heal(api: Api, model: Model) -> None:
    """Wait until the breaker lets texts through, and forget failures."""

    def through() -> bool:
        before = len(model.got)
        api.told("Lately I am all about volcanoes.", unique("user"))
        return len(model.got) > before

    wait_for("the model to be used", through, 20)


def test_a_model_that_is_away_is_left_alone_and_used_again_when_it_is_back(
    boot: Api, model: Model
) -> None:
    api = project(boot)
    heal(api, model)
    before, model.otherwise = len(model.got), send(503, b"{}")
    try:
        for number in range(6):
            memory = api.told(f"I live in City{number}.", unique("user"))
            assert found(memory) == [("lives_in", f"City{number}")]
        assert len(model.got) - before < 6  # most were not even tried
    finally:
        model.otherwise = understands
    heal(api, model)


def test_a_slow_model_holds_neither_the_worker_nor_other_end_users(boot: Api, model: Model) -> None:
    api, other = project(boot), project(boot)
    heal(api, model)
    open_ = threading.Event()

    def slow(model: Model, request: Request, write: Write) -> None:
        open_.wait(20)
        understands(model, request, write)

    model.acts.append(slow)
    before = len(model.got)
    first = api.add("Lately I am all about glaciers.", user_id="slow")
    wait_for("the model to be asked", lambda: len(model.got) > before)
    try:
        assert found(other.told("Lately I am all about rivers.", unique("user"))) == [
            ("interested_in", "rivers")
        ]
        # What the same end user tells meanwhile waits for its turn, and comes after.
        second = api.add("Lately I am all about moraines.", user_id="slow")
        statuses = {one["status"] for one in ok(api.get("/v1/events"))["events"]}
        assert "processing" in statuses
    finally:
        open_.set()
    api.settle()
    rows = api.facts(user_id="slow")
    assert {row["object"]: row["source_memory_id"] for row in rows} == {
        "glaciers": first["id"],
        "moraines": second["id"],
    }
    by_age = sorted(rows, key=lambda row: str(row["created_at"]))
    assert [row["object"] for row in by_age] == ["glaciers", "moraines"]


def test_the_days_tokens_are_counted_in_the_database(home: Stack, boot: Api, model: Model) -> None:
    def tokens() -> int:
        with psycopg.connect(home.env["DATABASE_URL"], autocommit=True) as connection:
            row = connection.execute("SELECT sum(tokens) FROM billing_writerday").fetchone()
        return int(row[0] or 0) if row else 0

    api = project(boot)
    heal(api, model)
    before = tokens()
    api.told("Lately I am all about volcanoes.", unique("user"))
    assert tokens() == before + 100


def test_neither_texts_nor_keys_are_in_logs_or_metrics(
    home: Stack, boot: Api, model: Model
) -> None:
    api = project(boot)
    heal(api, model)
    secret = unique("Zyxwv")
    model.acts.append(send(500, secret.encode()))
    api.told(f"I live in {secret}.", unique("user"))
    told = logs(home) + api.get("/metrics").text
    assert "writer.failed" in told
    assert not any(word in told for word in (secret, KEY, REGION_KEY))
