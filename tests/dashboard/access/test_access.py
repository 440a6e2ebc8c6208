"""An organisation's owners and admins read what operators looked at, and why."""

from __future__ import annotations

import uuid

import psycopg

from korely.embedded.stack import Stack
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

HOSTILE = '<img onerror="x"> </script> {{ 7*7 }} \u202egnp'


def noted(house: Stack, team: Team, count: int) -> None:
    """Reveals with a reason each, the first a day ago, and a visit after them."""
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        for number in range(count):
            connection.execute(
                "INSERT INTO accounts_operatoract (id, kind, organisation_id, target, reason,"
                " created_at) VALUES (%s, 'reveal', %s, %s, %s, now() - interval '1 day'"
                " + %s * interval '1 minute')",
                [uuid.uuid4(), team.organisation, f"mem_{number:032x}", HOSTILE, number],
            )
        connection.execute(
            "INSERT INTO accounts_operatoract (id, kind, organisation_id, target, reason,"
            " created_at, ends_at) VALUES (%s, 'visit', %s, '', 'They asked us to.', now(),"
            " now() + interval '30 minutes')",
            [uuid.uuid4(), team.organisation],
        )


def test_owners_and_admins_read_reasons_newest_first_a_page_at_a_time(
    house: Stack, gathered: Team
) -> None:
    team = gathered.again()
    path = f"/dashboard/o/{team.organisation}/access/"
    assert "No operator has looked" in team.owner.text(path)
    noted(house, team, 60)
    for person in (team.owner, team.admin):
        page = person.get(path)
        assert page.status_code == 200
        shown = words(page)
        assert "<img" not in page.text
        assert HOSTILE in shown
        assert shown.index("They asked us to.") < shown.index(f"mem_{59:032x}")
        assert shown.count("Saw the text of") == 49
        assert "Operator access" in words(person.get(f"/dashboard/o/{team.organisation}/team/"))
    older = page.text.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0]
    assert words(team.owner.get(path + older)).count("Saw the text of") == 11


def test_members_and_others_do_not(house: Stack, gathered: Team, visitor: Visitor) -> None:
    team, other = gathered.again(), gathered.again()
    noted(house, team, 1)
    path = f"/dashboard/o/{team.organisation}/access/"
    refused = team.member.get(path)
    assert refused.status_code == 403
    assert "They asked us to." not in refused.text
    assert "Operator access" not in words(
        team.member.get(f"/dashboard/o/{team.organisation}/team/")
    )
    assert visitor.get(path).status_code == 302
    assert other.owner.get(f"/dashboard/o/{uuid.uuid4()}/access/").status_code == 404
