"""An organisation with people in it, each in a browser of their own."""

from __future__ import annotations

import uuid

import httpx
import psycopg

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor, path_in, settled


def team_page(organisation: str) -> str:
    return f"/dashboard/o/{organisation}/team/"


class Team:
    """An owner, an admin and a member."""

    def __init__(
        self, house: Stack, name: str, owner: Visitor, admin: Visitor, member: Visitor
    ) -> None:
        self.house, self.name = house, name
        self.owner, self.admin, self.member = owner, admin, member

    @classmethod
    def gathered(cls, house: Stack) -> Team:
        """Signed up and invited, by the pages alone."""
        name = unique("Team")
        owner = settled(house, name)
        return cls(house, name, owner, joined(owner, "admin"), joined(owner, "member"))

    def again(self) -> Team:
        """The same people in a fresh organisation, for a test that changes it for good."""
        name, organisation = unique("Team"), uuid.uuid4()
        with psycopg.connect(self.house.env["DATABASE_URL"]) as connection:
            connection.execute(
                "INSERT INTO accounts_organisation (id, name, plan_id, created_at)"
                " VALUES (%s, %s, 'hobby', now())",
                [organisation, name],
            )
            connection.execute(
                "INSERT INTO accounts_project (id, organisation_id, name, description, is_default,"
                " created_at) VALUES (%s, %s, 'Default', '', true, now())",
                [uuid.uuid4(), organisation],
            )
            for role in ("owner", "admin", "member"):
                connection.execute(
                    "INSERT INTO accounts_membership (id, organisation_id, person_id, role,"
                    " created_at) SELECT %s, %s, id, %s, now() FROM accounts_person"
                    " WHERE email = %s",
                    [uuid.uuid4(), organisation, role, getattr(self, role).email],
                )
        return Team(self.house, name, self.owner, self.admin, self.member)

    @property
    def organisation(self) -> str:
        query = "SELECT id FROM accounts_organisation WHERE name = %s"
        ((found,),) = rows(self.house, query, self.name)
        return str(found)

    @property
    def page(self) -> str:
        return team_page(self.organisation)

    @property
    def project(self) -> str:
        """The default project's id."""
        query = "SELECT id FROM accounts_project WHERE organisation_id = %s AND is_default"
        ((found,),) = rows(self.house, query, self.organisation)
        return str(found)

    def roles(self) -> dict[str, str]:
        found = rows(
            self.house,
            "SELECT p.email, m.role FROM accounts_membership m"
            " JOIN accounts_person p ON p.id = m.person_id WHERE m.organisation_id = %s",
            self.organisation,
        )
        return dict(found)

    def membership(self, person: Visitor) -> str:
        ((found,),) = rows(
            self.house,
            "SELECT m.id FROM accounts_membership m JOIN accounts_person p ON p.id = m.person_id"
            " WHERE m.organisation_id = %s AND p.email = %s",
            self.organisation,
            person.email,
        )
        return str(found)

    def open_invitations(self) -> list[tuple[str, str]]:
        found = rows(
            self.house,
            "SELECT email, role FROM accounts_invitation WHERE organisation_id = %s"
            " AND accepted_at IS NULL AND revoked_at IS NULL ORDER BY email",
            self.organisation,
        )
        return [(email, role) for email, role in found]

    def send(self, by: Visitor, path: str, data: dict[str, str] | None = None) -> httpx.Response:
        """A form of the team's page."""
        return by.post(f"{self.page}{path}", data, page="/account/email/")

    def invite(self, by: Visitor, email: str, role: str) -> httpx.Response:
        return self.send(by, "invitations/", {"email": email, "role": role})

    def set_role(self, by: Visitor, whose: Visitor, role: str) -> httpx.Response:
        return self.send(by, f"members/{self.membership(whose)}/role/", {"role": role})

    def remove(self, by: Visitor, whose: Visitor) -> httpx.Response:
        return self.send(by, f"members/{self.membership(whose)}/remove/")


def joined(owner: Visitor, role: str) -> Visitor:
    """Someone who was invited by mail, signed up with the link and accepted."""
    person = Visitor(owner.stack)
    data = {"email": person.email, "role": role}
    page = team_page(organisation_of(owner))
    sent = owner.post(f"{page}invitations/", data, page=page)
    assert sent.headers["location"] == page
    opened = person.get(path_in(person.mail("You are invited")))
    assert opened.headers["location"] == "/dashboard/invitations/"
    assert person.sign_up().status_code == 302
    assert person.confirm().status_code == 302
    assert person.sign_in().headers["location"] == "/dashboard/invitations/"
    accepted = person.post("/dashboard/invitations/")
    assert accepted.headers["location"] == "/dashboard/"
    return person


def organisation_of(person: Visitor) -> str:
    """The id of the only organisation that somebody belongs to."""
    query = (
        "SELECT m.organisation_id FROM accounts_membership m"
        " JOIN accounts_person p ON p.id = m.person_id WHERE p.email = %s"
    )
    ((found,),) = rows(person.stack, query, person.email)
    return str(found)
