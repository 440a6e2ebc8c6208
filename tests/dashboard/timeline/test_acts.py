"""Facts added, corrected and ended by hand: what would change is told, then it does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import ok
from tests.concurrency.at_once import at_once
from tests.dashboard.timeline.storyteller import Storyteller
from tests.dashboard.visitor import words
from tests.fact_calls import all_of, forget, values, write


def typed(uid: str, predicate: str, value: str, **more: str) -> dict[str, str]:
    subject = more.pop("subject", uid)
    return {"user_id": uid, "subject": subject, "predicate": predicate, "object": value,
            "tense": "current", **more}  # fmt: skip


def test_a_fact_added_by_hand_is_previewed_then_stored(teller: Storyteller, uid: str) -> None:
    old = write(teller.api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    before = teller.used()
    asked = typed(uid, "lives in", "Oslo", valid_from="2023-03-01T00:00")
    seen = teller.act("new", step="preview", **asked)
    assert seen.status_code == 200
    text = words(seen)
    assert "A new fact, true from 2023-03-01 00:00 UTC" in text
    assert "Ended on 2023-03-01: what was said later took its place." in text
    assert old["id"] in seen.text
    assert teller.used() == before
    assert values(teller.api, uid) == ["Rome"]
    assert teller.events(uid)[-1]["meta"]["call"] == "dashboard.preview"

    done = teller.act("new", **asked)
    assert done.status_code == 302
    made = all_of(teller.api, uid)
    new = next(fact for fact in made.values() if fact["object"] == "Oslo")
    assert done.headers["location"] == f"{teller.page}{new['id']}/"
    assert (new["predicate"], new["valid_from"]) == ("lives_in", "2023-03-01T00:00:00+00:00")
    assert made[old["id"]]["invalidated_by"] == new["id"]
    assert teller.used()[0] == before[0] + 1
    page = words(teller.owner.get(done.headers["location"]))
    assert "Stored. It ended 1 other fact." in page
    acts = [event for event in teller.events(uid) if event["action"] != "read"]
    assert [event["action"] for event in acts] == ["fact_write", "fact_invalidate"]
    assert all(len(event["meta"]["person"]) == 32 for event in acts)


def test_what_is_said_already_is_confirmed(teller: Storyteller, uid: str) -> None:
    old = write(teller.api, uid, "likes", "green tea", user_id=uid)
    asked = typed(uid, "likes", "green tea")
    assert "it is confirmed, and no new fact is stored" in words(
        teller.act("new", step="preview", **asked)
    )
    done = teller.act("new", **asked)
    assert done.headers["location"] == f"{teller.page}{old['id']}/"
    assert all_of(teller.api, uid)[old["id"]]["observation_count"] == 2
    assert "now said 2 times" in words(teller.owner.get(done.headers["location"]))


def test_a_fact_may_be_added_with_its_end(teller: Storyteller, uid: str) -> None:
    asked = typed(uid, "works at", "Acme", valid_from="2018-01-01", until="2020-01-01")
    assert teller.act("new", **asked).status_code == 302
    (fact,) = all_of(teller.api, uid).values()
    assert (fact["invalid_at"], fact["closed_reason"]) == (
        "2020-01-01T00:00:00+00:00",
        "forgotten",
    )


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("object", {"object": ""}),
        ("object", {"object": "x" * 501}),
        ("subject", {"subject": " "}),
        ("predicate", {"predicate": "x" * 201}),
        ("user_id", {"user_id": "a/b"}),
        ("agent_id", {"agent_id": ".."}),
        ("valid_from", {"valid_from": "yesterday"}),
        ("until", {"valid_from": "2020-01-01", "until": "2019-01-01"}),
        ("until", {"tense": "past", "until": "2019-01-01"}),
        ("tense", {"tense": "perhaps"}),
        ("object", {"object": "a\x00b"}),
    ],
)
def test_bad_values_are_refused_beside_their_field_and_store_nothing(
    teller: Storyteller, uid: str, field: str, asked: dict[str, str]
) -> None:
    before = teller.used()
    for step in ("preview", "save"):
        answer = teller.act("new", **{**typed(uid, "likes", "tea"), **asked, "step": step})
        assert answer.status_code == 422
        assert f'id="id_{field}_error"' in answer.text
    assert teller.used() == before
    assert teller.api.facts(user_id=uid) == []


def test_a_correction_is_previewed_and_takes_the_place(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rom", user_id=uid, valid_from="2020-01-01")
    asked = {"subject": uid, "predicate": "lives_in", "object": "Rome"}
    seen = words(teller.act(f"{fact['id']}/correct", step="preview", **asked))
    assert "A new fact, true from" in seen
    assert "a caller corrected it." in seen
    assert values(teller.api, uid) == ["Rom"]
    done = teller.act(f"{fact['id']}/correct", **asked)
    assert done.status_code == 302
    assert values(teller.api, uid) == ["Rome"]
    made = all_of(teller.api, uid)
    assert made[fact["id"]]["closed_reason"] == "corrected"
    heir = made[made[fact["id"]]["invalidated_by"]]
    assert (heir["predicate_raw"], heir["object"]) == (fact["predicate_raw"], "Rome")


def test_a_correction_of_what_is_over_is_refused_with_what_holds(
    teller: Storyteller, uid: str
) -> None:
    facts = teller.moved(uid)
    path = f"{facts['Rome']['id']}/correct"
    asked = {"subject": uid, "predicate": "lives_in", "object": "Roma"}
    before = teller.used()
    for step in ("preview", "save"):
        answer = teller.act(path, **asked, step=step)
        assert answer.status_code == 409
        assert f"{teller.page}{facts['Oslo']['id']}/" in answer.text
    assert teller.used() == before
    assert "only what holds can be corrected" in teller.owner.get(f"{teller.page}{path}/").text
    assert len(all_of(teller.api, uid)) == 2


def test_a_correction_that_changes_nothing_is_refused(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid)
    asked = {"subject": uid, "predicate": "lives_in", "object": "Rome"}
    answer = teller.act(f"{fact['id']}/correct", **asked)
    assert answer.status_code == 422
    assert "Change at least one of the three." in answer.text
    assert all_of(teller.api, uid)[fact["id"]]["observation_count"] == 1


def test_ending_a_fact_tells_what_comes_back(teller: Storyteller, uid: str) -> None:
    write(teller.api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    bonn = bounded(teller, uid)
    assert values(teller.api, uid) == ["Bonn"]
    seen = words(teller.act(f"{bonn['id']}/forget", step="preview"))
    assert "a caller said that it stopped being true." in seen
    assert f"Comes back {uid} lives_in Rome is shown from then on." in seen
    assert values(teller.api, uid) == ["Bonn"]
    done = teller.act(f"{bonn['id']}/forget")
    assert done.status_code == 302
    assert "Audit event: aud_" in words(teller.owner.get(done.headers["location"]))
    assert values(teller.api, uid) == ["Rome"]
    again = words(teller.act(f"{bonn['id']}/forget", step="preview"))
    assert "It has ended already: nothing would change." in again


def bounded(teller: Storyteller, uid: str) -> dict[str, Any]:
    """A fact that covers another one until its own end, which was told with it."""
    teller.api.told("I lived in Bonn from 2021 until 2090.", uid)
    found = teller.api.facts(user_id=uid, include_invalidated=True)
    return next(fact for fact in found if fact["object"] == "Bonn")


def test_a_fact_may_be_ended_at_a_date(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    path = f"{fact['id']}/forget"
    refused = teller.act(path, at="2019-01-01T00:00")
    assert refused.status_code == 422
    assert "cannot stop being true before it began" in refused.text
    assert values(teller.api, uid) == ["Rome"]
    assert teller.act(path, at="2022-05-01T00:00").status_code == 302
    assert all_of(teller.api, uid)[fact["id"]]["invalid_at"] == "2022-05-01T00:00:00+00:00"
    assert values(teller.api, uid) == []
    assert values(teller.api, uid, as_of="2021-01-01") == ["Rome"]


def test_two_corrections_at_once_leave_one_open_fact(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rom", user_id=uid)
    path = f"{teller.page}{fact['id']}/correct/"
    token = teller.owner.get(path).text.split('csrfmiddlewaretoken" value="')[1].split('"')[0]

    def correct(value: str) -> int:
        body = {"csrfmiddlewaretoken": token, "step": "save", "subject": uid,
                "predicate": "lives_in", "object": value}  # fmt: skip
        return teller.owner.http.post(path, data=body).status_code

    answers = at_once([lambda: correct("Rome"), lambda: correct("Roma")])
    assert sorted(answers) == [302, 409]
    assert len(teller.api.facts(user_id=uid)) == 1


def test_spent_writes_are_told_and_nothing_is_stored(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid)
    asked = {"subject": uid, "predicate": "lives_in", "object": "Roma"}
    with teller.nothing_left():
        answers = [
            teller.act("new", **typed(uid, "likes", "tea")),
            teller.act(f"{fact['id']}/correct", **asked),
        ]
    assert [answer.status_code for answer in answers] == [429, 429]
    assert all("quota reached" in answer.text for answer in answers)
    assert values(teller.api, uid) == ["Rome"]


def test_a_preview_foresees_what_the_act_does(teller: Storyteller, uid: str) -> None:
    write(teller.api, uid, "likes", "tea", user_id=uid, valid_from="2020-01-01")
    plan = write(teller.api, uid, "lives_in", "Oslo", user_id=uid, tense="planned")
    write(teller.api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    for asked in (typed(uid, "dislikes", "tea"), typed(uid, "lives_in", "Oslo")):
        seen = teller.act("new", step="preview", **asked).text
        before = {one for one in all_of(teller.api, uid) if f"/{one}/" in seen}
        teller.act("new", **asked)
        after = all_of(teller.api, uid)
        moved = {one for one in before if after[one]["closed_reason"]}
        assert moved == before != set()
    assert all_of(teller.api, uid)[plan["id"]]["closed_reason"] == "fulfilled"
    ok(teller.api.get("/v1/ping"))
    assert forget(teller.api, plan["id"])["status"] == "already_forgotten"
