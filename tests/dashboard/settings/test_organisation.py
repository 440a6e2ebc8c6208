"""An organisation's settings: its name, and its end with a preview and a receipt."""

from __future__ import annotations

import uuid
from functools import partial

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import ok, refused, unique
from tests.concurrency.at_once import at_once
from tests.dashboard.keyring import key_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team, joined, team_page
from tests.dashboard.visitor import Visitor, path_in, settled, words

TOKEN = "/account/email/"


@pytest.fixture
def team(gathered: Team) -> Team:
    return gathered.again()


def page_of(team: Team) -> str:
    return f"/dashboard/o/{team.organisation}/settings/"


def name_of(team: Team, organisation: str) -> str | None:
    query = "SELECT name FROM accounts_organisation WHERE id = %s"
    found = rows(team.house, query, organisation)
    return str(found[0][0]) if found else None


def acts(team: Team, action: str) -> list[tuple[str, bool]]:
    """Results of an act, and whether a person is named, oldest first."""
    found = rows(
        team.house,
        "SELECT result, meta::jsonb ? 'person' FROM billing_auditevent"
        " WHERE action = %s AND project_id = %s ORDER BY ts",
        action,
        team.project,
    )
    return [(result, named) for result, named in found]


def test_owners_and_admins_rename_the_organisation_and_members_do_not(team: Team) -> None:
    organisation, path = team.organisation, page_of(team)
    wanted = f"<b>{unique('Renamed')}</b>"
    sent = team.admin.post(path, {"name": f"  {wanted} "})
    assert sent.headers["location"] == path
    team.name = wanted  # by which a team is found
    assert name_of(team, organisation) == wanted
    assert wanted in team.owner.text(page_of(team))
    for wrong in ("", " ", "x" * 101, "a\0b"):
        answer = team.owner.post(page_of(team), {"name": wrong})
        assert answer.status_code == 422, wrong
    denied = team.member.post(page_of(team), {"name": "Mine"}, page=TOKEN)
    assert denied.status_code == 403
    assert "Members do not rename the organisation" in words(denied)
    assert 'name="name"' not in team.member.get(page_of(team)).text
    assert name_of(team, organisation) == wanted
    assert acts(team, "organisation_update") == [("ok", True), ("denied", True)]


def test_an_owner_deletes_the_organisation_and_all_that_is_in_it(house: Stack) -> None:
    owner = settled(house, unique("Ending"))
    member = joined(owner, "member")
    other = unique("Staying")
    ((organisation, project, name),) = rows(
        house,
        "SELECT o.id, p.id, o.name FROM accounts_organisation o"
        " JOIN accounts_project p ON p.organisation_id = o.id"
        " JOIN accounts_membership m ON m.organisation_id = o.id"
        " JOIN accounts_person a ON a.id = m.person_id WHERE a.email = %s",
        owner.email,
    )
    second = settled(house, other)
    invited(second, owner)
    api = key_of(house, str(organisation), str(project))
    memory = {"content": "Gone soon.", "user_id": "u", "agent_id": "a"}
    ok(api.post("/v1/memories", memory), 201)
    path = f"/dashboard/o/{organisation}/settings/delete/"

    asked = owner.get(path)
    assert asked.headers["location"].startswith("/account/reauthenticate/")
    early = owner.post(path, {"name": name}, page=TOKEN)
    assert early.headers["location"] == path
    assert rows(house, "SELECT 1 FROM accounts_organisation WHERE id = %s", organisation) == [(1,)]
    owner.prove()
    shown = owner.text(path)
    assert "Projects 1 Memories 1" in shown
    assert "Live API keys 1" in shown
    assert "People who lose access 2" in shown
    assert f"Your other organisations stay: {other}" in shown
    for wrong in ("", name.upper(), "Ending"):
        assert owner.post(path, {"name": wrong}).status_code == 422
    refused_yet = rows(house, "SELECT 1 FROM accounts_project WHERE id = %s", project)
    assert refused_yet == [(1,)]

    browsers = [Visitor(house, owner.email) for _ in range(2)]
    for browser in browsers:
        browser.http.cookies.update(owner.http.cookies)
    done = at_once([partial(one.post, path, {"name": name}, page=TOKEN) for one in browsers])
    assert sorted(answer.status_code for answer in done) == [302, 404]
    receipt = owner.text("/dashboard/receipt/")
    assert "Organisation deleted" in receipt
    assert "Projects 1 Memories 1" in receipt
    assert "API keys 1" in receipt
    assert "Memberships 2" in receipt
    refused(api.get("/v1/ping"), 401, "invalid_key")
    left = rows(
        house,
        "SELECT (SELECT count(*) FROM accounts_organisation WHERE id = o)"
        " + (SELECT count(*) FROM accounts_project WHERE organisation_id = o)"
        " + (SELECT count(*) FROM accounts_apikey WHERE organisation_id = o)"
        " + (SELECT count(*) FROM accounts_membership WHERE organisation_id = o)"
        " + (SELECT count(*) FROM memories_memory WHERE project_id = p)"
        " + (SELECT count(*) FROM billing_auditevent WHERE project_id = p)"
        " FROM (SELECT %s::uuid AS o, %s::uuid AS p) gone",
        organisation,
        project,
    )
    assert left == [(0,)]
    # Logins stay, and so does where else somebody belongs.
    assert other in owner.text("/dashboard/")
    assert "No organisation" in member.text("/dashboard/")
    assert owner.get(path).status_code == 404
    assert Visitor(house).get("/dashboard/receipt/").status_code == 302
    assert member.get("/dashboard/receipt/").status_code == 404


def test_only_owners_delete_and_never_what_the_install_was_made_with(team: Team) -> None:
    path = f"{page_of(team)}delete/"
    for person in (team.admin, team.member):
        assert person.get(path).status_code == 403
        assert person.post(path, {"name": team.name}, page=TOKEN).status_code == 403
        assert "Delete the organisation" not in words(person.get(page_of(team)))
    stranger = settled(team.house, unique("Stranger"))
    assert stranger.post(path, {"name": team.name}, page=TOKEN).status_code == 404
    assert name_of(team, team.organisation) == team.name
    ((first, name),) = rows(
        team.house, "SELECT id, name FROM accounts_organisation ORDER BY created_at, id LIMIT 1"
    )
    with psycopg.connect(team.house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO accounts_membership (id, organisation_id, person_id, role, created_at)"
            " SELECT %s, %s, id, 'owner', now() FROM accounts_person WHERE email = %s",
            [uuid.uuid4(), first, stranger.email],
        )
    stranger.prove()
    own = f"/dashboard/o/{first}/settings/"
    assert "the installation's own" in stranger.text(own)
    answer = stranger.post(f"{own}delete/", {"name": name}, page=TOKEN)
    assert answer.status_code == 409
    assert name_of(team, str(first)) == name


def invited(owner: Visitor, guest: Visitor) -> None:
    """A guest who has a login already joins an owner's organisation as an admin."""
    ((organisation,),) = rows(
        owner.stack,
        "SELECT m.organisation_id FROM accounts_membership m"
        " JOIN accounts_person p ON p.id = m.person_id WHERE p.email = %s",
        owner.email,
    )
    page = team_page(str(organisation))
    owner.post(f"{page}invitations/", {"email": guest.email, "role": "admin"}, page=page)
    guest.get(path_in(guest.mail("You are invited")))
    assert guest.post("/dashboard/invitations/").status_code == 302
