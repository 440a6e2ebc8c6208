"""One fact's page: its words in the memory, both clocks, its line, who looked."""

from __future__ import annotations

import pytest

from tests.api_client import ok
from tests.dashboard.team import Team
from tests.dashboard.timeline.storyteller import Storyteller
from tests.dashboard.visitor import words
from tests.fact_calls import write

NASTY = "<img src=x onerror=alert(1)></script>{{7*7}} javascript:alert(1) \u202eevil"


def test_a_fact_shows_its_words_its_end_and_its_line(teller: Storyteller, uid: str) -> None:
    facts = teller.moved(uid)
    rome, oslo = facts["Rome"], facts["Oslo"]
    page = teller.fact(rome["id"])
    assert "<mark>I live in Rome</mark>." in page
    assert f"/explore/memories/{rome['source_memory_id']}/" in page
    assert "Ended on 2023-03-01: what was said later took its place." in page
    assert f'href="{teller.page}{oslo["id"]}/"' in page
    assert "True from" in page
    assert "its end is known from" in page
    assert "/correct/" not in page
    why = ok(teller.api.get(f"/v1/facts/{rome['id']}/why"))
    assert why["ended"]["explanation"] in page
    assert why["ended"]["memory_id"] in page
    heir = teller.fact(oslo["id"])
    assert "What it ended" in heir
    assert f'href="{teller.page}{rome["id"]}/"' in heir
    assert f"{teller.page}{oslo['id']}/correct/" in heir
    assert f"{teller.page}{oslo['id']}/forget/" in heir


def test_a_fact_is_found_by_either_spelling_of_its_id(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid)
    bare = fact["id"].removeprefix("fct_")
    for spelled in (fact["id"], bare):
        assert teller.owner.get(f"{teller.page}{spelled}/").status_code == 200
    for unknown in ("fct_" + "0" * 32, "nonsense", fact["id"].upper()):
        assert teller.owner.get(f"{teller.page}{unknown}/").status_code == 404


def test_the_look_and_the_memories_shown_are_audited(teller: Storyteller, uid: str) -> None:
    rome = teller.moved(uid)["Rome"]
    before = teller.used()
    page = teller.fact(rome["id"])
    assert teller.used() == before
    (event,) = teller.events(uid)
    assert (event["action"], event["target_id"]) == ("read", rome["id"])
    assert event["meta"]["call"] == "dashboard.fact"
    assert [f"mem_{one.hex}" for one in event["read_memories"]] == rome["source_memory_ids"]
    assert f"fct_{event['read_facts'][0].hex}" == rome["id"]
    assert len(event["read_facts"]) == 2
    assert "This look was recorded as" in page


def test_the_audit_ids_of_what_happened_are_for_those_who_see_the_audit_log(
    teller: Storyteller, gathered: Team, uid: str
) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid)
    ((written,),) = _written(teller, fact["id"])
    assert f"aud_{written.hex}" in teller.fact(fact["id"])
    done = gathered.member.post(
        f"/dashboard/p/{gathered.project}/facts/new/",
        {"step": "save", "user_id": uid, "subject": uid, "predicate": "likes", "object": "tea",
         "tense": "current"},
    )  # fmt: skip
    where = done.headers["location"]
    member, owner = gathered.member.get(where).text, gathered.owner.get(where).text
    assert "fact_write" in owner
    assert "fact_write" not in member
    assert "This look was recorded as" in member


def _written(teller: Storyteller, fact_id: str) -> list[tuple]:
    from tests.dashboard.records import rows

    return rows(
        teller.house,
        "SELECT id FROM billing_auditevent WHERE target_id = %s AND action = 'fact_write'",
        fact_id,
    )


@pytest.mark.parametrize("gone", ["forgotten", "changed"])
def test_words_that_a_memory_no_longer_says_are_not_shown(
    teller: Storyteller, uid: str, gone: str
) -> None:
    made = teller.api.told("I live in Rome. My secret is safe.", uid)
    (fact,) = made["facts"]
    assert "<mark>" in teller.fact(fact["id"])
    if gone == "forgotten":
        ok(teller.api.delete(f"/v1/memories/{made['id']}"))
    else:
        ok(teller.api.patch(f"/v1/memories/{made['id']}", {"content": "I like tea."}))
    teller.api.settle(uid)
    page = teller.fact(fact["id"])
    assert "<mark>" not in page
    assert "secret" not in page
    assert "every memory that stated it was changed or forgotten" in page


def test_hostile_text_of_a_fact_and_its_memory_is_text(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, NASTY, NASTY, NASTY, user_id=uid)
    page = teller.fact(fact["id"])
    assert "<img src=x" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;{{7*7}}" in page
    assert "<bdi>" in page
    made = teller.api.told(f"I live in Rome. {NASTY}", uid)
    shown = teller.fact(made["facts"][0]["id"])
    assert "<img src=x" not in shown
    assert "&lt;img src=x" in shown
    assert NASTY in words(teller.owner.get(f"{teller.page}{made['facts'][0]['id']}/"))
