"""Facts of one end user written, corrected, forgotten and named at the same instant."""

from __future__ import annotations

from typing import Any

from tests.api_client import ok, refused, unique
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
