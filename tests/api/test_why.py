"""GET /v1/facts/{fact_id}/why."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from korely.rest.answers.facts import CLOSED_REASONS, WHY_EXAMPLE
from tests.api.lines import exported, imported
from tests.api.oracle import Oracle, WatchedBox
from tests.api_client import Api, ok, refused, unique
from tests.fact_calls import all_of, correct, forget, write

# What follows "Ended on D: " by two of the rules.
HISTORY = "it was told after the fact that followed it, and was true until that one began."
FORGOTTEN = "a caller said that it stopped being true."


def why(api: Api, fact_id: str) -> dict[str, Any]:
    return ok(api.get(f"/v1/facts/{fact_id}/why"))


def chain(found: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(one["object"], one["asked"]) for one in found["chain"]]


def quoted(found: dict[str, Any]) -> list[str | None]:
    """The words of each source."""
    return [one["evidence"] and one["evidence"]["text"] for one in found["sources"]]


def test_a_fact_a_text_replaced_tells_both_texts_and_the_rule(api: Api, uid: str) -> None:
    text = "🏛️ Ciao! I live in Rome. I like tea."
    rome = api.told(text, uid, timestamp="2026-01-10")
    milan = api.told("I moved to Milan.", uid, timestamp="2026-05-20")
    facts = {fact["object"]: fact for fact in all_of(api, uid).values()}
    found = why(api, facts["Rome"]["id"])
    assert found["fact"] == facts["Rome"]
    (source,) = found["sources"]
    evidence = source.pop("evidence")
    assert "live in Rome" in evidence["text"]
    assert text[evidence["start"] : evidence["end"]] == evidence["text"]  # code points
    assert source == {
        "memory_id": rome["id"],
        "kind": "note",
        "timestamp": "2026-01-10T00:00:00+00:00",
        "stated_at": facts["Rome"]["created_at"],
        "withdrawn_at": None,
    }
    assert found["ended"] == {
        "closed_reason": "superseded",
        "explanation": "Ended on 2026-05-20: what was said later took its place.",
        "invalid_at": "2026-05-20T00:00:00+00:00",
        "closed_known_at": facts["Rome"]["closed_known_at"],
        "by": facts["Milan"],
        "memory_id": milan["id"],
    }
    assert found["ended"]["by"]["source_memory_ids"] == [milan["id"]]
    assert (found["direct"], found["superseded"], found["truncated"]) == (False, [], False)
    assert chain(found) == [("Rome", True), ("Milan", False)]
    other = why(api, facts["Milan"]["id"])
    assert (other["ended"], other["superseded"]) == (None, [facts["Rome"]])
    assert chain(other) == [("Rome", False), ("Milan", True)]


def test_a_fact_without_a_memory_says_that_a_caller_wrote_it(api: Api, uid: str) -> None:
    made = write(api, "Ann", "lives in", "Rome", user_id=uid)
    found = why(api, made["id"])
    assert (found["direct"], found["sources"], found["ended"]) == (True, [], None)
    assert chain(found) == [("Rome", True)]
    memory = api.told("Ann lives in Rome.", uid)
    again = why(api, made["id"])
    assert again["direct"]
    assert [source["memory_id"] for source in again["sources"]] == [memory["id"]]


def test_every_memory_that_says_it_is_a_source_oldest_first(api: Api, uid: str) -> None:
    first = api.told("I like tea.", uid)
    second = api.told("Yes, I like tea!", uid, kind="session")
    (fact,) = api.facts(user_id=uid, predicate="likes")
    found = why(api, fact["id"])
    assert [(one["memory_id"], one["kind"]) for one in found["sources"]] == [
        (first["id"], "note"),
        (second["id"], "session"),
    ]
    assert not found["direct"]


def test_the_line_is_followed_both_ways_from_each_of_its_facts(api: Api, uid: str) -> None:
    names = ["Rome", "Milan", "Oslo", "Bern"]
    ids = [
        write(api, "Ann", "lives_in", name, user_id=uid, valid_from=f"202{year}-01-01")["id"]
        for year, name in enumerate(names)
    ]
    write(api, "Ann", "likes", "tea", user_id=uid)
    write(api, "Bob", "lives_in", "Rome", user_id=uid)
    for number, fact in enumerate(ids):
        found = why(api, fact)
        assert chain(found) == [(name, name == names[number]) for name in names]
        before = names[max(0, number - 1) : number]
        assert [one["object"] for one in found["superseded"]] == before
        by = found["ended"] and found["ended"]["by"]["id"]
        assert by == (ids[number + 1] if number < 3 else None)


def test_a_fact_that_ended_several_names_each(api: Api, uid: str) -> None:
    """History told late ends at the fact that followed it."""
    write(api, "Ann", "lives_in", "Oslo", user_id=uid, valid_from="2026-01-01")
    for year, name in ((2024, "Rome"), (2023, "Bern")):
        write(api, "Ann", "lives_in", name, user_id=uid, valid_from=f"{year}-01-01")
    (now,) = api.facts(user_id=uid)
    found = why(api, now["id"])
    rome = next(one for one in found["chain"] if one["object"] == "Rome")
    assert [one["object"] for one in found["superseded"]] == ["Rome"]
    assert chain(found) == [("Bern", False), ("Rome", False), ("Oslo", True)]
    told = why(api, rome["id"])["ended"]
    assert told["closed_reason"] == "history"
    assert told["explanation"] == f"Ended on 2026-01-01: {HISTORY}"


def test_each_way_to_end_is_told_by_its_rule(api: Api, uid: str) -> None:
    corrected = write(api, "Ann", "works_at", "Acme", user_id=uid)
    new = correct(api, corrected["id"], object="Bolt")
    told = why(api, corrected["id"])["ended"]
    assert (told["closed_reason"], told["by"]["id"]) == ("corrected", new["id"])
    forget(api, new["id"])
    told = why(api, new["id"])["ended"]
    assert (told["closed_reason"], told["by"]) == ("forgotten", None)
    plan = write(api, uid, "travels to", "Japan", user_id=uid, tense="planned")
    trip = write(api, uid, "visited", "Japan", user_id=uid)
    told = why(api, plan["id"])["ended"]
    assert (told["closed_reason"], told["by"]["id"]) == ("fulfilled", trip["id"])
    bounded = api.told("I lived in Oslo from 2019 until 2021.", uid)["id"]
    (fact,) = [one for one in all_of(api, uid).values() if one["source_memory_id"] == bounded]
    assert why(api, fact["id"])["ended"]["closed_reason"] == "stated"


def test_an_end_to_come_is_told_as_such(api: Api, uid: str) -> None:
    fact = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    forget(api, fact["id"], at="2091-03-01")
    told = why(api, fact["id"])["ended"]
    assert told["explanation"] == f"Ends on 2091-03-01: {FORGOTTEN}"


def test_there_are_words_for_every_rule(api: Api) -> None:
    from korely.rest.reasons import RULES

    assert set(RULES) == set(CLOSED_REASONS)


def test_a_changed_text_shows_the_words_that_say_it_now(api: Api, uid: str) -> None:
    made = api.told("I live in Rome. I like tea.", uid)
    facts = {fact["object"]: fact["id"] for fact in made["facts"]}
    text = "Well, a word first. I live in Rome."
    ok(api.patch(f"/v1/memories/{made['id']}", {"content": text}))
    api.settle(uid)
    (source,) = why(api, facts["Rome"])["sources"]
    evidence = source["evidence"]
    assert "live in Rome" in evidence["text"]
    assert text[evidence["start"] : evidence["end"]] == evidence["text"]
    assert source["withdrawn_at"] is None
    found = why(api, facts["tea"])
    assert quoted(found) == [None]
    assert found["sources"][0]["withdrawn_at"] is not None
    assert found["ended"]["closed_reason"] == "erased_source"


def test_a_text_that_waits_to_be_read_again_shows_no_words_of_the_old_one(
    fresh: WatchedBox, uid: str
) -> None:
    """Its places are those of a text that is gone."""
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory

    made = fresh.api.told("I live in Rome.", uid)
    (fact,) = made["facts"]
    assert quoted(why(fresh.api, fact["id"])) == ["I live in Rome"]
    with project_scope(uuid.UUID(fresh.project["id"][4:])):  # as a PATCH leaves it to the worker
        waiting = Memory.objects.filter(id=uuid.UUID(made["id"][4:]))
        assert waiting.update(content="The password is swordfish.", status="processing") == 1
    answer = fresh.api.get(f"/v1/facts/{fact['id']}/why")
    assert quoted(ok(answer)) == [None]
    assert "password" not in answer.text


def test_a_forgotten_memory_leaves_its_id_and_no_word(api: Api, uid: str) -> None:
    secret = "I like swordfish."
    made = api.told(secret, uid, timestamp="2026-01-10")
    kept = api.told("Yes, I like swordfish!", uid)
    (fact,) = [one for one in all_of(api, uid).values() if one["object"] == "swordfish"]
    ok(api.delete(f"/v1/memories/{made['id']}"))
    found = why(api, fact["id"])
    gone, live = found["sources"]
    assert (gone["memory_id"], live["memory_id"]) == (made["id"], kept["id"])
    assert (gone["evidence"], gone["timestamp"]) == (None, None)
    assert gone["withdrawn_at"] is not None
    assert "like swordfish" in live["evidence"]["text"]
    assert (found["ended"], live["withdrawn_at"]) == (None, None)
    ok(api.delete(f"/v1/memories/{kept['id']}"))
    found = why(api, fact["id"])
    assert quoted(found) == [None, None]
    assert found["ended"]["closed_reason"] == "erased_source"


def test_an_erased_user_s_fact_is_404(api: Api, uid: str) -> None:
    (fact,) = api.told("I live in Rome.", uid)["facts"]
    ok(api.delete(f"/v1/users/{uid}/memories"))
    refused(api.get(f"/v1/facts/{fact['id']}/why"), 404, "not_found")


def test_an_imported_fact_has_sources_without_words(fresh: WatchedBox, uid: str) -> None:
    made = fresh.api.told("I live in Rome.", uid)
    (fact,) = made["facts"]
    lines = exported(fresh.api)
    ok(fresh.api.delete(f"/v1/users/{uid}/memories"))
    imported(fresh.api, lines)
    found = why(fresh.api, fact["id"])
    assert [source["memory_id"] for source in found["sources"]] == [made["id"]]
    assert quoted(found) == [None]


def ended(**fields: Any) -> dict[str, Any]:
    """A line of a fact that another store ended."""
    return {
        "type": "fact",
        "subject": "Ann",
        "predicate": "lives_in",
        "object": fields["id"][-2:],
        "valid_from": "2020-01-01",
        "invalid_at": "2021-01-01",
        "closed_known_at": "2021-01-01",
        "closed_reason": "superseded",
        "created_at": "2020-01-01",
        **fields,
    }


HEADER = {"type": "header", "format": "korely-export", "version": 1}


def test_a_circle_of_facts_is_followed_once(fresh: WatchedBox) -> None:
    """Only an import can bring one: two facts that ended each other, and one that they ended."""
    one, two, three = (f"fct_{uuid.uuid4().hex}" for _ in range(3))
    lines = [
        ended(id=one, invalidated_by=two, user_id="u"),
        ended(id=two, invalidated_by=one, user_id="u"),
        ended(id=three, invalidated_by=one, user_id="u"),
    ]
    imported(fresh.api, [HEADER, *lines])
    for fact in (one, two, three):
        found = why(fresh.api, fact)
        assert {link["id"] for link in found["chain"]} == {one, two, three}
        assert len(found["chain"]) == 3
        assert not found["truncated"]
    itself = f"fct_{uuid.uuid4().hex}"
    imported(fresh.api, [HEADER, ended(id=itself, invalidated_by=itself, user_id="u")])
    assert [link["id"] for link in why(fresh.api, itself)["chain"]] == [itself]


def test_facts_of_another_end_user_are_no_part_of_a_line(fresh: WatchedBox) -> None:
    """Only an import can say that one user's fact ended another's."""
    theirs = write(fresh.api, "Bob", "lives_in", "Atlantis", user_id="bob")
    mine, missing = (f"fct_{uuid.uuid4().hex}" for _ in range(2))
    lines = [
        ended(id=mine, invalidated_by=theirs["id"], user_id="ann"),
        ended(id=missing, invalidated_by=f"fct_{uuid.uuid4().hex}", user_id="ann"),
    ]
    imported(fresh.api, [HEADER, *lines])
    answer = fresh.key(users=["ann"]).get(f"/v1/facts/{mine}/why")
    assert "Atlantis" not in answer.text
    assert ok(answer)["ended"]["by"] is None
    assert [link["id"] for link in ok(answer)["chain"]] == [mine]
    found = why(fresh.api, theirs["id"])
    assert (found["superseded"], len(found["chain"])) == ([], 1)
    assert why(fresh.api, missing)["ended"]["by"] is None


@pytest.mark.parametrize(("asked", "shown"), [(0, 51), (60, 101), (119, 51)])
def test_a_long_line_is_cut_to_the_nearest_facts(
    long_line: tuple[Api, list[str]], asked: int, shown: int
) -> None:
    api, ids = long_line
    found = why(api, ids[asked])
    assert found["truncated"]
    least = max(0, asked - 50)
    assert [link["id"] for link in found["chain"]] == ids[least : least + shown]


@pytest.fixture(scope="module")
def long_line(box: WatchedBox) -> tuple[Api, list[str]]:
    ids = [f"fct_{uuid.uuid4().hex}" for _ in range(120)]
    uid = unique("long")
    lines = [
        ended(
            id=fact,
            user_id=uid,
            valid_from=f"{1900 + number}-01-01",
            invalid_at=f"{1901 + number}-01-01",
            invalidated_by=None if number == 119 else ids[number + 1],
        )
        for number, fact in enumerate(ids)
    ]
    imported(box.api, [HEADER, *lines])
    return box.api, ids


def test_the_memory_whose_text_ended_a_fact_is_named(api: Api, uid: str) -> None:
    api.add("I work at Acme.", user_id=uid)
    api.settle(uid)
    (job,) = api.facts(user_id=uid)
    assert job["predicate"] == "works_at"
    over = api.add("I no longer work at Acme.", user_id=uid)
    api.settle(uid)
    ended = why(api, job["id"])["ended"]
    assert (ended["closed_reason"], ended["by"], ended["memory_id"]) == ("closed", None, over["id"])
    written = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    write(api, "Ann", "lives_in", "Oslo", user_id=uid)
    assert why(api, written["id"])["ended"]["memory_id"] is None


def test_of_many_memories_the_oldest_hundred_are_told(box: WatchedBox, uid: str) -> None:
    memories = sorted(f"mem_{uuid.uuid4().hex}" for _ in range(101))
    written = {"type": "memory", "content": "Hm.", "user_id": uid, "created_at": "2020-01-01"}
    lines = [{**written, "id": memory} for memory in memories]
    fact = f"fct_{uuid.uuid4().hex}"
    lines.append(ended(id=fact, user_id=uid, source_memory_ids=memories))
    imported(box.api, [HEADER, *lines])
    found = why(box.api, fact)
    assert [source["memory_id"] for source in found["sources"]] == memories[:100]
    assert found["truncated"]


def test_an_answer_takes_a_few_statements_however_long_the_line(
    long_line: tuple[Api, list[str]], box: WatchedBox
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope
    from memories.selectors import explain_fact

    project = uuid.UUID(box.project["id"][4:])
    caller = Caller(organisation_id=uuid.uuid4(), project_id=project)
    with project_scope(project), CaptureQueriesContext(connection) as asked:
        found = explain_fact(caller=caller, fact_id=uuid.UUID(long_line[1][60][4:]))
    assert len(found.chain.facts) == 101
    assert len(asked) == 3


def test_an_unknown_a_malformed_and_a_foreign_fact_are_404_alike(
    api: Api, stranger: Api, uid: str
) -> None:
    made = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    bodies = {
        refused(key.get(f"/v1/facts/{one}/why"), 404, "not_found")["message"]
        for key, one in (
            (api, f"fct_{uuid.uuid4().hex}"),
            (api, "fct_nonsense"),
            (api, "mem_" + made["id"][4:]),
            (stranger, made["id"]),
        )
    }
    assert len(bodies) == 1
    assert why(api, made["id"][4:].upper())["fact"]["id"] == made["id"]


def test_a_confined_key_is_told_of_its_own_end_users_facts_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna", "team-*"])
    for owner, status in (("anna", 200), ("team-1", 200), ("bob", 404), (None, 404)):
        fields = {"user_id": owner} if owner else {}
        made = write(fresh.api, "s", "status", "o", **fields)
        assert confined.get(f"/v1/facts/{made['id']}/why").status_code == status


def test_it_is_one_read_event_with_ids_alone(fresh: WatchedBox) -> None:
    memory = fresh.api.told("I live in Rome.", "u", timestamp="2026-01-10")
    (rome,) = memory["facts"]
    milan = write(fresh.api, "u", "lives_in", "Milan", user_id="u")
    before = ok(fresh.api.get("/v1/audit", action="read"))["total"]
    why(fresh.api, rome["id"])
    trail = ok(fresh.api.get("/v1/audit", action="read"))
    assert trail["total"] == before + 1
    event = trail["events"][0]
    assert (event["user_id"], event["target_id"]) == ("u", rome["id"])
    assert event["meta"] == {"call": "why"}
    assert event["read"] == {"memories": [memory["id"]], "facts": [rome["id"], milan["id"]]}
    assert "Rome" not in json.dumps(event)


def test_it_costs_one_query_and_nothing_where_there_is_none(on_plan: Callable[..., Api]) -> None:
    api = on_plan(queries_per_month=1)
    made = write(api, "Ann", "lives_in", "Rome")
    refused(api.get(f"/v1/facts/fct_{uuid.uuid4().hex}/why"), 404, "not_found")
    why(api, made["id"])
    refused(api.get(f"/v1/facts/{made['id']}/why"), 429, "quota_exceeded")
    refused(api.get(f"/v1/facts/fct_{uuid.uuid4().hex}/why"), 404, "not_found")


def test_the_document_s_example_is_such_an_answer(oracle: Oracle) -> None:
    answer = oracle.document["paths"]["/v1/facts/{fact_id}/why"]["get"]["responses"]["200"]
    shown = answer["content"]["application/json"]
    (example,) = shown["examples"].values()
    assert example["value"] == WHY_EXAMPLE
    oracle.validate(shown["schema"], example["value"])
