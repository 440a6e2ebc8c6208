"""Several calls for one memory, or for the facts of one end user, at the same instant."""

from __future__ import annotations

from tests.api_client import ok, refused
from tests.concurrency.at_once import at_once, clients, statuses


def test_of_two_updates_that_expect_the_same_version_one_wins(fresh):
    api = fresh.api
    pair = clients(api, 2)
    for turn in range(5):
        made = api.add("I like tea.", user_id=f"u{turn}")
        answers = at_once(
            [
                lambda c=c, drink=drink, made=made: c.patch(
                    f"/v1/memories/{made['id']}",
                    {"content": f"I like {drink}.", "expected_updated_at": made["updated_at"]},
                )
                for c, drink in zip(pair, ("coffee", "cocoa"), strict=True)
            ]
        )
        assert statuses(answers) == [200, 409]
        won, lost = sorted(answers, key=lambda answer: answer.status_code)
        refused(lost, 409, "stale_write")
        api.settle()
        assert ok(api.get(f"/v1/memories/{made['id']}"))["content"] == won.json()["content"]
        (fact,) = api.facts(user_id=f"u{turn}")
        assert f"I like {fact['object']}." == won.json()["content"]


def test_of_many_deletions_of_one_memory_one_forgets_it(fresh):
    made = fresh.api.told("I like tea.", "u")
    path = f"/v1/memories/{made['id']}"
    answers = at_once([lambda c=c: c.delete(path) for c in clients(fresh.api, 8)])
    assert statuses(answers) == [200] + [404] * 7
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert won["facts_invalidated"] == 1
    (fact,) = fresh.api.facts(include_invalidated="true")
    assert fact["invalid_at"] is not None


def test_a_deletion_that_meets_an_update_leaves_nothing_of_either(fresh):
    api = fresh.api
    pair = clients(api, 2)
    seen = set()
    for turn in range(12):
        made = api.add("I like tea.", user_id=f"u{turn % 3}")
        path = f"/v1/memories/{made['id']}"
        update, deletion = at_once(
            [
                lambda path=path: pair[0].patch(path, {"content": "I like coffee."}),
                lambda path=path: pair[1].delete(path),
            ]
        )
        assert deletion.status_code == 200
        assert update.status_code in {200, 404}
        seen.add(update.status_code)
        refused(api.get(path), 404, "not_found")
    assert seen
    api.settle()
    assert ok(api.get("/v1/memories"))["total"] == 0
    assert api.search("tea or coffee") == []
    assert api.facts() == []


def test_contradicting_writes_of_one_end_user_at_once_leave_one_open_fact(fresh):
    api = fresh.api
    towns = [f"Town{number}" for number in range(12)]
    at_once(
        [
            lambda c=c, town=town: c.add(f"I live in {town}.", user_id="u")
            for c, town in zip(clients(api, 12), towns, strict=True)
        ]
    )
    api.settle("u")
    (now,) = api.facts(user_id="u", predicate="lives_in")
    rows = api.facts(user_id="u", predicate="lives_in", include_invalidated="true")
    assert sorted(row["object"] for row in rows) == sorted(towns)
    assert [row["object"] for row in rows if row["invalid_at"] is None] == [now["object"]]
    assert now["valid_from"] == max(row["valid_from"] for row in rows)
    for row in rows:
        assert row["invalid_at"] is None or row["valid_from"] <= row["invalid_at"]


def test_the_same_text_written_many_times_at_once_is_one_fact_counted_exactly(fresh):
    api = fresh.api
    at_once([lambda c=c: c.add("I live in Lisbon.", user_id="u") for c in clients(api, 12)])
    api.settle("u")
    (fact,) = api.facts(include_invalidated="true")
    assert fact["observation_count"] == 12
    assert ok(api.get("/v1/memories"))["total"] == 12
