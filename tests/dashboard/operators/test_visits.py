"""An operator's visit to an account's dashboard: said why, for a while, to read alone, and told."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.keyring import key_of
from tests.dashboard.operators.ground import acts, change, default_of, events, person_of
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, settled, words
from tests.operations import manage

REASON = "They cannot find their keys page."
OF_PROJECT = ("", "explore/", "facts/", "playground/", "audit/")
OF_ACCOUNT = ("keys/", "usage/", "requests/", "projects/", "team/", "access/", "settings/")


@pytest.fixture
def visited(gathered: Team) -> Team:
    return gathered.again()


@pytest.fixture(scope="module")
def visitor(house: Stack) -> Visitor:
    """An operator of these tests' own: a visit is a browser's."""
    person = settled(house, unique("Visiting"))
    manage(house, "make_operator", person.email)
    person.set_up_second_factor()
    return person


def begin(visitor: Visitor, team: Team, reason: str = REASON) -> str:
    """Begin a visit; the address of the account's first page."""
    path = f"/ops/accounts/organisation/{team.organisation}/visit/"
    done = visitor.post(path, {"reason": reason})
    assert done.status_code == 302, words(done)
    return done.headers["location"]


def stop(visitor: Visitor) -> None:
    done = visitor.post("/dashboard/visit/stop/", page="/account/logout/")
    assert done.headers["location"] == "/ops/"


def test_a_visit_shows_the_dashboard_under_a_banner_until_it_is_stopped(
    house: Stack, visitor: Visitor, visited: Team
) -> None:
    project = default_of(house, visited.organisation)
    first = begin(visitor, visited)
    assert first == f"/dashboard/p/{project}/"
    for path in (first, f"/dashboard/o/{visited.organisation}/team/"):
        page = visitor.get(path)
        assert page.status_code == 200, path
        assert f"You are visiting {visited.name} as an operator" in words(page)
        assert "/dashboard/visit/stop/" in page.text
    assert visitor.get("/dashboard/").headers["location"] == first
    assert acts(house, visited.organisation) == [("visit", "", REASON, False)]
    (began,) = events(house, project, "operator_visit")
    assert began["meta"]["person"] == person_of(visitor)
    assert began["actor"] == "dashboard"
    stop(visitor)
    assert acts(house, visited.organisation) == [("visit", "", REASON, True)]
    (ended,) = events(house, project, "operator_visit_end")
    assert ended["meta"] == began["meta"]
    assert visitor.get(first).status_code == 404
    assert "You are visiting" not in visitor.text("/dashboard/")
    stopped = visitor.post("/dashboard/visit/stop/", page="/account/logout/")
    assert stopped.headers["location"] == "/dashboard/"
    assert len(events(house, project, "operator_visit_end")) == 1


def test_nothing_that_a_visitor_sends_is_taken(
    house: Stack, visitor: Visitor, visited: Team
) -> None:
    project = default_of(house, visited.organisation)
    begin(visitor, visited)
    try:
        roles, invitations = visited.roles(), visited.open_invitations()
        base = f"/dashboard/o/{visited.organisation}"
        sent = [
            (f"{base}/team/invitations/", {"email": "x@people.example", "role": "owner"}),
            (f"{base}/team/leave/", {}),
            (
                f"{base}/team/members/{visited.membership(visited.member)}/role/",
                {"role": "owner"},
            ),
        ]
        for path, data in sent:
            answer = visitor.post(path, data, page=f"{base}/team/")
            assert answer.status_code == 403, path
            assert "A visit is to read alone" in answer.text
        assert visited.roles() == roles
        assert visited.open_invitations() == invitations
        denied = events(house, project, "dashboard")
        assert len(denied) == len(sent)
        assert {one["result"] for one in denied} == {"denied"}
        assert {one["meta"]["role"] for one in denied} == {"visitor"}
    finally:
        stop(visitor)


