"""What is found in knowledge bases, and by whom."""

from __future__ import annotations

from tests.api_client import Api, Box, ok, unique
from tests.openmem.client import Mos, denied, everything, texts
from tests.openmem.knowledge.conftest import Base

SECRET = "The vault of the manual opens at nine."
NOWHERE = "kb_" + "0" * 32


def test_a_base_is_found_only_where_it_is_named(base: Base) -> None:
    other = Base(base.mos, "Others")
    base.add(**{"vault.txt": SECRET})
    other.add(**{"door.txt": "The door of the manual is green."})
    assert [one["memory_value"] for one in base.found("vault")] == [SECRET]
    assert base.mos.search("u", "vault")["memory_detail_list"] == []
    assert base.mos.search("u", "vault", knowledgebase_ids=[])["memory_detail_list"] == []
    every = base.mos.search("u", "vault of the manual", knowledgebase_ids=["all"])
    assert {one["memory_key"] for one in every["memory_detail_list"]} == {"vault.txt", "door.txt"}
    assert (
        base.mos.search("u", "vault", knowledgebase_ids=["all"], memory_limit_number=0)[
            "memory_detail_list"
        ]
        == []
    )


def test_a_text_of_a_base_is_no_memory_that_can_be_deleted(base: Base) -> None:
    base.add(**{"pump.txt": "The pump is blue."})
    (item,) = base.found("pump")
    for beside in ({}, {"user_ids": ["nobody"]}):
        answer = base.mos.post("/delete/memory", memory_ids=[item["id"]], **beside)
        denied(answer, 404, 40307)
    assert [one["id"] for one in base.found("pump")] == [item["id"]]


def test_the_api_never_shows_a_base(fresh: Box, base: Base) -> None:
    base.add(**{"vault.txt": SECRET})
    assert fresh.api.search("vault of the manual") == []
    assert ok(fresh.api.get("/v1/memories"))["memories"] == []
    assert ok(fresh.api.get("/v1/users"))["users"] == []
    assert SECRET not in str(fresh.api.context("vault of the manual"))
    exported = fresh.api.request("GET", "/v1/export")
    assert SECRET not in exported.text


def test_an_unknown_or_foreign_base_refuses_the_whole_call(
    boot: Api, other_account: Api, base: Base, uid: str
) -> None:
    base.add(**{"vault.txt": SECRET})
    mos = base.mos
    for ids in ([NOWHERE], [base.id, NOWHERE], ["x"], ["all", NOWHERE]):
        denied(
            mos.post("/search/memory", user_id=uid, query="v", knowledgebase_ids=ids), 404, 50123
        )
    for key in (Box(boot).api.key, other_account.key):
        away = Mos(boot.base_url, key)
        body = {"user_id": uid, "query": "vault", "knowledgebase_ids": [base.id]}
        denied(away.post("/search/memory", **body), 404, 50123)
        body["knowledgebase_ids"] = ["all"]
        assert "vault of" not in everything(away.data("/search/memory", **body))
        denied(away.post("/get/knowledgebase-file", knowledgebase_id=base.id), 404, 50120)
        (file,) = base.files()["file_detail_list"]
        denied(away.post("/delete/knowledgebase-file", file_ids=[file["id"]]), 404, 40001)
        denied(away.post("/delete/knowledgebase", knowledgebase_id=base.id), 404, 50120)
        hello = [{"role": "user", "content": "Hello."}]
        for ids in ([base.id], ["all"]):
            body = {"user_id": uid, "messages": hello, "allow_knowledgebase_ids": ids}
            denied(away.post("/add/message", **body), 404, 50123)
        assert away.listed(uid)["total"] == 0
    assert [one["memory_value"] for one in base.found("vault")] == [SECRET]


def test_bases_make_up_half_of_the_facts_at_most(base: Base, uid: str) -> None:
    base.add(**{f"{n}.txt": f"The pump number {n} is blue." for n in range(8)})
    for number in range(6):
        base.mos.say(uid, f"Where is the pump of house {number}?", conversation_id=f"c{number}")
    for limit, most in ((6, 3), (5, 3), (1, 1)):
        found = base.mos.search(
            uid, "pump", knowledgebase_ids=[base.id], memory_limit_number=limit
        )["memory_detail_list"]
        assert len(found) == limit
        of_base = [one for one in found if one["conversation_id"] == "default_session"]
        assert len(of_base) <= most
        closeness = [one["relativity"] for one in found]
        assert closeness == sorted(closeness, reverse=True)


