"""Memories of an end user: newest first, filtered, searched; what was shown is in the audit log."""

from __future__ import annotations

import re
from uuid import UUID

from tests.api_client import ok, unique
from tests.dashboard.explore.yard import Yard
from tests.dashboard.visitor import words


def listed(text: str) -> list[str]:
    """The ids of the memories that a page lists, in its order."""
    found = re.findall(r"explore/memories/([0-9a-f-]{36})/", text)
    return [f"mem_{UUID(one).hex}" for one in found]


def test_memories_are_shown_newest_first_by_pages_and_audited(yard: Yard) -> None:
    user = unique("ann")
    made = [yard.api.add(f"Note {number}.", user_id=user)["id"] for number in range(30)]
    first = yard.owner.get(yard.of_user(user))
    assert listed(first.text) == made[:4:-1]
    older = re.search(r'href="([^"]+)" rel="next"', first.text)
    assert older
    second = yard.owner.get(f"{yard.path}user/" + older.group(1).replace("&amp;", "&"))
    assert listed(second.text) == made[4::-1]
    looks = [event[3] for event in yard.events(user) if event[2] == "dashboard.memories"]
    assert [len(shown) for shown in looks] == [25, 5]
    assert [f"mem_{one.hex}" for one in looks[0]] == made[:4:-1]
    assert yard.owner.get(f"{yard.path}memories/?after=garbage").status_code == 404


def test_filters_narrow_and_forgotten_ones_have_no_text(yard: Yard) -> None:
    user, agent = unique("ann"), unique("bot")
    note = yard.api.add("A note about tea.", user_id=user)
    session = yard.api.add("A session about rain.", user_id=user, kind="session", agent_id=agent)
    gone = yard.api.add("Something secret.", user_id=user)
    yard.api.settle(user)
    ok(yard.api.delete(f"/v1/memories/{gone['id']}"))

    def shown(query: str) -> list[str]:
        page = yard.owner.get(f"{yard.of_user(user)}&{query}")
        assert page.status_code == 200, page.status_code
        assert "secret" not in page.text
        return listed(page.text)

    assert shown("") == [session["id"], note["id"]]
    assert shown("kind=session") == [session["id"]]
    assert shown("kind=tool") == []
    assert shown("status=ready") == [session["id"], note["id"]]
    assert shown("status=error") == []
    assert shown("status=forgotten") == [gone["id"]]
    assert shown(f"agent={agent}") == [session["id"]]
    assert shown("until=2020-01-01T00:00") == []
    assert shown("since=2020-01-01T00:00") == [session["id"], note["id"]]
    assert "No memory matches" in yard.read(f"{yard.of_user(user)}&kind=tool")
    for wrong in ("kind=x", "status=x", "since=yesterday", f"agent={'x' * 256}", "agent=%00"):
        assert yard.owner.get(f"{yard.of_user(user)}&{wrong}").status_code == 422, wrong


def test_nobodys_memories_are_a_namespace_of_their_own(fresh_yard: Yard) -> None:
    yard = fresh_yard
    own, nobody = yard.api.add("Mine.", user_id="ann"), yard.api.add("Nobody's.")
    assert listed(yard.owner.get(f"{yard.path}user/?nobody=1").text) == [nobody["id"]]
    assert listed(yard.owner.get(f"{yard.path}memories/").text) == [nobody["id"], own["id"]]


def test_a_search_is_free_marks_its_words_and_leaves_no_trace_of_the_question(yard: Yard) -> None:
    user, word = unique("ann"), unique("zebra").replace("-", "")
    hit = yard.api.add(f"We went hiking and met {word} in Oslo.", user_id=user)
    yard.api.add("The weather was fine.", user_id=user)
    yard.api.settle(user)
    before = used(yard)
    page = yard.owner.post(
        f"{yard.path}search/", {"query": f"hikes {word}", "user": user}, page=yard.of_user(user)
    )
    assert page.status_code == 200
    assert listed(page.text)[0] == hit["id"]
    assert "<mark>hiking</mark>" in page.text
    assert f"<mark>{word}</mark>" in page.text
    assert used(yard) == before
    event = yard.events(user)[-1]
    assert (event[0], event[2], len(event[3])) == ("read", "dashboard.search", 2)
    logs = "".join(file.read_text() for file in (yard.house.data_dir / "logs").glob("*.log"))
    assert word not in logs
    assert yard.owner.get(f"{yard.path}search/?query={word}").status_code == 302


def test_a_search_stays_with_its_end_user_and_refuses_what_the_api_does(yard: Yard) -> None:
    ann, bob = unique("ann"), unique("bob")
    yard.api.add("I keep bees.", user_id=ann)
    theirs = yard.api.add("I keep hens.", user_id=bob)
    page = yard.owner.post(
        f"{yard.path}search/", {"query": "bees", "user": bob}, page=yard.of_user(bob)
    )
    assert listed(page.text) == [theirs["id"]]
    for query in (" ", "x" * 2001, "a\x00b"):
        refused = yard.owner.post(f"{yard.path}search/", {"query": query}, page=yard.of_user(bob))
        assert refused.status_code == 422
        assert 'aria-invalid="true"' in refused.text
    empty = yard.owner.post(
        f"{yard.path}search/", {"query": "bees", "user": unique("x")}, page=yard.of_user(bob)
    )
    assert "Nothing to search" in words(empty)


def used(yard: Yard) -> list[dict[str, int]]:
    from tests.dashboard.records import rows

    return rows(
        yard.house,
        "SELECT writes, queries FROM billing_usage WHERE organisation_id = %s",
        yard.organisation,
    )