def test_every_section_opens_under_the_banner_or_stays_shut(
    house: Stack, visitor: Visitor, visited: Team
) -> None:
    project = default_of(house, visited.organisation)
    begin(visitor, visited)
    try:
        sections = {f"/dashboard/p/{project}/{name}": 200 for name in OF_PROJECT}
        sections |= {f"/dashboard/o/{visited.organisation}/{name}": 200 for name in OF_ACCOUNT}
        sections[f"/dashboard/o/{visited.organisation}/webhooks/"] = 403
        for path, status in sections.items():
            page = visitor.get(path)
            assert page.status_code == status, path
            assert f"You are visiting {visited.name} as an operator" in words(page), path
    finally:
        stop(visitor)


def test_what_a_visitor_reads_is_audited_as_read_by_the_operator(
    house: Stack, visitor: Visitor, visited: Team
) -> None:
    project = default_of(house, visited.organisation)
    api = key_of(house, visited.organisation, project)
    made = api.told("I live in Lisbon.", "u")
    begin(visitor, visited)
    try:
        page = visitor.get(f"/dashboard/p/{project}/explore/memories/{made['id']}/")
        assert page.status_code == 200
        assert "Lisbon" in words(page)
    finally:
        stop(visitor)
    looks = [one for one in events(house, project, "read") if one["actor"] == "dashboard"]
    assert [one["memories"][0].hex for one in looks] == [made["id"][4:]]
    assert [one["meta"]["person"] for one in looks] == [person_of(visitor)]


def test_a_visit_is_to_one_account(house: Stack, visitor: Visitor, gathered: Team) -> None:
    visited, other = gathered.again(), gathered.again()
    begin(visitor, visited)
    try:
        assert visitor.get(f"/dashboard/o/{other.organisation}/team/").status_code == 404
        there = default_of(house, other.organisation)
        assert visitor.get(f"/dashboard/p/{there}/").status_code == 404
    finally:
        stop(visitor)


def test_a_visit_ends_by_itself_and_with_the_operators_rights(
    house: Stack, visitor: Visitor, visited: Team
) -> None:
    project = default_of(house, visited.organisation)
    first = begin(visitor, visited)
    change(
        house,
        "UPDATE accounts_operatoract SET ends_at = now() - interval '1 second',"
        " created_at = now() - interval '30 minutes' WHERE organisation_id = %s",
        visited.organisation,
    )
    assert visitor.get(first).status_code == 404
    assert acts(house, visited.organisation) == [("visit", "", REASON, True)]
    assert len(events(house, project, "operator_visit_end")) == 1
    first = begin(visitor, visited)
    staff = "UPDATE accounts_person SET is_staff = %s WHERE email = %s"
    change(house, staff, False, visitor.email)
    try:
        assert visitor.get(first).status_code == 404
    finally:
        change(house, staff, True, visitor.email)
    assert visitor.get(first).status_code == 404
    assert len(events(house, project, "operator_visit_end")) == 2


@pytest.mark.parametrize("reason", ["", "short", "x" * 501])
def test_without_a_reason_no_visit_begins(
    house: Stack, visitor: Visitor, visited: Team, reason: str
) -> None:
    path = f"/ops/accounts/organisation/{visited.organisation}/visit/"
    assert visitor.post(path, {"reason": reason}).status_code == 422
    assert acts(house, visited.organisation) == []
    project = default_of(house, visited.organisation)
    assert visitor.get(f"/dashboard/p/{project}/").status_code == 404
    assert events(house, project, "operator_visit") == []


def test_nobody_else_begins_one(house: Stack, gathered: Team, visited: Team) -> None:
    outsider = settled(house, unique("Outside"))
    path = f"/ops/accounts/organisation/{visited.organisation}/visit/"
    answer = outsider.post(path, {"reason": REASON}, page="/account/logout/", follow_redirects=True)
    assert answer.status_code == 404
    assert acts(house, visited.organisation) == []
    there = default_of(house, visited.organisation)
    assert outsider.get(f"/dashboard/p/{there}/").status_code == 404
