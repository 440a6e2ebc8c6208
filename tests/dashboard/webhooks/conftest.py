"""An install of its own that delivers to loopback, gives up quickly, and lets people sign up."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique, wait_for
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, settled


@pytest.fixture(scope="session")
def house() -> Iterator[Stack]:
    env = {
        "RATE_LIMIT_PER_MINUTE": "0",
        "KORELY_SIGNUP": "1",
        "KORELY_TRUSTED_PROXIES": "127.0.0.1",
        "KORELY_WEBHOOK_ALLOW_PRIVATE": "1",
        "WEBHOOK_RETRY_SECONDS": "0.2,0.2",
        "WEBHOOK_BREAKER_FAILURES": "100",
        "WORK_SWEEP_SECONDS": "0.5",
    }
    with Stack.temporary(env=env) as running:
        yield running


@pytest.fixture(scope="session")
def gathered(house: Stack) -> Team:
    return Team.gathered(house)


class Desk:
    """Somebody at the webhooks' pages of an organisation."""

    def __init__(self, person: Visitor, organisation: str, project: str) -> None:
        self.person, self.organisation, self.project = person, organisation, project

    @property
    def path(self) -> str:
        return f"/dashboard/o/{self.organisation}/webhooks/"

    def add(self, url: str, **more: Any) -> httpx.Response:
        body = {"url": url, "events": ["*"], **more}
        return self.person.post(f"{self.path}new/", body)

    def added(self, url: str, **more: Any) -> str:
        """The page of a new webhook."""
        answer = self.add(url, **more)
        assert answer.status_code == 200, answer.text
        found = re.search(rf'href="({self.path}[0-9a-f-]+/)"', answer.text)
        assert found
        return found.group(1)

    def tested(self, webhook: str) -> str:
        """The page of a test event's delivery."""
        sent = self.person.post(f"{webhook}test/", page=webhook)
        assert sent.status_code == 302, sent.text
        return str(sent.headers["location"])

    def became(self, delivery: str, word: str) -> str:
        """The part of a delivery's page that turns by itself, once it says so."""

        def says() -> str | None:
            text = self.person.get(f"{delivery}state/").text
            return text if f">{word}<" in text else None

        return wait_for(f"{word!r} at {delivery}", says) or ""


@pytest.fixture
def desk(house: Stack) -> Desk:
    """An owner of a fresh organisation."""
    name = unique("Hooks")
    person = settled(house, name)
    ((organisation, project),) = rows(
        house,
        "SELECT o.id, p.id FROM accounts_organisation o JOIN accounts_project p"
        " ON p.organisation_id = o.id WHERE o.name = %s",
        name,
    )
    return Desk(person, str(organisation), str(project))


@pytest.fixture
def another_project(house: Stack, desk: Desk) -> str:
    found = uuid.uuid4()
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO accounts_project (id, organisation_id, name, description, is_default,"
            " created_at) VALUES (%s, %s, 'Second', '', false, now())",
            [found, desk.organisation],
        )
    return str(found)
