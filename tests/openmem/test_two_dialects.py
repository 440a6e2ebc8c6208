"""One store: what one dialect stores or deletes, the other reads or no longer reads."""

from __future__ import annotations

from tests.api_client import Api, ok, refused
from tests.openmem.client import Mos, denied, everything


def test_a_conversation_answers_in_context_until_the_dialect_deletes_it(
    api: Api, mos: Mos, uid: str
) -> None:
    mos.say(uid, "I live in Oslo and the boiler key hangs in the shed.")
    found = api.context("Where is the boiler key?", user_id=uid)
    assert "hangs in the shed" in found["context"]
    assert [hit["id"] for hit in api.search("boiler key", user_id=uid)]
    listed = mos.listed(uid)
    ids = [one["id"] for one in listed["memory_detail_list"]]
    facts = [fact["id"] for fact in api.facts(user_id=uid)]
    assert facts
    mos.data("/delete/memory", memory_ids=ids)
    assert "shed" not in api.context("Where is the boiler key?", user_id=uid)["context"]
    assert "Oslo" not in api.context("Where do I live?", user_id=uid)["context"]
    assert api.search("boiler key", user_id=uid) == []
    assert ok(api.get("/v1/memories", user_id=uid))["total"] == 0
    assert api.facts(user_id=uid) == []
    refused(api.get(f"/v1/memories/{ids[0]}"), 404, "not_found")


def test_a_conversation_is_gone_here_once_the_api_forgets_its_memory(
    api: Api, mos: Mos, uid: str
) -> None:
    mos.say(uid, "I like jazz.")
    (memory,) = mos.listed(uid)["memory_detail_list"]
    assert mos.search(uid, "jazz")["preference_detail_list"]
    ok(api.delete(f"/v1/memories/{memory['id']}"))
    assert mos.listed(uid)["total"] == 0
    assert "jazz" not in everything(mos.search(uid, "jazz"))
    denied(mos.post("/delete/memory", memory_ids=[memory["id"]]), 404, 40307)


def test_a_memory_of_the_api_is_found_here_and_deleted_for_both(
    api: Api, mos: Mos, uid: str
) -> None:
    made = api.told("I live in Bergen, near the funicular.", uid)
    found = mos.search(uid, "Where is the funicular?")["memory_detail_list"]
    assert made["id"] in [one["id"] for one in found]
    mos.data("/delete/memory", memory_ids=[made["id"]], user_ids=[uid])
    assert "funicular" not in everything(mos.search(uid, "Where is the funicular?"))
    assert "Bergen" not in api.context("Where do I live?", user_id=uid)["context"]
    refused(api.get(f"/v1/memories/{made['id']}"), 404, "not_found")


def test_a_fact_forgotten_by_either_is_gone_in_both(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.", "I like opera.")
    facts = {one["object"]: one["id"] for one in api.facts(user_id=uid)}
    ok(api.post(f"/v1/facts/{facts['jazz']}/forget"))
    left = mos.listed(uid)["preference_detail_list"]
    assert [one["id"] for one in left] == [facts["opera"]]
    mos.data("/delete/memory", memory_ids=[facts["opera"]])
    assert api.facts(user_id=uid) == []
    assert mos.listed(uid)["preference_detail_list"] == []


def test_who_speaks_is_no_part_of_what_a_message_means(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, "The funicular is closed for repair.", "Two men work there.")
    (hit,) = api.search("The funicular is closed for repair.\nTwo men work there.", user_id=uid)
    assert hit["score"] > 0.999
