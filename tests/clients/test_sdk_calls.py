"""Every call of the official SDK that has a route, against the live server."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from korely_memory import EventsResponse, FactList, Korely, Memory, MemoryPage

from tests.api_client import Box, unique
from tests.clients.conftest import Connect

Settle = Callable[[str], None]


def test_ping_tells_what_the_key_may_do(korely: Korely) -> None:
    answer = korely.ping()
    assert answer.ok is True
    assert (answer.tier, answer.region, answer.processing_region) == ("self_hosted", "local", None)
    assert answer.scopes == ["memories:read", "memories:write"]


def test_add_takes_a_string_with_every_option(korely: Korely, box: Box, uid: str) -> None:
    made = korely.add(
        "  Giulia prefers async standups.  ",
        user_id=uid,
        agent_id="coder",
        run_id="r/1",
        metadata={"source": "chat", "n": 5, "deep": {"list": [None, True, 1.5]}},
        timestamp="2026-03-01",
        kind="session",
    )
    assert isinstance(made, Memory)
    assert made.id is not None
    assert made.id.startswith("mem_")
    assert made.content == "Giulia prefers async standups."
    assert (made.user_id, made.agent_id, made.run_id, made.kind) == (uid, "coder", "r/1", "session")
    assert made.metadata == {"source": "chat", "n": 5, "deep": {"list": [None, True, 1.5]}}
    assert made.status in ("processing", "ready")
    assert made.created_at == made.updated_at
    raw = box.api.get(f"/v1/memories/{made.id}").json()
    assert raw["client"] == "a-tool/1.0"
    assert raw["timestamp"] == "2026-03-01T00:00:00+00:00"


def test_a_client_that_names_no_tool_is_labelled_with_the_library(
    connect: Connect, box: Box, uid: str
) -> None:
    made = connect(box.api.key).add("Plain.", user_id=uid)
    assert box.api.get(f"/v1/memories/{made.id}").json()["client"] == "korely-python/0.1.28"


def test_add_takes_a_list_of_messages(korely: Korely, settle: Settle, uid: str) -> None:
    made = korely.add(
        [
            {"role": "user", "content": "I live in Rome."},
            {"role": "assistant", "content": "Lovely city!"},
            {"role": "user", "content": ""},
        ],
        user_id=uid,
    )
    assert made.content == "user: I live in Rome.\nassistant: Lovely city!"
    settle(uid)
    facts = korely.get_facts(user_id=uid)
    assert [(f.subject, f.predicate, f.object) for f in facts] == [(uid, "lives_in", "Rome")]


def test_a_written_memory_can_be_read_at_once(korely: Korely, settle: Settle, uid: str) -> None:
    made = korely.add("I live in Oslo.", user_id=uid)
    assert korely.get(str(made.id)).content == "I live in Oslo."
    assert [m.id for m in korely.get_all(user_id=uid)] == [made.id]
    assert [h.id for h in korely.search("Oslo", user_id=uid)] == [made.id]
    settle(uid)
    ready = korely.get(str(made.id))
    assert ready.status == "ready"
    assert [(f.predicate, f.object, f.source_memory_id) for f in ready.facts] == [
        ("lives_in", "Oslo", made.id)
    ]


def test_search_with_every_option(korely: Korely, uid: str) -> None:
    texts = {
        "tea": "Green tea with jasmine is what she drinks every morning.",
        "car": "The red car needs a new clutch and fresh brake pads.",
        "log": "Work session: fixed the brake pads page of the car shop.",
    }
    tea = korely.add(texts["tea"], user_id=uid, agent_id="bot", run_id="r1", metadata={"n": 5})
    car = korely.add(texts["car"], user_id=uid, metadata={"n": 6, "open": True})
    log = korely.add(texts["log"], user_id=uid, kind="session")

    hits = korely.search("red car brake pads and clutch", user_id=uid)
    assert hits[0].id == car.id
    assert hits[0].snippet == texts["car"]
    assert (hits[0].user_id, hits[0].agent_id) == (uid, None)
    assert hits[0].metadata == {"n": 6, "open": True}
    scores = [hit.score or 0 for hit in hits]
    assert scores == sorted(scores, reverse=True)

    def found(**options: object) -> set[str | None]:
        return {hit.id for hit in korely.search("car", user_id=uid, **options)}

    assert found() == {tea.id, car.id, log.id}
    assert found(agent_id="bot") == {tea.id}
    assert found(run_id="r1") == {tea.id}
    assert found(metadata={"n": "5"}) == {tea.id}
    assert found(metadata={"n": 6, "open": "true"}) == {car.id}
    assert found(exclude_sessions=True) == {tea.id, car.id}
    assert len(found(limit=1)) == 1
    floor = scores[0]
    kept = korely.search("red car brake pads and clutch", user_id=uid, min_score=floor)
    assert [hit.id for hit in kept] == [car.id]
    assert korely.search("car", user_id=unique("nobody")) == []


def test_get_all_pages_and_narrows(korely: Korely, uid: str) -> None:
    ids = [korely.add(f"Page {n}", user_id=uid, run_id=f"r{n % 2}").id for n in range(5)][::-1]
    log = korely.add("A log", user_id=uid, agent_id="bot", kind="session").id
    page = korely.get_all(user_id=uid, limit=2, offset=1)
    assert isinstance(page, MemoryPage)
    assert (page.total, len(page), [m.id for m in page]) == (6, 2, ids[:2])
    assert korely.get_all(user_id=uid)[0].id == log
    assert [m.id for m in korely.get_all(user_id=uid, exclude_sessions=True)] == ids
    assert [m.id for m in korely.get_all(user_id=uid, agent_id="bot")] == [log]
    assert len(korely.get_all(user_id=uid, run_id="r1")) == 2


def test_update_replaces_the_text_and_its_facts(korely: Korely, settle: Settle, uid: str) -> None:
    made = korely.add("I live in Rome.", user_id=uid, metadata={"k": 1})
    settle(uid)
    done = korely.update(str(made.id), content="I live in Milan.")
    assert (done.content, done.metadata) == ("I live in Milan.", {"k": 1})
    assert done.created_at == made.created_at
    assert str(done.updated_at) > str(made.updated_at)
    settle(uid)
    assert [f.object for f in korely.get_facts(user_id=uid)] == ["Milan"]
    again = korely.update(
        str(made.id), content="I live in Oslo.", expected_updated_at=done.updated_at
    )
    assert again.content == "I live in Oslo."


def test_delete_and_history_tell_the_end(korely: Korely, settle: Settle, uid: str) -> None:
    made = korely.add("I live in Rome.", user_id=uid)
    settle(uid)
    receipt = korely.delete(str(made.id))
    assert (receipt.id, receipt.status, receipt.facts_invalidated) == (made.id, "forgotten", 1)
    assert str(receipt.audit_id).startswith("aud_")
    history = korely.history(str(made.id))
    assert history.id == made.id
    assert [event.event for event in history.events] == [
        "created",
        "fact_extracted",
        "fact_invalidated",
        "deleted",
    ]
    assert history.events[1].fact == f"{uid} lives_in Rome"
    assert str(history.events[1].fact_id).startswith("fct_")
    assert korely.get_facts(user_id=uid) == []


def test_get_facts_with_every_filter(korely: Korely, settle: Settle, uid: str) -> None:
    korely.add("I live in Rome. I like tea.", user_id=uid, agent_id="bot")
    korely.add("I work at Siemens.", user_id=uid, kind="session")
    settle(uid)

    def objects(**filters: object) -> list[str | None]:
        return sorted(f.object for f in korely.get_facts(user_id=uid, **filters))

    page = korely.get_facts(user_id=uid, limit=1)
    assert isinstance(page, FactList)
    assert (len(page), page.total) == (1, 3)
    assert objects() == ["Rome", "Siemens", "tea"]
    assert objects(limit=1, offset=3) == []
    assert objects(subject=uid.upper()) == ["Rome", "Siemens", "tea"]
    assert objects(subject="Rome") == []
    assert objects(entity="rome") == ["Rome"]
    assert objects(predicate="lives_in") == ["Rome"]
    assert objects(predicate_family="preferences") == ["tea"]
    assert objects(predicate_family="employment") == ["Siemens"]
    assert objects(agent_id="bot") == ["Rome", "tea"]
    assert objects(exclude_sessions=True) == ["Rome", "tea"]
    fact = korely.get_facts(user_id=uid, predicate="lives_in")[0]
    assert (fact.subject_type, fact.tense, fact.observation_count) == ("self", "current", 1)
    assert (fact.invalid_at, fact.invalidated_by, fact.closed_known_at) == (None, None, None)


def test_get_facts_on_both_clocks(korely: Korely, settle: Settle, uid: str) -> None:
    """Told today: Rome since 2024, then Milan since 2025. The world and the store differ."""
    korely.add("I live in Rome.", user_id=uid, timestamp="2024-01-10")
    settle(uid)
    between = datetime.now(UTC)
    korely.add("I live in Milan.", user_id=uid, timestamp="2025-01-10")
    settle(uid)

    def objects(**clocks: object) -> list[str | None]:
        return [f.object for f in korely.get_facts(user_id=uid, predicate="lives_in", **clocks)]

    assert objects() == ["Milan"]
    assert objects(include_invalidated=True) == ["Milan", "Rome"]
    assert objects(as_of="2024-06-01") == ["Rome"]
    assert objects(as_of="2025-01-10") == ["Milan"]
    assert objects(as_of="2023-12-31") == []
    assert objects(known_as_of=between.isoformat()) == ["Rome"]
    assert objects(known_as_of=between.isoformat(), as_of="2025-06-01") == ["Rome"]
    assert objects(known_as_of=(between - timedelta(days=1)).isoformat()) == []
    old = korely.get_facts(user_id=uid, as_of="2024-06-01")[0]
    new = korely.get_facts(user_id=uid)[0]
    assert (old.invalid_at, old.invalidated_by) == ("2025-01-10T00:00:00+00:00", new.id)
    believed = korely.get_facts(user_id=uid, known_as_of=between.isoformat())[0]
    assert (believed.invalid_at, believed.invalidated_by) == (None, None)


def test_get_context_fits_its_budget_and_knows_the_past(
    korely: Korely, settle: Settle, uid: str
) -> None:
    korely.add("The bot keeps this note.", user_id=uid, agent_id="bot")
    korely.add("I live in Rome.", user_id=uid, timestamp="2024-01-10")
    settle(uid)
    between = datetime.now(UTC).isoformat()
    korely.add("I live in Milan.", user_id=uid, timestamp="2025-01-10", kind="session")
    settle(uid)
    now = korely.get_context("where does the user live?", user_id=uid)
    assert "lives_in Milan" in now.context
    assert "lives_in Rome" not in now.context
    assert now.context == f"{now.stable}\n\n{now.volatile}"
    assert (now.degraded, now.degraded_parts) == (False, [])
    assert len(str(now.stable_hash)) == 64
    assert all(source[:4] in ("fct_", "mem_") for source in now.sources)
    then = korely.get_context("where does the user live?", user_id=uid, known_as_of=between)
    assert "lives_in Rome" in then.context
    assert "Milan" not in then.context
    small = korely.get_context("where?", user_id=uid, token_budget=60)
    assert 0 < small.tokens <= 60
    assert "Milan" not in korely.get_context("where?", user_id=uid, agent_id="bot").context
    assert "Milan" not in korely.get_context("where?", user_id=uid, exclude_sessions=True).context
    nothing = korely.get_context(query="anything", user_id=unique("nobody"))
    assert (nothing.context, nothing.tokens, nothing.sources) == ("", 0, [])


def test_events_tell_when_extraction_is_done(korely: Korely, settle: Settle, uid: str) -> None:
    ids = [korely.add(f"I like thing{n}.", user_id=uid).id for n in range(3)][::-1]
    settle(uid)
    answer = korely.events(user_id=uid, status="ready", limit=2)
    assert isinstance(answer, EventsResponse)
    assert [(e.memory_id, e.user_id, e.status) for e in answer.events] == [
        (one, uid, "ready") for one in ids[:2]
    ]
    assert answer.processing == 0
    assert korely.events(user_id=uid, status="error").events == []


def test_projects_and_keys_are_administered(admin: Korely, connect: Connect) -> None:
    project = admin.create_project(unique("sdk"), region="eu", description="for the SDK")
    assert (project["region"], project["description"]) == ("eu", "for the SDK")
    assert project["id"] in [one["id"] for one in admin.projects(include_archived=True)]
    made = admin.create_key(
        unique("sdk-key"),
        project_id=project["id"],
        scopes=["memories:read"],
        users=["a", "team-*"],
        expires_in_days=30,
    )
    assert (made["scopes"], made["users"]) == (["memories:read"], ["a", "team-*"])
    assert connect(made["key"]).ping().scopes == ["memories:read"]
    shown = admin.keys()
    listed = next(key for key in shown if key["id"] == made["id"])
    assert (listed["state"], "key" in listed) == ("live", False)
    assert admin.revoke_key(made["id"])["state"] == "revoked"
    assert admin.delete_project(project["id"], erase=True)["deleted"] is True
    assert project["id"] not in [one["id"] for one in admin.projects()]


@pytest.mark.parametrize("spelling", ["bare", "hyphens"])
def test_ids_without_their_prefix_are_taken(korely: Korely, uid: str, spelling: str) -> None:
    made = korely.add("By its bare id.", user_id=uid)
    raw = str(made.id)[4:]
    if spelling == "hyphens":
        raw = "-".join([raw[:8], raw[8:12], raw[12:16], raw[16:20], raw[20:]])
    assert korely.get(raw).id == made.id
