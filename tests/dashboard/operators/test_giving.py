"""What operators do for an account: more of a month, the end of a key."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, ok, refused
from tests.dashboard.operators.ground import (
    default_of,
    events,
    owner_of,
    person_of,
    project_of,
)
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words


def added(house: Stack, organisation: str) -> list[tuple[Any, ...]]:
    query = "SELECT writes, queries, note FROM billing_topup WHERE organisation_id = %s ORDER BY id"
    return rows(house, query, organisation)


def test_a_month_is_given_more_and_it_is_audited(
    house: Stack, gathered: Team, operator: Visitor
) -> None:
    team = gathered.again()
    path = f"/ops/accounts/organisation/{team.organisation}/top-up/"
    month = f"{datetime.now(UTC):%Y-%m}"
    form = {"writes": "500", "queries": "0", "month": month, "note": "<i>Goodwill</i>"}
    done = operator.post(path, form, follow_redirects=True)
    assert "It is added" in done.text
    assert f"{month} 500 0 <i>Goodwill</i>" in words(done)
    assert added(house, team.organisation) == [(500, 0, "<i>Goodwill</i>")]
    (event,) = events(house, default_of(house, team.organisation), "top_up")
    assert event["actor"] == "manage"
    assert event["meta"] == {
        "month": month, "writes": 500, "queries": 0, "person": person_of(operator)
    }  # fmt: skip
    page = f"/ops/accounts/organisation/{team.organisation}/change/"
    assert "500 writes, 0 queries" in operator.text(page)


@pytest.mark.parametrize(
    "wrong",
    [
        {"writes": "0", "queries": "0"},
        {"writes": "-1"},
        {"writes": "many"},
        {"month": "2020-01"},
        {"month": "soon"},
        {"note": "x" * 201},
    ],
)
def test_what_is_not_to_be_added_is_told_and_nothing_is(
    house: Stack, gathered: Team, operator: Visitor, wrong: dict[str, str]
) -> None:
    path = f"/ops/accounts/organisation/{gathered.organisation}/top-up/"
    form = {"writes": "5", "queries": "5", "month": f"{datetime.now(UTC):%Y-%m}", **wrong}
    before = added(house, gathered.organisation)
    answer = operator.post(path, form)
    assert answer.status_code == 422
    assert "errorlist" in answer.text
    assert added(house, gathered.organisation) == before


def test_a_key_is_revoked_with_a_reason(house: Stack, operator: Visitor, box: Box) -> None:
    made = box.mint(name="To be revoked")
    key = str(rows(house, "SELECT id FROM accounts_apikey WHERE name = %s", "To be revoked")[0][0])
    path = f"/ops/accounts/apikey/{key}/revoke/"
    assert path in operator.get(f"/ops/accounts/apikey/{key}/change/").text
    assert operator.post(path, {"reason": ""}).status_code == 422
    ok(type(box.api)(house.base_url, made["key"]).get("/v1/ping"))
    done = operator.post(path, {"reason": "It was in a public repository."}, follow_redirects=True)
    assert "The key is revoked." in done.text
    assert "It was in a public repository." in done.text
    assert re.search(r"key/[^\"]+/revoke/", done.text) is None
    refused(type(box.api)(house.base_url, made["key"]).get("/v1/ping"), 401, "invalid_key")
    (event,) = events(house, project_of(box), "key_revoke")
    assert event["actor"] == "manage"
    assert event["meta"] == {"person": person_of(operator)}


def test_the_last_admin_key_is_left(house: Stack, operator: Visitor) -> None:
    query = "SELECT id, organisation_id FROM accounts_apikey WHERE last_four = %s"
    ((key, account),) = rows(house, query, house.key[-4:])
    answer = operator.post(f"/ops/accounts/apikey/{key}/revoke/", {"reason": "No reason."})
    if answer.status_code == 302:
        pytest.fail("the account's last admin key is revoked")
    assert answer.status_code == 409
    assert "last live admin key" in words(answer)
    state = "SELECT revoked_at FROM accounts_apikey WHERE id = %s"
    assert rows(house, state, key) == [(None,)]
    assert owner_of(house, default_of(house, str(account))) == str(account)
