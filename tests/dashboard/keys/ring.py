"""The keys of one organisation, through its pages."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg

from korely.embedded.stack import Stack
from tests.api_client import Api, unique
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor

_SECRET = re.compile(r'id="secret"[^>]* value="(kor_self_[0-9a-f]{32})"')


@dataclass(frozen=True)
class Made:
    """A key that a form made: its id, its secret, and the page that showed it."""

    id: str
    key: str
    page: httpx.Response


class Ring:
    """`path` is the list's address; forms are those of its pages."""

    def __init__(self, house: Stack, organisation: str, project: str) -> None:
        self.house, self.organisation, self.project = house, organisation, project
        self.path = f"/dashboard/o/{organisation}/keys/"

    def form(self, **fields: str) -> dict[str, str]:
        usual = {
            "preset": "agent",
            "name": unique("key"),
            "project": uuid.UUID(self.project).hex,
            "users": "",
            "expires": "never",
            "days": "",
        }
        return {**usual, **fields}

    def send(self, by: Visitor, **fields: Any) -> httpx.Response:
        """The form of a new key."""
        return by.post(f"{self.path}new/", self.form(**fields), page="/account/email/")

    def made(self, by: Visitor, **fields: Any) -> Made:
        sent = self.send(by, **fields)
        assert sent.status_code == 302, sent.text
        return self.shown(by, sent)

    def shown(self, by: Visitor, sent: httpx.Response) -> Made:
        """What the page behind a redirect shows of a new key."""
        where = re.fullmatch(rf"{self.path}([0-9a-f-]+)/secret/", sent.headers["location"])
        assert where, sent.headers
        page = by.get(sent.headers["location"])
        found = _SECRET.search(page.text)
        assert found, page.text
        return Made(where.group(1), found.group(1), page)

    def act(self, by: Visitor, key_id: str, act: str, **fields: str) -> httpx.Response:
        return by.post(f"{self.path}{key_id}/{act}/", fields, page="/account/email/")

    def api(self, made: Made) -> Api:
        return Api(self.house.base_url, made.key)

    def key(self, key_id: str) -> dict[str, Any]:
        columns = (
            *("name", "scopes", "users", "project_id", "created_by", "expires_at"),
            *("revoked_at", "revoked_reason", "replaced_by"),
        )
        query = f"SELECT {', '.join(columns)} FROM accounts_apikey WHERE id = %s"
        (found,) = rows(self.house, query, key_id)
        return dict(zip(columns, found, strict=True))

    def names(self) -> list[str]:
        """Of all keys of the organisation, oldest first."""
        query = (
            "SELECT name FROM accounts_apikey WHERE organisation_id = %s ORDER BY created_at, id"
        )
        return [name for (name,) in rows(self.house, query, self.organisation)]

    def everything(self) -> list[tuple[Any, ...]]:
        """Every key of the organisation with all there is of it, for "nothing changed"."""
        query = "SELECT k::text FROM accounts_apikey k WHERE organisation_id = %s ORDER BY id"
        return rows(self.house, query, self.organisation)

    def events(self, key_id: str | None = None) -> list[tuple[str, str, dict[str, Any]]]:
        """Action, result and meta of the organisation's events about keys, oldest first."""
        query = (
            "SELECT e.action, e.result, e.meta::jsonb, e.target_id FROM billing_auditevent e"
            " JOIN accounts_project p ON p.id = e.project_id WHERE p.organisation_id = %s"
            " AND e.actor = 'dashboard' AND e.action NOT LIKE 'member%%' ORDER BY e.ts, e.id"
        )
        target = None if key_id is None else f"key_{uuid.UUID(key_id).hex}"
        return [
            (action, result, meta)
            for action, result, meta, about in rows(self.house, query, self.organisation)
            if target in (None, about)
        ]

    def change(self, statement: str, *values: Any) -> None:
        """As if time had passed: the database changed past the pages."""
        with psycopg.connect(self.house.env["DATABASE_URL"]) as connection:
            connection.execute(statement, values)

    def another_project(self, name: str, *, archived: bool = False) -> str:
        project = str(uuid.uuid4())
        self.change(
            "INSERT INTO accounts_project (id, organisation_id, name, description, is_default,"
            " created_at, archived_at) VALUES (%s, %s, %s, '', false, now(),"
            " CASE WHEN %s THEN now() END)",
            project, self.organisation, name, archived,
        )  # fmt: skip
        return project


def person_id(house: Stack, person: Visitor) -> uuid.UUID:
    ((found,),) = rows(house, "SELECT id FROM accounts_person WHERE email = %s", person.email)
    return found
