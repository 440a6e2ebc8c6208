"""What the playground says when the API would refuse: one next step, and what was typed stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from korely.embedding import Turns
from tests.api_client import unique
from tests.dashboard.playground.ground import Ground

TYPED = {
    "add": {"content": "I live in Rome."},
    "search": {"query": "Where do they live?"},
    "context": {"query": "Where do they live?"},
}
AGAIN = "Send it again: what you typed is still here."
WAIT = "Wait, then send it again: what you typed is still here."
panels = pytest.mark.parametrize("panel", list(TYPED))


def notice(page: str) -> tuple[str, list[str]]:
    """What the one refusal on a page says, and the steps it offers."""
    (found,) = re.findall(r'<div class="notice bad" role="alert">(.*?)</div>', page, re.S)
    said, *steps = re.findall(r"<(?:p|a)[^>]*>(.*?)</(?:p|a)>", found, re.S)
    return said, steps


@pytest.fixture(scope="module")
def hurried(house: Stack) -> Ground:
    """An account that may make one call a day, and has made it."""
    found, plan = Ground(house), unique("plan")
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute("INSERT INTO billing_plan (slug, per_day) VALUES (%s, 1)", [plan])
        connection.execute(
            "UPDATE accounts_organisation SET plan_id = %s WHERE id = %s",
            [plan, found.organisation],
        )
    assert found.send("context", query="Anything?").status_code == 200
    return found


@panels
def test_past_the_rate_limit_the_wait_is_told_and_nothing_is_done(
    hurried: Ground, panel: str
) -> None:
    before = hurried.used(), hurried.events()
    page = hurried.send(panel, **TYPED[panel])
    assert page.status_code == 429
    said, steps = notice(page.text)
    assert re.fullmatch(r"Rate limit of 1 requests per day exceeded; retry in \d+ seconds?", said)
    assert steps == [WAIT]
    assert next(iter(TYPED[panel].values())) in page.text
    assert (hurried.used(), hurried.events()) == before


def test_htmx_is_shown_the_refusal_in_the_panel(hurried: Ground) -> None:
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', hurried.owner.get(hurried.page).text)
    assert token
    fields = {**TYPED["search"], "csrfmiddlewaretoken": token.group(1)}
    path, headers = f"{hurried.page}search/", {"HX-Request": "true"}
    part = hurried.owner.http.post(path, data=fields, headers=headers)
    assert part.status_code == 200  # htmx shows no other answer
    assert "<html" not in part.text
    assert notice(part.text)[1] == [WAIT]


@dataclass(frozen=True)
class Within:
    """An owner's client in this process, the address of their playground, their organisation."""

    client: Any
    page: str
    organisation: Any

    def send(self, panel: str) -> Any:
        return self.client.post(f"{self.page}{panel}/", TYPED[panel])

    def used(self) -> tuple[int, int]:
        from billing.models import Usage

        rows = Usage.objects.filter(organisation_id=self.organisation)
        return sum(row.writes for row in rows), sum(row.queries for row in rows)


@pytest.fixture(scope="module")
def within(stack: Stack) -> Within:
    from django.test import Client

    from accounts import services
    from accounts.models import Membership, Person, Role

    organisation, project = services.create_organisation(name=unique("o"), plan="hobby")
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    client = Client(headers={"host": "localhost"})
    client.force_login(person, "allauth.account.auth_backends.AuthenticationBackend")
    return Within(client, f"/dashboard/p/{project.id}/playground/", organisation.id)


@pytest.fixture
def busy(within: Within, monkeypatch: pytest.MonkeyPatch) -> Iterator[Within]:
    """The account's turn at the model is taken by another of its texts."""
    from memories import vectors

    turns = Turns(1, seconds=0.1)
    monkeypatch.setattr(vectors, "_turns", turns)
    with turns.take(within.organisation):
        yield within


@pytest.mark.parametrize(
    ("panel", "message"),
    [
        ("add", "The text could not be embedded; nothing was stored. Retry"),
        ("search", "The query could not be embedded; nothing was counted. Retry"),
    ],
)
def test_while_the_model_is_busy_the_form_is_to_be_sent_again_and_nothing_is_counted(
    busy: Within, panel: str, message: str
) -> None:
    before = busy.used()
    answer = busy.send(panel)
    assert answer.status_code == 503
    page = answer.content.decode()
    assert notice(page) == (message, [AGAIN])
    assert next(iter(TYPED[panel].values())) in page
    assert busy.used() == before


def test_while_the_model_is_busy_a_context_is_what_is_newest_and_says_so(busy: Within) -> None:
    answer = busy.send("context")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "could not be compared by meaning just now" in page
    assert "Ask again." in page


@pytest.mark.parametrize("panel", ["add", "search"])
def test_while_the_service_is_paused_its_operator_is_to_be_asked(
    within: Within, panel: str
) -> None:
    from django.test import override_settings

    with override_settings(KORELY_PAUSED=True):
        answer = within.send(panel)
    assert answer.status_code == 503
    assert notice(answer.content.decode()) == (
        "The service is paused by its operator",
        ["Ask whoever runs this server when it goes on."],
    )
