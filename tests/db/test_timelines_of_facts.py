"""Timelines show of a store what `list_facts` shows of it, and keep their order over pages."""

from __future__ import annotations

import random
import uuid
from datetime import datetime
from typing import Any

import pytest

from tests.api_client import Api, Box
from tests.db.test_reads_agree_with_the_core import day, random_rows, store_rows
from tests.fact_calls import write


@pytest.fixture(scope="module")
def project(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


def everything(project: uuid.UUID, *, size: int = 50, **wanted: Any) -> list:
    """All timelines of an end user, read a page at a time."""
    from facts.selectors import TimelineFilter, list_timelines
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope

    caller = Caller(organisation_id=project, project_id=project)
    found, after = [], None
    while True:
        with project_scope(project):
            page = list_timelines(
                caller=caller, wanted=TimelineFilter(**wanted), size=size, after=after
            )
        found += page.timelines
        if not page.later:
            return found
        after = page.timelines[-1].mark


@pytest.mark.parametrize("seed", range(12))
def test_what_a_timeline_shows_is_what_the_list_shows(project: uuid.UUID, seed: int) -> None:
    from facts.selectors import FactFilter, Reading, list_facts
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope

    chance = random.Random(seed)
    user_id = f"line-{uuid.uuid4().hex}"
    store_rows(project, user_id, random_rows(chance))
    caller = Caller(organisation_id=project, project_id=project)

    def listed(reading: Reading) -> list:
        wanted = FactFilter(user_id=user_id, reading=reading)
        with project_scope(project):
            page = list_facts(caller=caller, wanted=wanted, limit=200, offset=0)
        return sorted(page.facts, key=lambda fact: fact.id)

    clocks: list[dict[str, datetime]] = [{}]
    for _ in range(6):
        at, known = day(chance.randint(-2, 47)), day(chance.randint(-2, 47))
        clocks += [{"as_of": at}, {"known_as_of": known}, {"as_of": at, "known_as_of": known}]
    for clock in clocks:
        reading = Reading(**clock)
        lines = everything(project, user_id=user_id, reading=reading, size=2)
        entries = [entry for line in lines for entry in line.entries]
        shown = [entry.fact for entry in entries if entry.shown]
        assert sorted(shown, key=lambda fact: fact.id) == listed(reading)
        known = Reading(known_as_of=clock.get("known_as_of"), include_invalidated=True)
        facts = sorted((entry.fact for entry in entries), key=lambda fact: fact.id)
        assert facts == listed(known)
        assert sum(line.total for line in lines) == len(entries)
        now_alone = everything(project, user_id=user_id, reading=reading, history=False, size=2)
        assert [e for line in now_alone for e in line.entries] == [e for e in entries if e.shown]


def told(lines: list) -> list[tuple[str, str, list[str]]]:
    return [
        (line.entries[0].fact.subject, line.entries[0].fact.predicate,
         [entry.fact.object for entry in line.entries])
        for line in lines
    ]  # fmt: skip


def test_an_end_users_own_come_first_and_the_shown_before_the_ended(
    api: Api, project: uuid.UUID, uid: str
) -> None:
    write(api, "Ann", "lives_in", "Lima", user_id=uid)
    write(api, uid, "works_at", "Acme", user_id=uid)
    write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    write(api, uid, "lives_in", "Oslo", user_id=uid, valid_from="2023-01-01")
    assert told(everything(project, user_id=uid, size=1)) == [
        (uid, "lives_in", ["Oslo", "Rome"]),
        (uid, "works_at", ["Acme"]),
        ("Ann", "lives_in", ["Lima"]),
    ]


def test_pages_lead_back_the_way_they_came(api: Api, project: uuid.UUID, uid: str) -> None:
    from facts.selectors import TimelineFilter, list_timelines
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope

    for name in ("Ann", "Bob", "Cem", "Dan", "Eve"):
        write(api, name, "lives_in", "Lima", user_id=uid)
    caller = Caller(organisation_id=project, project_id=project)
    wanted = TimelineFilter(user_id=uid)

    def page(**mark: uuid.UUID) -> Any:
        with project_scope(project):
            return list_timelines(caller=caller, wanted=wanted, size=2, **mark)

    def names(found: Any) -> tuple[list[str], bool, bool]:
        subjects = [line.entries[0].fact.subject for line in found.timelines]
        return subjects, found.earlier, found.later

    first = page()
    assert names(first) == (["Ann", "Bob"], False, True)
    second = page(after=first.timelines[-1].mark)
    assert names(second) == (["Cem", "Dan"], True, True)
    last = page(after=second.timelines[-1].mark)
    assert names(last) == (["Eve"], True, False)
    assert names(page(before=last.timelines[0].mark)) == (["Cem", "Dan"], True, True)
    assert names(page(before=second.timelines[0].mark)) == (["Ann", "Bob"], False, True)


def test_words_find_the_whole_timeline_of_a_fact(api: Api, project: uuid.UUID, uid: str) -> None:
    write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2020-01-01")
    write(api, uid, "lives_in", "Oslo 100%", user_id=uid, valid_from="2023-01-01")
    write(api, "Ann", "works_at", "Acme", user_id=uid)
    home, job = (uid, "lives_in", ["Oslo 100%", "Rome"]), ("Ann", "works_at", ["Acme"])
    for words, found in {
        "ROME": [home],
        "o 100%": [home],
        "%": [home],
        "lives in": [home],
        "works_at": [job],
        "ann": [job],
        "nowhere": [],
    }.items():
        assert told(everything(project, user_id=uid, words=words)) == found, words
    assert told(everything(project, user_id=uid, subject="ANN")) == [job]
    assert told(everything(project, user_id=uid, predicate="lives in")) == [home]


def test_a_long_timeline_is_cut_and_read_on_its_own(api: Api, project: uuid.UUID, uid: str) -> None:
    from facts.selectors import MOST_ENTRIES, TimelineFilter, read_timeline
    from korely.kernel.caller import Caller
    from korely.kernel.errors import Refusal
    from korely.kernel.tenancy import project_scope

    for number in range(MOST_ENTRIES + 2):
        write(api, uid, "visited", f"Town {number}", user_id=uid)
    other = write(api, "Ann", "lives_in", "Lima", user_id=f"{uid}-other")
    (line,) = everything(project, user_id=uid)
    assert (len(line.entries), line.total) == (MOST_ENTRIES, MOST_ENTRIES + 2)
    caller = Caller(organisation_id=project, project_id=project)
    wanted = TimelineFilter(user_id=uid)
    seen: list[str] = []
    with project_scope(project):
        page = read_timeline(caller=caller, wanted=wanted, of=line.mark, size=5)
        while page.entries:
            seen += [entry.fact.object for entry in page.entries]
            assert page.older == (len(seen) < line.total)
            last = page.entries[-1].fact.id
            page = read_timeline(caller=caller, wanted=wanted, of=line.mark, after=last, size=5)
        with pytest.raises(Refusal) as refusal:
            foreign = uuid.UUID(other["id"].removeprefix("fct_"))
            read_timeline(caller=caller, wanted=wanted, of=foreign, size=5)
    assert seen == [f"Town {number}" for number in reversed(range(MOST_ENTRIES + 2))]
    assert refusal.value.status == 404


def test_a_confined_caller_is_refused_others_timelines(
    api: Api, project: uuid.UUID, uid: str
) -> None:
    from facts.selectors import TimelineFilter, list_timelines
    from korely.kernel.caller import Caller
    from korely.kernel.errors import Refusal
    from korely.kernel.tenancy import project_scope

    write(api, uid, "lives_in", "Rome", user_id=uid)
    caller = Caller(organisation_id=project, project_id=project, users=("someone-else",))
    with project_scope(project):
        with pytest.raises(Refusal) as refusal:
            list_timelines(caller=caller, wanted=TimelineFilter(user_id=uid), size=5)
        nobodys = list_timelines(caller=caller, wanted=TimelineFilter(user_id=None), size=5)
    assert (refusal.value.status, nobodys.timelines) == (403, [])
