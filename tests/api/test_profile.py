"""GET /v1/profile."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from korely.kernel import clock
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused
from tests.fact_calls import declare, write


def profile(api: Api, user_id: str, **query: Any) -> dict[str, Any]:
    return ok(api.get("/v1/profile", user_id=user_id, **query))


def objects(answer: dict[str, Any]) -> list[str]:
    return [fact["object"] for fact in answer["facts"]]


def test_an_unknown_end_user_has_an_empty_profile(api: Api, uid: str) -> None:
    assert profile(api, uid) == {
        "user_id": uid,
        "as_of": None,
        "known_as_of": None,
        "facts": [],
        "by_family": {},
        "total": 0,
        "truncated": False,
    }


def test_a_profile_holds_what_the_default_read_lists_grouped_by_family(api: Api, uid: str) -> None:
    api.told("I live in Rome. I like tea. I am allergic to peanuts.", uid)
    write(api, uid, "likes", "jazz", user_id=uid)
    write(api, uid, "lives_in", "Milan", user_id=uid)
    write(api, uid, "works_at", "Acme", user_id=uid, tense="past")
    answer = profile(api, uid)
    listed = api.facts(user_id=uid)
    assert {fact["id"] for fact in answer["facts"]} == {fact["id"] for fact in listed}
    assert answer["total"] == len(listed) == 4
    assert {
        family: {f["object"] for f in facts} for family, facts in answer["by_family"].items()
    } == {
        "places": {"Milan"},
        "preferences": {"tea", "jazz"},
        "health": {"peanuts"},
    }
    for family, facts in answer["by_family"].items():
        assert facts == [f for f in answer["facts"] if f["predicate_family"] == family]


def test_the_end_user_s_own_facts_come_first_then_the_newest(api: Api, uid: str) -> None:
    declare(api, uid, "Maria Rossi")
    rows = [
        ("office", "Porto", "2026-06-01", "unknown"),
        ("shed", "Faro", "2026-04-01", "place"),
        (uid.upper(), "tea", "2026-01-01", "unknown"),
        ("me", "jazz", "2026-02-01", "self"),
        ("MARIA ROSSI", "opera", "2026-03-01", "person"),
    ]
    for subject, value, start, kind in rows:
        write(api, subject, "likes", value, user_id=uid, valid_from=start, subject_type=kind)
    assert objects(profile(api, uid)) == ["opera", "jazz", "tea", "Porto", "Faro"]


def test_both_clocks_are_honoured_and_echoed_as_sent(api: Api, uid: str) -> None:
    write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    before = clock.write(datetime.now(UTC))
    write(api, uid, "lives_in", "Milan", user_id=uid, valid_from="2026-05-01")
    then = profile(api, uid, as_of="2026-03-15")
    assert (objects(then), then["as_of"], then["known_as_of"]) == (["Rome"], "2026-03-15", None)
    known = profile(api, uid, known_as_of=before)
    assert (objects(known), known["known_as_of"]) == (["Rome"], before)
    assert known["facts"][0]["invalid_at"] is None
    both = profile(api, uid, as_of="2026-06-01", known_as_of=before)
    assert objects(both) == ["Rome"]
    assert objects(profile(api, uid)) == ["Milan"]
    assert profile(api, uid, known_as_of="2020-01-01")["total"] == 0


def test_agents_and_sessions_narrow_it(api: Api, uid: str) -> None:
    write(api, uid, "likes", "tea", user_id=uid)
    write(api, uid, "likes", "chess", user_id=uid, agent_id="bot")
    api.told("I work at Siemens.", uid, kind="session")
    assert profile(api, uid)["total"] == 3
    assert objects(profile(api, uid, agent_id="bot")) == ["chess"]
    assert sorted(objects(profile(api, uid, exclude_sessions="yes"))) == ["chess", "tea"]


def test_it_stops_at_two_hundred_and_says_so(fresh: WatchedBox) -> None:
    from facts.reconciliation import Row, object_key
    from facts.services import Owner, store
    from facts.services.store import Wording
    from facts.vocabulary import BUILT_IN
    from korely.kernel.ids import parse, uuid7
    from korely.kernel.tenancy import project_scope

    project = parse("prj", fresh.project["id"])
    assert project is not None

    def put(numbers: range) -> None:
        with project_scope(project):
            for number in numbers:
                value, moment = f"thing {number}", datetime.now(UTC)
                row = Row(
                    *(uuid7(), "u", "likes", object_key(value), value, "current", moment),
                    *(None, None, None, None, moment),
                )
                wording = Wording("u", "self", "likes", value, False, 0.9, None, True)
                store.insert(Owner(project, "u", None), row, wording, None, vocabulary=BUILT_IN)

    put(range(200))
    whole = profile(fresh.api, "u")
    assert (len(whole["facts"]), whole["total"], whole["truncated"]) == (200, 200, False)
    put(range(200, 203))
    cut = profile(fresh.api, "u")
    assert (len(cut["facts"]), cut["total"], cut["truncated"]) == (200, 203, True)
    assert sum(map(len, cut["by_family"].values())) == 200
    assert objects(cut)[0] == "thing 202"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "user_id"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": "u" * 256}, "user_id"),
        ({"user_id": "u", "as_of": "x"}, "as_of"),
        ({"user_id": "u", "known_as_of": ""}, "known_as_of"),
        ({"user_id": "u", "agent_id": ""}, "agent_id"),
        ({"user_id": "u", "exclude_sessions": "maybe"}, "exclude_sessions"),
    ],
    ids=repr,
)
def test_a_wrong_parameter_is_named(api: Api, query: dict[str, str], field: str) -> None:
    refused(api.get("/v1/profile", **query), 422, "invalid_request", field)


def test_a_confined_key_reads_the_profiles_of_its_end_users_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna"])
    for user in ("anna", "bob"):
        write(fresh.api, user, "likes", "tea", user_id=user)
    assert profile(confined, "anna")["total"] == 1
    refused(confined.get("/v1/profile", user_id="bob"), 403, "forbidden", "confined")
