"""What a project holds and what the month has left, at a glance."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from benchmarks.dashboard.statements import statements_of
from korely.embedded.stack import Stack
from tests.api_client import Box, ok, unique
from tests.dashboard.overview.start import Start
from tests.dashboard.visitor import Visitor, settled, words

HOSTILE = "<img src=x onerror=alert(1)></script>{{7*7}}\u202egnp"


def test_numbers_are_those_of_the_api_and_no_text_is_shown(start: Start) -> None:
    owner = start.team.owner
    api = start.ring.api(start.ring.made(owner))
    for user, text in (("ines", "I live in Rome."), ("ines", "I moved to Oslo."), ("marco", "Hm.")):
        api.told(text, user)
    gone = api.add("Forget this.", user_id="marco")
    ok(api.delete(f"/v1/memories/{gone['id']}"))
    facts, users = len(api.facts(limit=200)), ok(api.get("/v1/users"))["total"]
    before = start.ring.events()
    page = start.page(owner)
    for said in (
        "Memories 3",
        f"Facts that hold {facts}",
        f"End users {users}",
        "4 of 2,000 writes",
    ):
        assert said in page, said
    memories = ok(api.get("/v1/memories"))["memories"]
    assert [one["id"] for one in memories] == [word for word in page.split() if "mem_" in word]
    for text in ("Rome", "Oslo", "Forget"):
        assert text not in page
    assert start.ring.events() == before


def test_a_spent_month_is_told_with_what_to_do(start: Start) -> None:
    owner = start.team.owner
    api = start.ring.api(start.ring.made(owner))
    api.add("I live in Rome.")
    start.ring.change(
        "UPDATE billing_usage u SET writes = p.writes_per_month, queries = 1"
        " FROM accounts_organisation o JOIN billing_plan p ON p.slug = o.plan_id"
        " WHERE o.id = u.organisation_id AND o.id = %s",
        start.ring.organisation,
    )
    page = owner.get(start.path)
    assert "Spent: calls that need more are refused" in words(page)
    assert 'class="meter bad"' in page.text
    assert words(page).count("Spent") == 1


def test_a_project_of_another_organisation_is_404(house: Stack, start: Start) -> None:
    stranger = settled(house, unique("Stranger"))
    for path in (start.path, f"{start.path}waiting/"):
        page = stranger.get(path)
        assert page.status_code == 404
        assert start.team.name not in page.text
    assert start.make_key(stranger).status_code == 404
    assert start.ring.names() == []
    assert Visitor(house).get(start.path).headers["location"].startswith("/account/login/")


def test_names_and_end_users_are_shown_as_text(start: Start) -> None:
    owner = start.team.owner
    start.ring.change(
        "UPDATE accounts_project SET name = %s, description = %s WHERE id = %s",
        HOSTILE, HOSTILE, start.ring.project,
    )  # fmt: skip
    first = owner.get(start.make_key(owner).headers["location"])
    user = HOSTILE.replace("/", "|")
    start.ring.api(start.ring.made(owner)).add("Here.", user_id=user)
    for page, text in (
        (first, HOSTILE),
        (start.waiting(owner), ""),
        (owner.get(start.path), HOSTILE),
        (owner.get(start.path), user),
    ):
        assert text in words(page)
        assert "<img src=x" not in page.text


@dataclass(frozen=True)
class Looker:
    """A member of the fresh project's organisation, with a client in this process."""

    id: uuid.UUID
    client: Any
    path: str


@pytest.fixture
def looker(fresh: Box) -> Looker:
    from django.test import Client

    from accounts.models import Membership, Person, Project, Role

    project = Project.objects.get(pk=fresh.project["id"][4:])
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(
        organisation_id=project.organisation_id, person=person, role=Role.MEMBER
    )
    client = Client(HTTP_HOST="localhost")
    client.force_login(person, "allauth.account.auth_backends.AuthenticationBackend")
    return Looker(person.id, client, f"/dashboard/p/{project.id}/")


def test_the_page_takes_ten_statements_at_most(fresh: Box, looker: Looker) -> None:
    for _ in ("before its first request", "after it"):
        sent = statements_of(looker.path, looker.id)
        assert len(sent) <= 10, sent
        fresh.api.told("I live in Rome.", "ines")


def test_counts_stop_where_a_glance_needs_no_more(
    fresh: Box, looker: Looker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memories.selectors import holdings

    for user in ("ines", "marco", "olga"):
        fresh.api.told("I live in Rome.", user)
    assert looker.client.get(looker.path).content.decode().count("<dd>3</dd>") == 3
    monkeypatch.setattr(holdings, "MOST_COUNTED", 2)
    monkeypatch.setattr(holdings, "MOST_USERS", 2)
    assert looker.client.get(looker.path).content.decode().count("<dd>2+</dd>") == 3
