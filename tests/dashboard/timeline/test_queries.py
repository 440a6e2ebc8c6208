"""How often pages of facts ask the database, where an end user has a thousand of them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from benchmarks.dashboard.statements import counted
from korely.embedded.stack import Stack
from tests.api_client import Api, unique

if TYPE_CHECKING:
    from django.test import Client

MOST = 10


@dataclass(frozen=True, slots=True)
class Much:
    client: Client
    base: str
    fact: str  # it was said in a memory, and is over
    among: str  # one of a thousand


@pytest.fixture(scope="module")
def much(stack: Stack) -> Much:
    from django.test import Client

    from accounts import services
    from accounts.models import Membership, Person, Role

    organisation, project = services.create_organisation(name="Many facts", plan="self_hosted")
    made = services.mint_key(organisation_id=organisation.id, project_id=project.id, name="many")
    api = Api(stack.base_url, made.key)
    api.told("I live in Rome.", "ada", timestamp="2020-02-01T09:00:00Z")
    api.told("I moved to Oslo.", "ada", timestamp="2023-03-01T09:00:00Z")
    over = api.facts(user_id="ada", as_of="2021-01-01", predicate="lives_in")[0]["id"]
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    client = Client(HTTP_HOST="localhost")
    client.force_login(person, "allauth.account.auth_backends.AuthenticationBackend")
    return Much(client, f"/dashboard/p/{project.id}/facts/", over, fill(project.id))


def fill(project: uuid.UUID) -> str:
    """A thousand facts of an end user, of 100 subjects; the id of one of them."""
    from facts.models import Fact
    from korely.kernel.clock import now
    from korely.kernel.tenancy import project_scope

    rows = [
        Fact(
            project_id=project,
            user_id="ada",
            subject=f"Thing {number // 10}",
            subject_key=f"thing {number // 10}",
            predicate=f"has_{number % 5}",
            predicate_raw="has",
            predicate_family="other",
            object=f"value {number}",
            object_key=f"value {number}",
            object_text_key=f"value {number}",
            valid_from=now(),
        )
        for number in range(1_000)
    ]
    with project_scope(project):
        Fact.objects.bulk_create(rows)
    return rows[500].id.hex


@pytest.mark.parametrize(
    "path",
    [
        "",
        "?user=ada",
        "?user=ada&as_of=2021-06-01&known_as_of=2091-01-01&show=current",
        "?user=ada&subject=Thing+7&predicate=has_2",
        "?user=ada&after={among}",
        "?user=ada&group={among}",
        "{fact}/",
        "{fact}/correct/",
        "{fact}/forget/",
        "new/?user=ada",
    ],
)
def test_a_page_asks_at_most_ten_times(much: Much, path: str) -> None:
    asked = much.base + path.format(fact=much.fact, among=much.among)
    much.client.get(asked)  # the session remembers where it is
    with counted() as sent:
        answer = much.client.get(asked)
    assert answer.status_code == 200
    assert len(sent) <= MOST, [one[:90] for one in sent]
