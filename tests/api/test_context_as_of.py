"""GET /v1/context with `as_of`, alone and beside `known_as_of`."""

from __future__ import annotations

import hashlib
import math
import uuid
from datetime import UTC, datetime

import pytest

from korely.rest.answers.context import CONTEXT_EXAMPLE
from memories.context import reader_note
from tests.api.oracle import Oracle, WatchedBox
from tests.api_client import Api, ok, refused, unique
from tests.fact_calls import forget, write

QUESTION = "Where does the user live?"


def fact_lines(block: str) -> list[str]:
    facts = block.partition("## Relevant memories")[0]
    return [line for line in facts.split("\n") if line.startswith("- ")]


def memory_lines(block: str) -> list[str]:
    memories = block.partition("## Relevant memories")[2]
    return [line for line in memories.split("\n") if line.startswith("- ")]


def test_a_block_of_an_instant_has_what_was_true_and_written_by_then(api: Api, uid: str) -> None:
    rome = api.told("I live in Rome.", uid, timestamp="2026-01-10")
    api.told("I moved to Milan.", uid, timestamp="2026-05-20")
    (then,) = api.facts(user_id=uid, as_of="2026-02-01")
    block = api.context(QUESTION, user_id=uid, as_of="2026-02-01")
    assert block["volatile"] == (
        "## Known facts\n"
        f"- {uid} lives_in Rome (since 2026-01-10, until 2026-05-20)\n"
        "\n"
        "## Relevant memories\n"
        "- [2026-01-10] I live in Rome."
    )
    assert block["sources"] == [then["id"], rome["id"]]
    assert "as of 2026-02-01:" in block["stable"]
    assert len(block["stable"]) <= 160
    assert block["stable_hash"] == hashlib.sha256(block["stable"].encode()).hexdigest()
    assert block["tokens"] == math.ceil(len(block["context"]) / 4)
    other = api.context("tea?", user_id=uid, as_of="2026-02-01T00:00:00+00:00")
    assert other["stable"] == block["stable"]


def test_without_it_a_block_is_of_now_and_shows_nothing_ended(api: Api, uid: str) -> None:
    api.told("Ann works at Acme.", uid, timestamp="2026-01-10")
    api.told("Ann joined Globex.", uid, timestamp="2026-05-20")
    block = api.context("Where does Ann work? Acme?", user_id=uid)
    assert fact_lines(block["volatile"]) == ["- Ann works_at Globex (since 2026-05-20)"]
    assert "true now" in block["stable"]
    assert "past notes" in block["stable"]
    told = [line for line in memory_lines(block["volatile"]) if "Acme" in line]
    assert told == ["- [2026-01-10] Ann works at Acme."]  # a dated note, not a fact
    assert api.context("Where does Ann work? Acme?", user_id=uid, known_as_of="2091-01-01")[
        "volatile"
    ].startswith(f"## Known facts\n{fact_lines(block['volatile'])[0]}\n\n")


