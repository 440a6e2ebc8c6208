"""Invitations and roles: who may do what, and that refusals change nothing."""

from __future__ import annotations

import uuid
from functools import partial

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.concurrency.at_once import at_once
from tests.dashboard.records import deeds, let_limits_pass, rows
from tests.dashboard.team import Team, organisation_of, team_page
from tests.dashboard.visitor import Visitor, address, path_in, settled, words


@pytest.fixture
def team(gathered: Team) -> Team:
    """A fresh organisation of the same people."""
    return gathered.again()


def test_a_team_is_invited_joins_and_is_audited(house: Stack, gathered: Team) -> None:
    team = gathered
    expected = {team.owner.email: "owner", team.admin.email: "admin", team.member.email: "member"}
    assert team.roles() == expected
    for person in (team.owner, team.admin, team.member):
        text = person.text(team.page)
        assert all(email in text for email in expected)
    assert deeds(house, team.name)[:5] == [
        ("member_join", "ok", "owner"),
        ("member_invite", "ok", "admin"),
        ("member_join", "ok", "admin"),
        ("member_invite", "ok", "member"),
        ("member_join", "ok", "member"),
    ]
    written = rows(
        house,
        "SELECT string_agg(e::text, '') FROM billing_auditevent e"
        " JOIN accounts_project p ON p.id = e.project_id"
        " JOIN accounts_organisation o ON o.id = p.organisation_id WHERE o.name = %s",
        team.name,
    )
    assert "people.example" not in written[0][0]


def test_a_member_sees_the_team_and_changes_nothing(house: Stack, team: Team) -> None:
    before = team.roles()
    page = team.member.get(team.page).text
    assert "/role/" not in page
    assert "/remove/" not in page
    assert "/invitations/" not in page
    for whose in (team.admin, team.owner):
        asked = team.member.get(f"{team.page}members/{team.membership(whose)}/remove/")
        assert asked.status_code == 403
    denied = [
        team.invite(team.member, address(), "member"),
        team.set_role(team.member, team.member, "owner"),
        team.set_role(team.member, team.admin, "member"),
        team.remove(team.member, team.admin),
        team.remove(team.member, team.owner),
    ]
    assert [answer.status_code for answer in denied] == [403] * 5
    assert all("Members do not manage the team" in words(answer) for answer in denied)
    assert (team.roles(), team.open_invitations()) == (before, [])
    assert deeds(house, team.name)[-5:] == [
        ("member_invite", "denied", "member"),
        ("member_role", "denied", "member"),
        ("member_role", "denied", "member"),
        ("member_remove", "denied", "member"),
        ("member_remove", "denied", "member"),
    ]


def test_an_admin_manages_admins_and_members_and_no_owner(house: Stack, team: Team) -> None:
    before = team.roles()
    denied = [
        team.invite(team.admin, address(), "owner"),
        team.set_role(team.admin, team.admin, "owner"),
        team.set_role(team.admin, team.member, "owner"),
        team.set_role(team.admin, team.owner, "member"),
        team.remove(team.admin, team.owner),
    ]
    assert [answer.status_code for answer in denied] == [403] * 5
    assert (team.roles(), team.open_invitations()) == (before, [])
    assert team.set_role(team.admin, team.member, "admin").status_code == 302
    assert team.roles()[team.member.email] == "admin"
    assert team.set_role(team.admin, team.member, "member").status_code == 302
    assert team.roles() == before


def test_the_last_owner_can_neither_leave_nor_be_demoted_nor_removed(
    house: Stack, team: Team
) -> None:
    before = team.roles()
    refused = [
        team.set_role(team.owner, team.owner, "member"),
        team.remove(team.owner, team.owner),
        team.send(team.owner, "leave/"),
    ]
    assert [answer.status_code for answer in refused] == [409] * 3
    assert all("The last owner stays" in words(answer) for answer in refused)
    assert team.roles() == before


def test_an_unknown_role_is_refused_by_name(team: Team) -> None:
    before = team.roles()
    answer = team.set_role(team.owner, team.member, "emperor")
    assert answer.status_code == 422
    assert "role: must be one of owner, admin, member" in words(answer)
    email = address()
    for role in ("emperor", ""):
        assert team.invite(team.owner, email, role).status_code == 422
    broken = team.invite(team.owner, "no address", "member")
    assert (broken.status_code, team.open_invitations()) == (422, [])
    assert "Enter a valid email address" in words(broken)
    assert team.roles() == before


