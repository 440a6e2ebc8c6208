"""POST /v1/facts/{fact_id}/forget."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api_client import Api, ok, refused
from tests.fact_calls import all_of, forget, values, write


def test_a_forgotten_fact_ends_now_and_stays_in_history(api: Api, uid: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    before = clock.write(datetime.now(UTC))
    done = forget(api, fact["id"])
    assert done.keys() == {"id", "status", "invalid_at", "audit_id"}
    assert (done["id"], done["status"]) == (fact["id"], "forgotten")
    assert done["audit_id"].startswith("aud_")
    assert api.facts(user_id=uid) == []
    row = all_of(api, uid)[fact["id"]]
    assert (row["invalid_at"], row["invalidated_by"]) == (done["invalid_at"], None)
    assert (row["closed_reason"], row["closed_known_at"]) == ("forgotten", done["invalid_at"])
    assert values(api, uid, as_of="2026-02-01") == ["Rome"]
    (known,) = api.facts(user_id=uid, known_as_of=before)
    assert (known["object"], known["invalid_at"]) == ("Rome", None)


def test_a_date_says_when_it_stopped_being_true(api: Api, uid: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    done = forget(api, fact["id"], at="2026-03-01")
    assert done["invalid_at"] == "2026-03-01T00:00:00+00:00"
    assert values(api, uid, as_of="2026-02-28") == ["Rome"]
    assert values(api, uid, as_of="2026-03-01") == []
    assert clock.read(all_of(api, uid)[fact["id"]]["closed_known_at"]) > clock.read("2026-03-01")


def test_what_has_ended_is_already_forgotten_and_does_not_change(api: Api, uid: str) -> None:
    old = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    new = write(api, uid, "lives_in", "Oslo", user_id=uid, valid_from="2026-02-01")
    forget(api, new["id"], at="2026-03-01")
    before = all_of(api, uid)
    for fact, end in ((old, "2026-02-01"), (new, "2026-03-01")):
        for body in ({}, {"at": "2026-02-10"}):
            again = forget(api, fact["id"], **body)
            assert (again["status"], again["audit_id"]) == ("already_forgotten", None)
            assert again["invalid_at"] == f"{end}T00:00:00+00:00"
    assert all_of(api, uid) == before


def test_an_end_to_come_can_be_moved_either_way(api: Api, uid: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    for days in (9, 20, 3):
        at = clock.write(datetime.now(UTC) + timedelta(days=days))
        done = forget(api, fact["id"], at=at)
        assert (done["status"], done["invalid_at"]) == ("forgotten", at)
        (current,) = api.facts(user_id=uid)
        assert current["invalid_at"] == at
    assert forget(api, fact["id"])["status"] == "forgotten"
    assert api.facts(user_id=uid) == []


@pytest.mark.parametrize("at", ["2026-01-01", "2025-12-31T23:59:59.999999Z", "0001-01-01"])
def test_a_fact_cannot_stop_being_true_before_it_began(api: Api, uid: str, at: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    body = refused(
        api.post(f"/v1/facts/{fact['id']}/forget", {"at": at}),
        422,
        "invalid_request",
        "at",
        "cannot stop being true before it began",
    )
    assert body["detail"][0]["loc"] == ["body", "at"]
    assert values(api, uid) == ["Rome"]


def test_a_fact_not_yet_begun_is_closed_at_its_own_start(api: Api, uid: str) -> None:
    later = clock.write(datetime.now(UTC) + timedelta(days=5))
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from=later)
    assert forget(api, fact["id"])["invalid_at"] == later
    assert forget(api, fact["id"])["status"] == "already_forgotten"
    assert values(api, uid, as_of=later) == []


def test_a_forgotten_value_can_be_written_anew(api: Api, uid: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-01")
    forget(api, fact["id"], at="2026-03-01")
    again = write(api, uid, "lives_in", "Rome", user_id=uid)
    assert again["id"] != fact["id"]
    assert values(api, uid) == ["Rome"]


@pytest.mark.parametrize(
    ("body", "field"),
    [({"at": "soon"}, "at"), ({"at": 5}, "at"), ({"when": "2026-01-01"}, "when")],
    ids=repr,
)
def test_a_wrong_body_is_named_and_changes_nothing(
    api: Api, uid: str, body: dict[str, Any], field: str
) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid)
    refused(api.post(f"/v1/facts/{fact['id']}/forget", body), 422, "invalid_request", field)
    assert values(api, uid) == ["Rome"]


def test_an_empty_body_and_a_null_date_mean_now(api: Api, uid: str) -> None:
    for send in (
        lambda path: api.request("POST", path),
        lambda path: api.post(path, {"at": None}),
    ):
        fact = write(api, uid, "lives_in", "Rome", user_id=uid)
        assert ok(send(f"/v1/facts/{fact['id']}/forget"))["status"] == "forgotten"


def test_an_unknown_and_a_foreign_fact_are_404(api: Api, stranger: Api, uid: str) -> None:
    fact = write(api, uid, "lives_in", "Rome", user_id=uid)
    for key, one in ((api, f"fct_{uuid.uuid4().hex}"), (api, "x"), (stranger, fact["id"])):
        refused(key.post(f"/v1/facts/{one}/forget"), 404, "not_found")
    assert values(api, uid) == ["Rome"]
