"""A thousand keys: a page at a time, and as few statements as for one."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from benchmarks.dashboard.statements import statements_of
from korely.embedded.stack import Stack
from tests.api_client import unique

KEYS, PAGE = 1_000, 50
_NAME = re.compile(r"<bdi>(key-[0-9]{4})</bdi>")
_LINK = re.compile(r'href="(\?[^"]*)" rel="(next|prev)"')


@dataclass(frozen=True)
class Owner:
    """Somebody with a client in this process, the address of their keys, and one of these."""

    id: uuid.UUID
    client: Any
    path: str
    key: uuid.UUID


@pytest.fixture(scope="module")
def owner(stack: Stack) -> Owner:
    from django.test import Client

    from accounts import services
    from accounts.models import ApiKey, Membership, Person, Role

    organisation, project = services.create_organisation(name=unique("o"), plan="self_hosted")
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    place = {"organisation": organisation, "project": project, "created_by": person.id}
    blank = {"prefix": "kor_self_", "lookup": "0" * 8, "digest": b"", "pepper": 1}
    rows = [
        ApiKey(
            name=f"key-{number:04}", last_four=f"{number:04}", scopes=["admin"], **place, **blank
        )
        for number in range(KEYS)
    ]
    ApiKey.objects.bulk_create(rows)
    client = Client(HTTP_HOST="localhost")
    client.force_login(person, "allauth.account.auth_backends.AuthenticationBackend")
    return Owner(person.id, client, f"/dashboard/o/{organisation.id}/keys/", rows[0].id)


def shown(client: Any, path: str) -> tuple[list[str], dict[str, str]]:
    """The names on a page, and the addresses of the pages on either side."""
    page = client.get(path)
    assert page.status_code == 200
    text = page.content.decode()
    links = {rel: href.replace("&amp;", "&") for href, rel in _LINK.findall(text)}
    return _NAME.findall(text.partition("<table")[2]), links


def test_pages_lead_through_all_keys_and_back(owner: Owner) -> None:
    client, path = owner.client, owner.path
    expected = [f"key-{number:04}" for number in reversed(range(KEYS))]
    seen, links = shown(client, path)
    assert "prev" not in links
    for start in range(PAGE, KEYS, PAGE):
        names, links = shown(client, path + links["next"])
        assert names == expected[start : start + PAGE]
        seen += names
    assert seen == expected
    assert "next" not in links
    names, _ = shown(client, path + links["prev"])
    assert names == expected[-2 * PAGE : -PAGE]
    narrowed, links = shown(client, f"{path}?text=key-09")
    assert narrowed == [name for name in expected if name.startswith("key-09")][:PAGE]
    assert "text=key-09" in links["next"]


@pytest.mark.parametrize("query", ["", "?text=key-09&state=live&scope=admin"])
def test_a_page_of_a_thousand_keys_takes_ten_statements_at_most(owner: Owner, query: str) -> None:
    names, _ = shown(owner.client, owner.path + query)
    assert len(names) == PAGE
    sent = statements_of(owner.path + query, owner.id)
    assert len(sent) <= 10, sent


def test_one_key_takes_ten_statements_at_most(owner: Owner) -> None:
    sent = statements_of(f"{owner.path}{owner.key}/", owner.id)
    assert len(sent) <= 10, sent