def test_who_belongs_already_is_not_invited_again(team: Team) -> None:
    answer = team.invite(team.owner, team.member.email.upper(), "admin")
    assert answer.status_code == 409
    assert "belongs to the organisation already" in words(answer)
    assert team.open_invitations() == []


def test_another_organisation_is_404_and_unchanged(house: Stack, team: Team) -> None:
    stranger = settled(house, unique("Stranger"))
    theirs, own = uuid.UUID(team.organisation), team_page(organisation_of(stranger))
    before = team.roles()
    for asked in (theirs.hex, str(theirs), str(uuid.uuid4()), "nonsense"):
        for path in (team_page(asked), f"/dashboard/p/{asked}/", f"/dashboard/p/{team.project}/"):
            page = stranger.get(path)
            assert page.status_code == 404, path
            assert team.name not in page.text
    answers = [
        team.set_role(stranger, team.member, "owner"),
        team.remove(stranger, team.member),
        team.invite(stranger, address(), "member"),
        # Naming their own organisation does not open another's rows.
        stranger.post(f"{own}members/{team.membership(team.member)}/remove/", page=own),
        stranger.post(f"{own}invitations/{uuid.uuid4()}/revoke/", page=own),
    ]
    assert [answer.status_code for answer in answers] == [404] * 5
    assert (team.roles(), team.open_invitations()) == (before, [])


def test_a_second_invitation_replaces_the_first_and_over_ones_are_answered_alike(
    house: Stack, team: Team
) -> None:
    guest = Visitor(house)
    links = []
    for role in ("member", "admin"):
        assert team.invite(team.owner, guest.email, role).status_code == 302
        links.append(path_in(guest.mails("You are invited")[-1]))
    assert team.open_invitations() == [(guest.email, "admin")]
    replaced = guest.get(links[0])
    ((second,),) = rows(
        house,
        "SELECT id FROM accounts_invitation WHERE email = %s AND revoked_at IS NULL",
        guest.email,
    )
    assert guest.get(links[1]).status_code == 302
    path = f"invitations/{second}/revoke/"
    assert team.send(team.member, path).status_code == 403
    assert team.open_invitations() == [(guest.email, "admin")]
    assert team.send(team.admin, path).status_code == 302
    assert team.open_invitations() == []
    unknown = guest.get(f"/dashboard/invitations/{'x' * 43}/")
    for over in (replaced, guest.get(links[1]), guest.get("/dashboard/invitations/")):
        assert (over.status_code, over.text) == (404, unknown.text)
    assert "no longer valid" in words(unknown)


def test_only_the_invited_address_can_accept(house: Stack, team: Team) -> None:
    before = team.roles()
    guest = Visitor(house)
    team.invite(team.owner, guest.email, "member")
    other = settled(house, unique("Other"))
    assert other.get(path_in(guest.mail("You are invited"))).status_code == 302
    assert team.name in other.text("/dashboard/invitations/")
    answer = other.post("/dashboard/invitations/")
    assert answer.status_code == 403
    assert "sent to another address" in words(answer)
    assert guest.email not in answer.text
    assert team.roles() == before
    # Signing up with the link is signing up with its address, whatever the form says.
    guest.get(path_in(guest.mail("You are invited")))
    sly = address()
    guest.post("/account/signup/", {"email": sly, "password1": "a password of mine"})
    assert rows(house, "SELECT 1 FROM accounts_person WHERE email = %s", sly) == []
    assert rows(house, "SELECT 1 FROM accounts_person WHERE email = %s", guest.email) == [(1,)]
    # Not yet confirmed, it cannot be used to accept either.
    assert guest.post("/dashboard/invitations/", page="/account/login/").status_code == 302
    assert team.roles() == before