def test_a_filter_of_the_source_narrows_bases_alone(base: Base, uid: str) -> None:
    base.add(**{"pump.txt": "The pump is blue."})
    base.mos.say(uid, "Where is the pump?")

    def found(**sources: object) -> list[str]:
        fields = {"knowledgebase_ids": [base.id], "filter": sources}
        return sorted(texts(base.mos.search(uid, "pump", **fields)))

    own, document = "user: Where is the pump?", "The pump is blue."
    fine = {"and": [{"tags": {"contains": "mode:fine"}}]}
    none = {"and": [{"tags": {"contains": "mode:coarse"}}]}
    assert found(knowledgebase=fine) == [document, own]
    assert found(knowledgebase=none) == [own]
    assert found(user=none) == [document]
    assert found(**fine) == [document]
    assert found(knowledgebase={"or": [{"create_time": {"lt": "2020-01-01"}}]}) == [own]


def test_what_is_said_goes_into_the_bases_named_and_with_its_end_user(
    fresh: Box, base: Base, uid: str
) -> None:
    base.mos.say(uid, "The heating season starts in October.", allow_knowledgebase_ids=[base.id])
    feedback = {"feedback_content": "The heating season ends in May."}
    base.mos.data("/add/feedback", user_id=uid, allow_knowledgebase_ids=[base.id], **feedback)
    told = {one["memory_value"] for one in base.found("heating season")}
    assert told == {
        "user: The heating season starts in October.",
        "The heating season ends in May.",
    }
    ok(fresh.api.delete(f"/v1/users/{uid}/memories"))
    assert base.found("heating season") == []


def test_a_long_conversation_is_cut_for_a_base(base: Base, uid: str) -> None:
    long = " ".join(f"Word{number} of the long story is told." for number in range(160))
    base.mos.say(uid, long, allow_knowledgebase_ids=[base.id])
    found = base.found("Word3 of the story", memory_limit_number=25)
    assert len(found) > 1
    assert all(len(one["memory_value"]) <= 2_000 for one in found)


def test_a_confined_key_finds_documents_and_its_own_and_changes_nothing(
    box: Box, mos: Mos, uid: str
) -> None:
    base, other = Base(mos), unique("other")
    base.add(**{"pump.txt": "The pump is blue."})
    mos.say(other, "The pump of the neighbour is red.", allow_knowledgebase_ids=[base.id])
    confined = Mos(box.boot.base_url, box.key(users=[uid]).key)
    found = confined.search(uid, "pump", knowledgebase_ids=[base.id])
    assert texts(found) == ["The pump is blue."]
    (file,) = base.files()["file_detail_list"]
    content = {"content": "QUJD"}
    calls = {
        "/create/knowledgebase": {"knowledgebase_name": "x"},
        "/delete/knowledgebase": {"knowledgebase_id": base.id},
        "/add/knowledgebase-file": {"knowledgebase_id": base.id, "file": [content]},
        "/delete/knowledgebase-file": {"file_ids": [file["id"]]},
    }
    for path, body in calls.items():
        denied(confined.post(path, **body), 403, 40103)
    assert base.files()["file_detail_list"] == [file]


def test_calls_need_their_scope(box: Box, mos: Mos, shared: Base) -> None:
    reader = Mos(box.boot.base_url, box.key("memories:read").key)
    writer = Mos(box.boot.base_url, box.key("memories:write").key)
    nobody = Mos(box.boot.base_url, None)
    reading = ("/get/knowledgebase-file",)
    writing = (
        "/create/knowledgebase",
        "/delete/knowledgebase",
        "/add/knowledgebase-file",
        "/delete/knowledgebase-file",
    )
    for path in (*reading, *writing):
        denied(nobody.post(path, knowledgebase_id=shared.id), 401, 40100)
        lacks = writer if path in reading else reader
        denied(lacks.post(path, knowledgebase_id=shared.id), 403, 40103, "memories:")
        answer = mos.send("GET", path)
        denied(answer, 405, 50000)
        assert answer.headers["allow"] == "POST, OPTIONS"
    assert shared.files()["total"] == 0