def test_an_instant_is_in_what_begins_at_it_and_out_of_what_ends_at_it(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-10")
    api.told("I moved to Milan.", uid, timestamp="2026-05-20")
    turn = api.context(QUESTION, user_id=uid, as_of="2026-05-20")
    assert fact_lines(turn["volatile"]) == [f"- {uid} lives_in Milan (since 2026-05-20)"]
    assert len(memory_lines(turn["volatile"])) == 2
    before = api.context(QUESTION, user_id=uid, as_of="2026-05-20T01:59:59.999999+02:00")
    assert "Milan" not in before["context"]
    empty = api.context(QUESTION, user_id=uid, as_of="2026-01-09")
    assert (empty["context"], empty["stable"], empty["sources"]) == ("", "", [])


def test_both_clocks_as_facts_have_them(api: Api, uid: str) -> None:
    """Rome was believed until a later text told of an earlier move to Milan."""
    api.told("I live in Rome.", uid, timestamp="2026-01-10")
    between = datetime.now(UTC).isoformat()
    api.told("I moved to Milan on 10 February 2026.", uid, timestamp="2026-03-01")

    def block(**clocks: str) -> tuple[list[str], int]:
        found = api.context(QUESTION, user_id=uid, **clocks)["volatile"]
        return fact_lines(found), len(memory_lines(found))

    milan = f"- {uid} lives_in Milan (since 2026-02-10)"
    rome = f"- {uid} lives_in Rome (since 2026-01-10)"
    # The text about Milan is of March: the fact is of that day, the text is not.
    assert block(as_of="2026-02-20") == ([milan], 1)
    assert block(as_of="2026-03-01") == ([milan], 2)
    assert block(as_of="2026-02-20", known_as_of=between) == ([rome], 1)
    assert block(as_of="2026-03-01", known_as_of=between) == ([rome], 1)
    assert block(known_as_of=between) == ([rome], 1)
    assert block(as_of="2026-02-01") == ([rome.replace(")", ", until 2026-02-10)")], 1)
    assert block(as_of="2026-02-20", known_as_of="2020-01-01") == ([], 0)


def test_a_memory_without_a_date_is_of_the_time_it_was_received(api: Api, uid: str) -> None:
    made = api.told("The lamp is green.", uid)
    assert api.context("lamp", user_id=uid, as_of=made["created_at"])["sources"] == [made["id"]]
    assert api.context("lamp", user_id=uid, as_of="2020-01-01")["sources"] == []
    dated = api.told("The lamp was red.", uid, timestamp="2019-05-01")
    assert api.context("lamp", user_id=uid, as_of="2020-01-01")["sources"] == [dated["id"]]


def test_a_forgotten_memory_is_in_no_block_and_its_fact_is_as_in_facts(api: Api, uid: str) -> None:
    made = api.told("I live in Rome, by the lighthouse.", uid, timestamp="2026-01-10")
    ok(api.delete(f"/v1/memories/{made['id']}"))
    block = api.context("lighthouse", user_id=uid, as_of="2026-02-01")
    assert memory_lines(block["volatile"]) == []
    assert block["sources"] == [one["id"] for one in api.facts(user_id=uid, as_of="2026-02-01")]
    assert len(block["sources"]) == 1


def test_plans_and_ends_to_come_are_told_as_of_the_instant(api: Api, uid: str) -> None:
    write(api, uid, "travels to", "Japan", user_id=uid, tense="planned", valid_from="2026-04-01")
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    forget(api, fact["id"], at="2026-06-01")
    block = api.context("travel and home", user_id=uid, as_of="2026-05-01")
    assert sorted(fact_lines(block["volatile"])) == [
        f"- {uid} lives_in Rome (since 2026-01-01, until 2026-06-01)",
        f"- {uid} travels_to Japan (since 2026-04-01) (planned, not done)",
    ]
    later = api.context("travel and home", user_id=uid, as_of="2026-07-01")
    assert [line for line in fact_lines(later["volatile"]) if "Rome" in line] == []
    assert "Rome" not in api.context("travel and home", user_id=uid)["context"]


def test_scope_and_sessions_narrow_a_block_of_an_instant_too(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-10", agent_id="bot")
    api.told("I work at Siemens.", uid, timestamp="2026-01-10", kind="session")
    at = {"user_id": uid, "as_of": "2026-02-01"}
    assert "Siemens" in api.context("home and work", **at)["context"]
    assert "Siemens" not in api.context("home and work", agent_id="bot", **at)["context"]
    notes = api.context("home and work", exclude_sessions=True, **at)["context"]
    assert "Siemens" not in notes
    assert "Rome" in notes
    other = {"user_id": unique("nobody"), "as_of": "2026-02-01"}
    assert api.context("home and work", **other)["context"] == ""


def test_a_block_of_an_instant_keeps_to_its_budget(api: Api, uid: str) -> None:
    for n in range(6):
        text = f"Travel note {n}. I like tea number{n}. " + "We walked along the river. " * n * n
        api.add(text, user_id=uid, timestamp=f"2026-01-0{n + 1}")
    api.settle(uid)
    at = {"user_id": uid, "as_of": "2026-01-04"}
    for budget in (60, 75, 100, 333, 2_000):
        block = api.context("tea and travel", token_budget=budget, **at)
        assert 0 < block["tokens"] <= budget
        assert "note 4" not in block["context"]
    assert len(block["sources"]) == 8


@pytest.mark.parametrize("value", ["soon", "", "2026-02-30", "2026-01-01T25:00", "1e3"])
@pytest.mark.parametrize("name", ["as_of", "known_as_of"])
def test_an_unreadable_instant_is_422_naming_it(api: Api, name: str, value: str) -> None:
    query = {"query": "x", name: value}
    refused(api.get("/v1/context", **query), 422, "invalid_request", name)


def test_with_the_model_away_the_newest_up_to_the_instant_are_shown(
    fresh: WatchedBox, uid: str
) -> None:
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope
    from memories.selectors import build_context

    api, project = fresh.api, uuid.UUID(fresh.project["id"][4:])
    told = [
        api.told(f"The lamp is {colour}.", uid, timestamp=day)["id"]
        for colour, day in (("red", "2026-01-10"), ("green", "2026-02-10"), ("blue", "2026-03-10"))
    ]
    with project_scope(project):
        block = build_context(
            caller=Caller(organisation_id=uuid.uuid4(), project_id=project),
            query="lamp",
            vector=None,
            user_id=uid,
            agent_id=None,
            token_budget=800,
            as_of=datetime(2026, 2, 20, tzinfo=UTC),
            known_as_of=None,
            exclude_sessions=False,
        )
    assert [f"mem_{one.hex}" for one in block.memories] == [told[1], told[0]]
    assert block.degraded_parts == ["facts", "memories"]
    assert "as of 2026-02-20" in block.stable


def test_a_confined_key_gets_a_block_of_its_own_end_users_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna"])
    for owner in ("anna", "bob"):
        fresh.api.told(f"I live in {owner.title()}ville.", owner, timestamp="2026-01-10")
    block = confined.context(QUESTION, as_of="2026-02-01")
    assert "Annaville" in block["context"]
    assert "Bobville" not in block["context"]
    query = {"query": "x", "user_id": "bob", "as_of": "2026-02-01"}
    refused(confined.get("/v1/context", **query), 403, "forbidden", "confined")


def test_the_document_s_example_is_such_a_block(oracle: Oracle) -> None:
    answer = oracle.document["paths"]["/v1/context"]["get"]["responses"]["200"]
    shown = answer["content"]["application/json"]
    (example,) = [one["value"] for one in shown["examples"].values()]
    assert example == CONTEXT_EXAMPLE
    oracle.validate(shown["schema"], example)
    assert example["tokens"] == math.ceil(len(example["context"]) / 4)
    assert example["stable"] == reader_note(datetime(2026, 2, 1, tzinfo=UTC))
    assert example["stable_hash"] == hashlib.sha256(example["stable"].encode()).hexdigest()