def test_two_acceptances_of_one_invitation_make_one_member(house: Stack, team: Team) -> None:
    guest = settled(house, unique("Guest"))
    team.invite(team.owner, guest.email, "admin")
    link = path_in(guest.mail("You are invited"))
    assert guest.get(link).status_code == 302
    browsers = [Visitor(house, guest.email) for _ in range(4)]
    for browser in browsers:
        browser.http.cookies.update(guest.http.cookies)
    answers = at_once([partial(one.post, "/dashboard/invitations/") for one in browsers])
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [302, 404, 404, 404]
    assert team.roles()[guest.email] == "admin"
    assert deeds(house, team.name) == [
        ("member_invite", "ok", "admin"),
        ("member_join", "ok", "admin"),
    ]
    # They belong to two organisations now, and can turn to either.
    page = guest.get("/dashboard/", follow_redirects=True).text
    ((own,),) = rows(
        house,
        "SELECT m.organisation_id FROM accounts_membership m"
        " JOIN accounts_person p ON p.id = m.person_id WHERE p.email = %s AND m.role = 'owner'",
        guest.email,
    )
    for turned_to in (team.page, f"/dashboard/o/{own}/team/"):
        assert f'href="{turned_to}"' in page


def test_two_owners_who_demote_each_other_leave_one_owner(team: Team) -> None:
    assert team.set_role(team.owner, team.admin, "owner").status_code == 302
    for _ in range(3):
        answers = at_once(
            [
                partial(team.set_role, team.owner, team.admin, "member"),
                partial(team.set_role, team.admin, team.owner, "member"),
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [302, 403]
        roles = team.roles()
        assert sorted(roles.values()) == ["member", "member", "owner"]
        left = team.owner if roles[team.owner.email] == "owner" else team.admin
        gone = team.admin if left is team.owner else team.owner
        assert team.set_role(left, gone, "owner").status_code == 302
    both = at_once([partial(team.send, one, "leave/") for one in (team.owner, team.admin)])
    assert sorted(answer.status_code for answer in both) == [302, 409]


def test_who_is_removed_sees_nothing_from_the_next_request_on(house: Stack, team: Team) -> None:
    guest = address()
    assert team.invite(team.admin, guest, "member").status_code == 302
    assert team.remove(team.owner, team.admin).status_code == 302
    for path in (team.page, f"/dashboard/p/{team.project}/"):
        page = team.admin.get(path)
        assert page.status_code == 404
        assert team.name not in page.text
    assert team.name not in team.admin.text("/dashboard/")
    assert team.open_invitations() == []  # who can invite no more has invited nobody
    left = team.send(team.member, "leave/")
    assert left.headers["location"] == "/dashboard/"
    assert team.roles() == {team.owner.email: "owner"}
    assert deeds(house, team.name)[-2:] == [
        ("member_remove", "ok", "admin"),
        ("member_remove", "ok", "member"),
    ]


def test_an_expired_invitation_is_over(house: Stack, team: Team) -> None:
    guest = Visitor(house)
    team.invite(team.owner, guest.email, "member")
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE accounts_invitation SET expires_at = now() WHERE email = %s", [guest.email]
        )
    page = guest.get(path_in(guest.mail("You are invited")))
    assert page.status_code == 404
    assert "no longer valid" in words(page)
    # An open one that is too old does not stand in the way of another.
    assert team.invite(team.owner, guest.email, "member").status_code == 302
    assert guest.get(path_in(guest.mails("You are invited")[-1])).status_code == 302


def test_the_token_is_nowhere_in_the_database(house: Stack, team: Team) -> None:
    guest = Visitor(house)
    team.invite(team.owner, guest.email, "member")
    token = path_in(guest.mail("You are invited")).rstrip("/").rpartition("/")[2]
    assert len(token) == 43
    link = f"/dashboard/invitations/{token}/"
    assert guest.get(link).status_code == 302
    assert guest.http.post(link, data={}).status_code == 403
    everything = rows(
        house,
        "SELECT (SELECT string_agg(i::text, '') FROM accounts_invitation i)"
        " || (SELECT string_agg(session_data, '') FROM django_session)"
        " || (SELECT string_agg(e::text, '') FROM billing_auditevent e)",
    )
    assert token not in everything[0][0]
    logs = "".join(file.read_text() for file in (house.data_dir / "logs").glob("*.log"))
    assert token not in logs
    assert guest.email not in logs


def test_invitations_are_limited_by_the_hour(house: Stack, team: Team) -> None:
    let_limits_pass(house)
    answers = [team.invite(team.owner, address(), "member").status_code for _ in range(31)]
    assert answers == [302] * 30 + [429]
    assert len(team.open_invitations()) == 30
