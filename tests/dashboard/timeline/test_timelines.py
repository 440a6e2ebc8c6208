"""Timelines of an end user's facts over HTTP: both clocks, as the API tells them."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from tests.api_client import unique
from tests.dashboard.timeline.storyteller import Storyteller, strong, told
from tests.dashboard.visitor import settled
from tests.fact_calls import forget, write

SUPERSEDED = "Ended on 2023-03-01: what was said later took its place."
NASTY = "<img src=x onerror=alert(1)></script>{{7*7}} javascript:alert(1) \u202eevil"


def test_what_holds_is_strong_and_what_was_is_pale_with_the_reason(
    teller: Storyteller, uid: str
) -> None:
    facts = teller.moved(uid)
    page = teller.look(user=uid)
    assert told(page) == [("Oslo", True, "Current"), ("Rome", False, "Ended")]
    assert "What is true now, as known now." in page
    assert SUPERSEDED in page
    assert f"/facts/{facts['Rome']['invalidated_by']}/" in page
    assert "True from" in page
    assert '<svg class="strip"' in page
    assert "style=" not in page
    assert told(teller.look(user=uid, show="current")) == [("Oslo", True, "Current")]


def test_an_instant_of_valid_time_shows_what_held_then(teller: Storyteller, uid: str) -> None:
    teller.moved(uid)
    page = teller.look(user=uid, as_of="2021-06-01T00:00")
    assert told(page) == [("Rome", True, "True then"), ("Oslo", False, "Later")]
    assert "What was true on 1 June 2021, as known now." in page
    assert "Ends on 2023-03-01: what was said later took its place." in page
    assert "What will be true on 2 January 2091, 03:04 UTC" in teller.look(
        user=uid, as_of="2091-01-02T03:04"
    )


def test_an_instant_of_knowledge_before_the_write_shows_nothing(
    teller: Storyteller, uid: str
) -> None:
    facts = teller.moved(uid)
    page = teller.look(user=uid, known_as_of="2024-01-01T00:00")
    assert told(page) == []
    assert "What was true on 1 January 2024, as known then." in page
    assert "No match" in page
    known = facts["Oslo"]["created_at"]
    before = facts["Rome"]["created_at"]
    assert before < known
    page = teller.look(user=uid, known_as_of=before)
    assert told(page) == [("Rome", True, "True then")]
    assert "Ended" not in page


@pytest.mark.parametrize(
    "clocks",
    [
        {},
        {"as_of": "2021-06-01"},
        {"as_of": "2023-03-01T09:00:00"},
        {"known_as_of": "2024-01-01"},
        {"known_as_of": "now"},
        {"as_of": "2021-06-01", "known_as_of": "now"},
    ],
    ids=repr,
)
def test_a_page_agrees_with_the_api(
    teller: Storyteller, story: dict[str, Any], clocks: dict[str, str]
) -> None:
    uid = story["user_id"]
    asked = {name: story["known"] if at == "now" else at for name, at in clocks.items()}
    facts = sorted(fact["id"] for fact in teller.api.facts(user_id=uid, **asked))
    assert strong(teller.look(user=uid, **asked)) == facts
    current = teller.look(user=uid, show="current", **asked)
    assert len(told(current)) == len(facts)
    of_one = teller.api.facts(user_id=uid, predicate="lives_in", **asked)
    narrowed = teller.look(user=uid, predicate="lives in", show="current", **asked)
    assert strong(narrowed) == sorted(fact["id"] for fact in of_one)


@pytest.fixture(scope="module")
def story(teller: Storyteller) -> dict[str, Any]:
    """Somebody with plans, denials, values that add up and values that replace each other."""
    uid = unique("story")
    known = teller.moved(uid)["Oslo"]["created_at"]
    api = teller.api
    write(api, uid, "likes", "tea", user_id=uid, valid_from="2019-01-01")
    write(api, uid, "dislikes", "tea", user_id=uid, valid_from="2022-01-01")
    write(api, uid, "lives_in", "Lima", user_id=uid, tense="planned", valid_from="2091-01-01")
    write(api, "Ann", "visited", "Pisa", user_id=uid, valid_from="2018-01-01")
    gone = write(api, "Ann", "works_at", "Acme", user_id=uid, valid_from="2018-01-01")
    forget(api, gone["id"], at="2020-01-01")
    api.told("I lived in Bonn from 2021 until 2022.", uid)
    return {"user_id": uid, "known": known}


def test_plans_are_marked(teller: Storyteller, story: dict[str, Any]) -> None:
    page = teller.look(user=story["user_id"])
    assert ("Lima", True, "Plan") in told(page)
    assert 'class="plan"' in page


def test_words_are_sent_in_the_body_and_find_timelines(teller: Storyteller, uid: str) -> None:
    teller.moved(uid)
    write(teller.api, "Ann", "works_at", "Acme", user_id=uid)
    asked = f"{teller.page}?user={uid}"
    page = teller.owner.post(asked, {"words": "ROME"})
    assert page.status_code == 200
    assert [value for value, _, _ in told(page.text)] == ["Oslo", "Rome"]
    assert "ROME" not in str(page.url)
    none = teller.owner.post(asked, {"words": "nowhere"})
    assert "No match" in none.text
    assert teller.owner.post(asked, {"words": ""}).status_code == 422


def test_timelines_are_read_a_page_at_a_time(teller: Storyteller, uid: str) -> None:
    for number in range(17):
        write(teller.api, f"Thing {number:02}", "price", f"{number} euros", user_id=uid)
    seen, path = [], f"{teller.page}?user={uid}"
    pages = 0
    while path:
        page = teller.owner.get(path).text
        seen += [value for value, _, _ in told(page)]
        path = link(page, "next") and teller.page + link(page, "next")
        pages += 1
        back = link(page, "prev")
    assert seen == [f"{number} euros" for number in range(17)]
    assert pages == 2
    assert [value for value, _, _ in told(teller.owner.get(teller.page + back).text)] == seen[:12]
    find = {"words": "euros"}
    first = teller.owner.post(f"{teller.page}?user={uid}", find)
    mark = first.text.split('name="after" value="')[1].split('"')[0]
    rest = teller.owner.post(f"{teller.page}?user={uid}", {**find, "after": mark})
    assert [value for value, _, _ in told(rest.text)] == seen[12:]
    assert teller.owner.get(f"{teller.page}?user={uid}&after=nonsense").status_code == 404
    assert teller.owner.get(f"{teller.page}?user={uid}&group=nonsense").status_code == 404


def test_a_long_timeline_is_cut_and_opened_on_its_own(teller: Storyteller, uid: str) -> None:
    for number in range(14):
        write(teller.api, uid, "visited", f"Town {number}", user_id=uid)
    page = teller.look(user=uid)
    assert len(told(page)) == 12
    assert "All 14 of this timeline" in page
    group = page.split("group=")[1].split('"')[0]
    alone = teller.look(user=uid, group=group)
    assert [value for value, _, _ in told(alone)] == [f"Town {13 - number}" for number in range(14)]
    other = write(teller.api, "Ann", "likes", "tea", user_id=f"{uid}-other")
    foreign = teller.owner.get(teller.page, params={"user": uid, "group": other["id"][4:]})
    assert foreign.status_code == 404


def test_every_look_is_audited_with_who_looked_and_is_free(teller: Storyteller, uid: str) -> None:
    facts = teller.moved(uid)
    before = teller.used()
    teller.look(user=uid)
    assert teller.used() == before
    (event,) = teller.events(uid)
    assert event["action"] == "read"
    assert event["meta"]["call"] == "dashboard.timeline"
    assert len(event["meta"]["person"]) == 32
    assert {f"fct_{one.hex}" for one in event["read_facts"]} == {f["id"] for f in facts.values()}


def test_who_is_asked_for_has_no_facts_or_is_nobody(teller: Storyteller, uid: str) -> None:
    assert "Whose facts?" in teller.look()
    assert "No facts yet" in teller.look(user=uid)
    write(teller.api, "Ann", "lives_in", unique("Town"))
    page = teller.look(nobody="1")
    assert "Facts of no end user" in page
    assert told(page)[0] != ("Ann", "Current")
    assert told(page)[0][2] == "Current"


@pytest.mark.parametrize(
    "query",
    [{"as_of": "yesterday"}, {"known_as_of": "2021-13-01"}, {"user": "a\x00b"}],
    ids=repr,
)
def test_what_cannot_be_read_is_refused_beside_its_field(
    teller: Storyteller, query: dict[str, str]
) -> None:
    page = teller.owner.get(teller.page, params={"user": "ada", **query})
    assert page.status_code == 422
    assert "errorlist" in page.text


def test_hostile_text_is_text(teller: Storyteller, uid: str) -> None:
    hostile = f"{uid} {NASTY}".replace("/", "")
    write(teller.api, NASTY, NASTY, NASTY, user_id=hostile, agent_id=NASTY.replace("/", ""))
    page = teller.look(user=hostile)
    assert "<img src=x" not in page
    assert "49" not in words_of(page)
    assert f"<bdi>{NASTY[:1].replace('<', '&lt;')}" in page
    assert told(page)[0][0] == NASTY


def test_another_organisations_facts_are_not_there(teller: Storyteller, uid: str) -> None:
    fact = write(teller.api, uid, "lives_in", "Rome", user_id=uid)
    stranger = settled(teller.house, unique("Strangers"))
    for path in ("", f"{fact['id']}/", f"{fact['id']}/correct/", f"{fact['id']}/forget/", "new/"):
        assert stranger.get(f"{teller.page}{path}").status_code == 404, path
    assert teller.events(uid) == []


def link(page: str, rel: str) -> str:
    """The address of a link by its relation, as the page has it; empty where there is none."""
    found = re.search(rf'rel="{rel}" href="([^"]+)"', page)
    return html.unescape(found.group(1)) if found else ""


def words_of(page: str) -> str:
    return re.sub(r"<[^>]*>", " ", page)
