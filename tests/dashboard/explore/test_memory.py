"""A memory's page: its text with the evidence marked, what it states, its life."""

from __future__ import annotations

import re
from typing import Any

from tests.api_client import ok, unique, wait_for
from tests.dashboard.explore.yard import Yard
from tests.dashboard.visitor import words


def test_the_evidence_of_each_fact_is_marked_in_the_text(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome. My sister Anna is allergic to peanuts.", user)
    page = yard.owner.get(yard.of_memory(made))
    text = re.search(r'<p class="text" dir="auto">(.*?)</p>', page.text, flags=re.S)
    assert text
    marked = re.sub(r"<sup>.*?</sup>", "", text.group(1))
    # Overlapping evidence is cut where a part of it ends: nothing is lost, nothing is twice.
    assert re.sub(r"</?mark>", "", marked) == made["content"]
    assert "<mark>I live in Rome</mark>" in marked
    for number, fact in enumerate(sorted(made["facts"], key=place(yard)), start=1):
        row = re.search(rf'<tr id="fact-{number}".*?</tr>', page.text, flags=re.S)
        assert row
        assert fact["object"] in row.group()
        assert f'href="#fact-{number}"' in text.group(1)
    event = yard.events(user)[-1]
    assert event[:3] == ("read", "ok", "dashboard.memory")
    assert [f"mem_{one.hex}" for one in event[3]] == [made["id"]]
    assert {f"fct_{one.hex}" for one in event[4]} == {fact["id"] for fact in made["facts"]}


def place(yard: Yard) -> Any:
    def start(fact: dict[str, Any]) -> Any:
        why = ok(yard.api.get(f"/v1/facts/{fact['id']}/why"))
        return why["sources"][0]["evidence"]["start"]

    return start


def test_a_superseded_fact_says_what_ended_it(yard: Yard) -> None:
    user = unique("ann")
    first = yard.api.told("I live in Rome.", user, timestamp="2020-01-01T00:00:00Z")
    second = yard.api.told("I moved to Oslo.", user, timestamp="2023-05-01T00:00:00Z")
    page = yard.owner.get(yard.of_memory(first))
    text = words(page)
    assert "Ended on 2023-05-01: what was said later took its place." in text
    assert re.search(r"Ended by \S+ lives_in Oslo", text)
    assert f"/facts/{second['facts'][0]['id'].removeprefix('fct_')[:8]}" in page.text
    assert "Rome" in text
    history = ok(yard.api.get(f"/v1/memories/{first['id']}/history"))["events"]
    assert len(re.findall(r"<li>", life(page.text))) == len(history)


def life(text: str) -> str:
    found = re.search(r'aria-labelledby="life".*?</section>', text, flags=re.S)
    assert found
    return found.group()


def test_details_and_metadata_are_shown_as_they_were_written(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told(
        "A note.\n  With lines.", user, agent_id="bot", run_id="run 7", kind="session",
        timestamp="2021-02-03T04:05:06Z", metadata={"größe": [1, None], "a": "b"},
    )  # fmt: skip
    page = yard.owner.get(yard.of_memory(made))
    for shown in ("2021-02-03 04:05 UTC", "run 7", "bot", "Session", "größe"):
        assert shown in words(page), shown
    assert "A note.\n  With lines." in page.text
    assert "No fact was found in it" in words(page)


def test_a_text_that_is_being_read_asks_again_until_it_is(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome.", user)
    memory_id = made["id"].removeprefix("mem_")
    yard.write("UPDATE memories_memory SET status = 'processing' WHERE id = %s", memory_id)
    text = yard.owner.get(yard.of_memory(made)).text
    assert 'hx-trigger="every 2s"' in text
    assert "<mark>" not in text  # the places are known of a text that was read alone
    part = yard.owner.get(yard.of_memory(made, "state/"))
    assert "hx-get" in part.text
    assert "Rome" not in part.text
    yard.write("UPDATE memories_memory SET status = 'ready' WHERE id = %s", memory_id)
    done = yard.owner.get(yard.of_memory(made, "state/"))
    assert done.headers["HX-Refresh"] == "true"
    assert "hx-get" not in yard.owner.get(yard.of_memory(made)).text


def test_a_failed_text_can_be_read_again(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome.", user)
    not_failed = yard.member.post(yard.of_memory(made, "retry/"), page="/account/email/")
    assert not_failed.status_code == 302
    assert "was read, or is just being read" in yard.read(yard.of_memory(made), yard.member)
    memory_id = made["id"].removeprefix("mem_")
    yard.write("UPDATE memories_memory SET status = 'error' WHERE id = %s", memory_id)
    assert "could not be read" in yard.read(yard.of_memory(made))
    assert (
        yard.member.post(yard.of_memory(made, "retry/"), page="/account/email/").status_code == 302
    )
    path = f"/v1/memories/{made['id']}"
    wait_for("reading", lambda: ok(yard.api.get(path))["status"] == "ready")
    again = ok(yard.api.get(path))
    assert [one["id"] for one in again["facts"]] == [one["id"] for one in made["facts"]]
    assert again["facts"][0]["observation_count"] == 1
    assert yard.events(user)[-1][0] in {"write", "read"}
    assert ("write", "ok") in [event[:2] for event in yard.events(user)]


def test_unknown_malformed_and_erased_memories_are_no_page(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome.", user)
    ok(yard.api.delete(f"/v1/users/{user}/memories"))
    for memory_id in (made["id"], "mem_x", "mem_" + "0" * 32, made["id"].upper()):
        for page in ("", "state/", "correct/", "forget/"):
            path = yard.of_memory({"id": memory_id}, page)
            assert yard.owner.get(path).status_code == 404, path
