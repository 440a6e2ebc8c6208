"""Projects of an organisation: listed, made, changed, put away, deleted with a receipt."""

from __future__ import annotations

import html
import re
from functools import partial

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique, wait_for
from tests.dashboard.keyring import key_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import settled, words

TOKEN = "/account/email/"


@pytest.fixture
def team(gathered: Team) -> Team:
    return gathered.again()


def page_of(team: Team) -> str:
    return f"/dashboard/o/{team.organisation}/projects/"


def projects(team: Team) -> dict[str, tuple[str, str | None, bool]]:
    """Description, region and whether it is archived, by name."""
    found = rows(
        team.house,
        "SELECT name, description, region, archived_at IS NOT NULL FROM accounts_project"
        " WHERE organisation_id = %s ORDER BY name",
        team.organisation,
    )
    return {name: (description, region, away) for name, description, region, away in found}


def made(team: Team, name: str, **more: str) -> str:
    """The pages' path of a new project."""
    sent = team.admin.post(f"{page_of(team)}new/", {"name": name, **more})
    assert sent.status_code == 302, words(sent)
    identifier = sent.headers["location"].rstrip("/").rpartition("/")[2]
    return f"{page_of(team)}{identifier}/"


def filled(team: Team, path: str) -> Api:
    """Two memories and a fact of a project, written by its one live key; another has expired."""
    project = path.rstrip("/").rpartition("/")[2]
    api = key_of(team.house, team.organisation, project)
    for text in ("Lives in Rome.", "Likes tea."):
        ok(api.post("/v1/memories", {"content": text, "user_id": "u", "agent_id": "a"}), 201)
    waiting = partial(api.get, "/v1/events", status="processing")
    wait_for("their facts", lambda: ok(waiting())["events"] == [])
    fact = {"subject": "u", "predicate": "lives_in", "object": "Rome", "user_id": "u"}
    ok(api.post("/v1/facts", fact), 201)
    expired = key_of(team.house, team.organisation, project)
    with psycopg.connect(team.house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE accounts_apikey SET expires_at = now() - interval '1 day'"
            " WHERE last_four = %s AND project_id = %s",
            [str(expired.key)[-4:], project],
        )
    return api


def test_projects_are_listed_with_their_live_keys_for_everybody(team: Team) -> None:
    put_away = made(team, "Old", region="eu", description="Of last year")
    filled(team, made(team, "Busy"))
    sent = team.admin.post(f"{put_away}archive/", {"to": "archive"}, page=page_of(team))
    assert sent.headers["location"] == page_of(team)
    assert projects(team)["Old"] == ("Of last year", "eu", True)
    for person in (team.owner, team.admin, team.member):
        listed = rows_of(person.get(page_of(team)).text)
        assert [row[:4] for row in listed] == [
            ["Default", "Default", "Not chosen", "0"],
            ["Busy", "In use", "Not chosen", "1"],
            ["Old Of last year", "Archived", "EU", "0"],
        ]


def test_a_project_is_made_changed_and_taken_back(team: Team) -> None:
    path = made(team, "  First  ", region="global")
    assert projects(team)["First"] == ("", "global", False)
    taken = team.owner.post(f"{page_of(team)}new/", {"name": "FIRST"})
    assert taken.status_code == 409
    assert "A project of that name exists already" in words(taken)
    hostile = "<img src=x onerror=alert(1)>{{7*7}}\u202e"
    body = {"name": hostile, "description": hostile}
    assert team.owner.post(f"{path}edit/", body).status_code == 302
    assert projects(team)[hostile] == (hostile, "global", False)
    for shown in (page_of(team), f"{path}edit/", f"{path}delete/"):
        page = team.owner.get(shown)
        assert "<img src=x" not in page.text
        assert "{{7*7}}" in html.unescape(page.text)
    for wrong in ({"name": ""}, {"name": "x" * 101}, {"name": "a\0b"}, {"description": "x" * 2001}):
        answer = team.owner.post(f"{path}edit/", {**body, **wrong})
        assert answer.status_code == 422, wrong
    assert set(projects(team)) == {"Default", hostile}
    team.owner.post(f"{path}archive/", {"to": "archive"}, page=page_of(team))
    assert projects(team)[hostile][2]
    team.owner.post(f"{path}archive/", {"to": "use"}, page=page_of(team))
    assert not projects(team)[hostile][2]


