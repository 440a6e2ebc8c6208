"""Facts of one end user written, corrected, forgotten and named at the same instant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.api_client import Api, ok, refused, unique
from tests.concurrency.at_once import at_once, clients, statuses
from tests.fact_calls import all_of, write


def body(value: str, **fields: Any) -> dict[str, Any]:
    return {"subject": "Ann", "predicate": "lives in", "object": value, "user_id": "u", **fields}


def test_one_triple_written_many_times_at_once_is_one_fact_counted_exactly(fresh):
    answers = at_once(
        [lambda c=c: ok(c.post("/v1/facts", body("Rome")), 201) for c in clients(fresh.api, 20)]
    )
    assert len({answer["id"] for answer in answers}) == 1
    assert sorted(answer["observation_count"] for answer in answers) == list(range(1, 21))
    (fact,) = all_of(fresh.api, "u").values()
    assert (fact["observation_count"], fact["invalid_at"]) == (20, None)


def test_conflicting_values_of_one_slot_at_once_leave_exactly_one_open(fresh):
    towns = [f"Town {number}" for number in range(20)]
    answers = at_once(
        [
            lambda c=c, town=town: ok(c.post("/v1/facts", body(town)), 201)
            for c, town in zip(clients(fresh.api, 20), towns, strict=True)
        ]
    )
    rows = all_of(fresh.api, "u")
    assert sorted(row["object"] for row in rows.values()) == sorted(towns)
    (open_one,) = [row for row in rows.values() if row["invalid_at"] is None]
    assert [fact["id"] for fact in fresh.api.facts(user_id="u")] == [open_one["id"]]
    assert open_one["valid_from"] == max(row["valid_from"] for row in rows.values())
    # Each but the last was ended once, by the write that says so.
    ended = [one for answer in answers for one in answer["invalidated"]]
    assert sorted(ended) == sorted(row["id"] for row in rows.values() if row is not open_one)
    for answer in answers:
        for one in answer["invalidated"]:
            assert rows[one]["invalidated_by"] == answer["id"]


def test_of_two_corrections_at_once_one_wins_and_the_other_is_told_which(fresh):
    api = fresh.api
    pair = clients(api, 2)
    for turn in range(5):
        user = f"u{turn}"
        fact = write(api, "Ann", "lives_in", "Rome", user_id=user)
        answers = at_once(
            [
                lambda c=c, town=town, fact=fact: c.patch(
                    f"/v1/facts/{fact['id']}", {"object": town}
                )
                for c, town in zip(pair, ("Oslo", "Bern"), strict=True)
            ]
        )
        assert statuses(answers) == [200, 409]
        won, lost = sorted(answers, key=lambda answer: answer.status_code)
        told = refused(lost, 409, "fact_not_current")
        assert told["current_fact_id"] == won.json()["id"]
        assert [one["id"] for one in api.facts(user_id=user)] == [won.json()["id"]]
        assert len(all_of(api, user)) == 2


def test_of_many_forgettings_at_once_one_forgets(fresh):
    fact = write(fresh.api, "Ann", "lives_in", "Rome", user_id="u")
    path = f"/v1/facts/{fact['id']}/forget"
    answers = [ok(a) for a in at_once([lambda c=c: c.post(path) for c in clients(fresh.api, 8)])]
    assert sorted(a["status"] for a in answers) == ["already_forgotten"] * 7 + ["forgotten"]
    assert len({answer["invalid_at"] for answer in answers}) == 1
    trail = ok(fresh.api.get("/v1/audit", action="forget"))
    assert trail["total"] == 1


def test_of_two_end_users_who_declare_one_name_at_once_one_has_it(fresh):
    pair = clients(fresh.api, 2)
    for _ in range(5):
        name = unique("Name")
        answers = at_once(
            [
                lambda c=c, user=user, name=name: c.post(f"/v1/users/{user}/names", {"name": name})
                for c, user in zip(pair, ("anna", "bob"), strict=True)
            ]
        )
        assert statuses(answers) == [201, 409]


def test_writes_that_meet_a_declaration_end_up_in_one_slot(fresh):
    api = fresh.api
    crowd = clients(api, 9)
    for turn in range(3):
        user, name = f"u{turn}", unique("Name ")
        calls = [
            lambda c=c, n=n, user=user, name=name: c.post(
                "/v1/facts",
                body(f"Town {n}", user_id=user, subject=user if n % 2 else name),
            )
            for n, c in enumerate(crowd[1:])
        ]
        calls.append(
            lambda user=user, name=name: crowd[0].post(f"/v1/users/{user}/names", {"name": name})
        )
        assert statuses(at_once(calls)) == [201] * 9
        rows = all_of(api, user)
        assert {row["subject_canonical"] for row in rows.values()} == {user}
        assert len([row for row in rows.values() if row["invalid_at"] is None]) == 1
        assert len(api.facts(user_id=user)) == 1


def test_texts_and_written_facts_of_one_end_user_at_once_leave_one_open(fresh):
    api = fresh.api
    crowd = clients(api, 12)
    at_once(
        [
            lambda c=c, n=n: (
                c.add(f"I live in Town{n}.", user_id="u")
                if n % 2
                else ok(c.post("/v1/facts", body(f"Town{n}", subject="u")), 201)
            )
            for n, c in enumerate(crowd)
        ]
    )
    api.settle("u")
    rows = all_of(api, "u", predicate="lives_in")
    assert {row["object"] for row in rows.values()} == {f"Town{n}" for n in range(12)}
    assert len([row for row in rows.values() if row["invalid_at"] is None]) == 1
    assert len(api.facts(user_id="u")) == 1


def test_fifty_writers_of_every_kind_on_one_end_user_leave_a_consistent_set(fresh):
    """Told, written, corrected and forgotten at once: slots, ends, counts and both clocks agree."""
    api = fresh.api
    homes = [
        write(api, "u", "lives_in", "Rome", user_id="u"),
        write(api, "u", "works_as", "baker", user_id="u"),
    ]
    hobby = write(api, "u", "likes", "tea", user_id="u")
    doomed = [write(api, "u", "owns", f"Boat{n}", user_id="u") for n in range(10)]
    crowd = clients(api, 50)

    def patching(client: Api, fact: dict[str, Any], value: str) -> httpx.Response:
        return client.patch(f"/v1/facts/{fact['id']}", {"object": value})

    def posting(client: Api, predicate: str, value: str) -> httpx.Response:
        return client.post("/v1/facts", body(value, subject="u", predicate=predicate))

    def telling(client: Api, text: str) -> httpx.Response:
        return client.post("/v1/memories", {"content": text, "user_id": "u"})

    def forgetting(client: Api, fact: dict[str, Any]) -> httpx.Response:
        return client.post(f"/v1/facts/{fact['id']}/forget")

    calls: list[tuple[Callable[..., httpx.Response], tuple[Any, ...]]] = []
    for n in range(10):
        calls += [
            (posting, ("lives_in", f"Town{n}")),
            (posting, ("likes", "tea")),
            (telling, (f"I live in Port{n}.",) if n % 2 else ("I like tea.",)),
            (patching, (homes[n % 2], f"Value{n}")),
            (forgetting, (doomed[n],)),
        ]
    answers = at_once(
        [
            lambda c=c, call=call, given=given: call(c, *given)
            for c, (call, given) in zip(crowd, calls, strict=True)
        ]
    )
    for answer, (call, _) in zip(answers, calls, strict=True):
        expected = {patching: {200, 409}, forgetting: {200}}.get(call, {201})
        assert answer.status_code in expected, answer.text
    api.settle("u")

    rows = all_of(api, "u")
    shown = api.facts(user_id="u", limit=200)
    for predicate in ("lives_in", "works_as"):
        (held,) = [row for row in rows.values() if is_open(row, predicate)]
        assert [fact["id"] for fact in shown if fact["predicate"] == predicate] == [held["id"]]
    # One of the five corrections of a fact can win; whoever lost was told that it is history.
    for home in homes:
        mine = [a for a, (call, given) in zip(answers, calls, strict=True) if given[:1] == (home,)]
        assert sum(answer.status_code == 200 for answer in mine) <= 1
    # A liking was written or told sixteen times, and no statement was lost or counted twice.
    (liked,) = [row for row in rows.values() if row["predicate"] == "likes"]
    assert (liked["id"], liked["invalid_at"]) == (hobby["id"], None)
    assert liked["observation_count"] == 1 + 10 + 5
    assert len(liked["source_memory_ids"]) == 5
    for row in rows.values():
        whole = [row["invalid_at"], row["closed_reason"], row["closed_known_at"]]
        assert all(whole) or not any(whole)
        if row["closed_reason"] in {"superseded", "corrected", "history"}:
            assert row["invalidated_by"] in rows
        assert row["invalid_at"] is None or row["invalid_at"] >= row["valid_from"]
    assert {rows[one["id"]]["closed_reason"] for one in doomed} == {"forgotten"}
    for instant in sorted({row["valid_from"] for row in rows.values()}):
        held = api.facts(user_id="u", as_of=instant, limit=200)
        singles = [one["predicate"] for one in held if one["predicate"] in {"lives_in", "works_as"}]
        assert len(singles) == len(set(singles))


def is_open(row: dict[str, Any], predicate: str) -> bool:
    return row["predicate"] == predicate and row["invalid_at"] is None
