"""Correcting and forgetting from the page: shown before, then done as the API does it."""

from __future__ import annotations

from typing import Any

import httpx

from tests.api_client import ok, unique
from tests.dashboard.explore.yard import Yard
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words


def send(
    yard: Yard, made: dict[str, Any], content: str, by: Visitor | None = None, **more: str
) -> httpx.Response:
    """The form of a correction, as of the memory's present text unless `more` says otherwise."""
    fields = {"content": content, "expected_updated_at": made["updated_at"], **more}
    return (by or yard.member).post(yard.of_memory(made, "correct/"), fields)


def test_a_correction_shows_both_texts_and_changes_nothing_until_it_is_saved(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome. I like tea.", user)
    page = send(yard, made, "I live in Oslo. I like tea.")
    assert page.status_code == 200
    assert "<del>Rome</del>" in page.text
    assert "<ins>Oslo</ins>" in page.text
    assert "2 open facts rest on this memory alone" in words(page)
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["content"] == made["content"]
    more = send(yard, made, "I live in Oslo. I like tea.", edit="1")
    assert "I live in Oslo. I like tea.</textarea>" in more.text

    saved = send(yard, made, "I live in Oslo. I like tea.", save="1")
    assert saved.headers["location"] == yard.of_memory(made)
    yard.api.settle(user)
    now = ok(yard.api.get(f"/v1/memories/{made['id']}"))
    assert now["content"] == "I live in Oslo. I like tea."
    assert {one["object"] for one in now["facts"]} == {"Oslo", "tea"}
    page = yard.owner.get(yard.of_memory(made))
    assert "<mark>I live in Oslo</mark>" in page.text
    assert "No longer stated here since" in words(page)
    calls = [event[2] for event in yard.events(user)]
    assert calls.count("dashboard.correct") == 5  # two comparisons, each asked for by a page
    assert [event[0] for event in yard.events(user)].count("write") == 1


def test_a_memory_that_changed_meanwhile_is_not_overwritten(yard: Yard) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome.", user)
    ok(yard.api.patch(f"/v1/memories/{made['id']}", {"content": "I live in Paris."}))
    refused = send(yard, made, "I live in Oslo.", save="1")
    assert refused.status_code == 409
    assert "changed while you wrote" in words(refused)
    assert "I live in Oslo." in refused.text
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["content"] == "I live in Paris."


def test_what_the_api_refuses_as_a_text_stands_beside_the_field(yard: Yard) -> None:
    made = yard.api.told("I live in Rome.", unique("ann"))
    for content in ("", "  \n ", "x" * 16_001, "a\x00b", "I live in Rome."):
        refused = send(yard, made, content)
        assert refused.status_code == 422, content[:20]
        assert 'aria-invalid="true"' in refused.text
    for save in ({}, {"save": "1"}):
        late = send(yard, made, "I live in Oslo.", expected_updated_at="yesterday", **save)
        assert late.status_code == 422
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["content"] == "I live in Rome."


def test_spent_writes_refuse_a_correction_and_say_so(gathered: Team) -> None:
    yard = Yard(gathered.again(), plan="hobby")
    made = yard.api.told("I live in Rome.", "ann")
    yard.write("UPDATE billing_usage SET writes = 2000 WHERE organisation_id = %s",
               yard.organisation)  # fmt: skip
    refused = send(yard, made, "I live in Oslo.", save="1")
    assert refused.status_code == 429
    assert "writes are spent" in words(refused)
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["content"] == "I live in Rome."


def test_forgetting_ends_exactly_the_facts_that_were_shown(yard: Yard) -> None:
    user = unique("ann")
    yard.api.told("I like tea.", user)
    direct = {"subject": user, "predicate": "likes", "object": "rain", "user_id": user}
    ok(yard.api.post("/v1/facts", direct), 201)
    made = yard.api.told("I like tea, rain and snow. I live in Rome.", user)
    yard.api.told("I moved to Oslo.", user)  # Rome is over already
    preview = yard.member.get(yard.of_memory(made, "forget/"))
    assert "1 fact ends with it" in words(preview)
    assert "snow" in words(preview).partition("1 fact ends with it")[2]
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["id"] == made["id"]

    done = yard.member.post(yard.of_memory(made, "forget/"))
    assert done.headers["location"] == yard.of_memory(made)
    page = yard.member.get(done.headers["location"])
    assert "one fact ended with it" in words(page)
    assert made["content"] not in page.text
    assert "Forgotten" in words(page)
    assert yard.api.get(f"/v1/memories/{made['id']}").status_code == 404
    left = {one["object"] for one in yard.api.facts(user_id=user)}
    assert left == {"tea", "rain", "Oslo"}
    events = yard.events(user)
    assert next(event[2] for event in events if event[2]) == "dashboard.forget"
    assert "forget" in [event[0] for event in events]
    assert yard.member.get(yard.of_memory(made, "forget/")).status_code == 404
    assert yard.member.get(yard.of_memory(made, "correct/")).status_code == 404


def test_what_people_do_costs_what_the_api_charges(fresh_yard: Yard) -> None:
    yard = fresh_yard
    made = yard.api.told("I live in Rome.", "ann")

    def used() -> tuple[int, int]:
        found = rows(yard.house, "SELECT writes, queries FROM billing_usage"
                     " WHERE organisation_id = %s", yard.organisation)  # fmt: skip
        return found[0]

    before = used()
    for path in (yard.path, yard.of_user("ann"), yard.of_memory(made), f"{yard.path}memories/"):
        yard.read(path)
    assert used() == before
    send(yard, made, "I live in Oslo.", save="1")
    assert used() == (before[0] + 1, before[1])
    yard.member.post(yard.of_memory(made, "forget/"))
    assert used() == (before[0] + 1, before[1])
