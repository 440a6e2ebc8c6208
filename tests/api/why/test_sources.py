"""GET /v1/facts/{fact_id}/why: the memories that say it, and the words they say it with."""

from __future__ import annotations

import uuid

from tests.api.lines import exported, imported
from tests.api.oracle import WatchedBox
from tests.api.why.asking import HEADER, ended, quoted, why
from tests.api_client import Api, ok, refused
from tests.fact_calls import all_of


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