def test_a_project_with_live_keys_stays_in_use_and_so_does_the_default(team: Team) -> None:
    busy = made(team, "Busy")
    filled(team, busy)
    default = f"{page_of(team)}{team.project}/"
    for path, said in ((busy, "has live keys"), (default, "default project cannot be archived")):
        answer = team.owner.post(
            f"{path}archive/", {"to": "archive"}, page=page_of(team), follow_redirects=True
        )
        assert said in words(answer)
    assert not any(away for _, _, away in projects(team).values())
    gone = team.owner.get(f"{default}delete/", follow_redirects=True)
    assert "The default project cannot be deleted" in words(gone)


@pytest.mark.parametrize("erase", [False, True])
def test_a_project_is_deleted_with_a_preview_a_typed_name_and_a_receipt(
    team: Team, erase: bool
) -> None:
    path = made(team, "Going")
    api = filled(team, path)
    ((held,),) = counted(team, path)
    shown = words(team.owner.get(f"{path}delete/"))
    assert f"Memories 2 Facts {held} Declared names 0 Live keys 1" in shown
    choice = "erase" if erase else "move"
    for wrong in ({"name": "going"}, {"name": ""}, {"contents": "neither"}, {"contents": ""}):
        body = {"name": "Going", "contents": choice, **wrong}
        assert team.owner.post(f"{path}delete/", body).status_code == 422, wrong
    assert set(projects(team)) == {"Default", "Going"}
    done = team.owner.post(f"{path}delete/", {"name": "Going", "contents": choice})
    assert done.headers["location"] == "/dashboard/receipt/"
    verb = "erased" if erase else "moved"
    receipt = team.owner.text("/dashboard/receipt/")
    assert f"Memories {verb} 2 Facts {verb} {held} Keys moved 2" in receipt
    assert set(projects(team)) == {"Default"}
    left = ok(api.get("/v1/memories", user_id="u"))["total"]
    assert left == (0 if erase else 2)
    assert team.owner.get(f"{path}delete/").status_code == 404
    (event,) = rows(
        team.house,
        "SELECT id, meta::jsonb ? 'person' FROM billing_auditevent"
        " WHERE action = 'project_delete' AND project_id = %s",
        team.project,
    )
    assert f"aud_{event[0].hex}" in receipt
    assert event[1]


def test_a_name_of_two_lines_can_be_typed_into_one(team: Team) -> None:
    path = made(team, "Two")
    with psycopg.connect(team.house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE accounts_project SET name = E'Two\\nlines' WHERE id = %s",
            [path.rstrip("/").rpartition("/")[2]],
        )
    done = team.owner.post(f"{path}delete/", {"name": "Two lines", "contents": "erase"})
    assert done.headers["location"] == "/dashboard/receipt/"
    assert set(projects(team)) == {"Default"}


def test_members_and_strangers_change_no_project(house: Stack, team: Team) -> None:
    path = made(team, "Theirs")
    before = projects(team)
    stranger = settled(house, unique("Stranger"))
    listed = team.member.get(page_of(team)).text
    for act in ("new/", "edit/", "archive/", "delete/"):
        assert f'{act}"' not in listed
        where = f"{page_of(team)}new/" if act == "new/" else f"{path}{act}"
        body = {"name": "Mine", "to": "archive", "contents": "erase"}
        assert team.member.post(where, body, page=TOKEN).status_code == 403, act
        assert stranger.post(where, body, page=TOKEN).status_code == 404, act
    assert stranger.get(page_of(team)).status_code == 404
    own = rows(
        house,
        "SELECT m.organisation_id FROM accounts_membership m"
        " JOIN accounts_person p ON p.id = m.person_id WHERE p.email = %s",
        stranger.email,
    )[0][0]
    foreign = path.replace(team.organisation, str(own))
    for act in ("edit/", "archive/", "delete/"):
        assert stranger.post(f"{foreign}{act}", {"name": "x"}, page=TOKEN).status_code == 404
    assert projects(team) == before
    denied = rows(
        house,
        "SELECT count(*) FROM billing_auditevent WHERE project_id = %s AND result = 'denied'",
        team.project,
    )
    assert denied == [(4,)]


def counted(team: Team, path: str) -> list[tuple[int]]:
    """How many facts a project's rows are."""
    return rows(
        team.house,
        "SELECT count(*) FROM facts_fact WHERE project_id = %s",
        path.rstrip("/").rpartition("/")[2],
    )


def rows_of(text: str) -> list[list[str]]:
    """The cells of a page's table, as words."""
    body = text.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in re.split(r"</t[hd]>", row)]
        for row in body.split("</tr>")[:-1]
    ]
