"""How often a page asks the database, where there is much to show."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique

MOST = 9  # and one more, prepared past Django's cursors, for what the account may use


@pytest.fixture(scope="module")
def much(stack: Stack) -> Any:
    """An organisation with 1,000 keys, 30,000 rows of days, 20,000 requests; its owner's client."""
    from django.test import Client

    from accounts import services
    from accounts.models import Membership, Person, Role

    organisation, project = services.create_organisation(name="Much", plan="scale")
    with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
        values = {"organisation": organisation.id, "project": project.id}
        connection.execute(
            "INSERT INTO accounts_apikey (id, organisation_id, project_id, name, prefix, lookup,"
            " digest, pepper, last_four, scopes, created_at)"
            " SELECT gen_random_uuid(), %(organisation)s, %(project)s, 'key ' || n, 'kor_self_',"
            " lpad(to_hex(n), 8, 'f'), ''::bytea, 1, lpad(n::text, 4, '0'),"
            " ARRAY['memories:read'], now() FROM generate_series(1, 1000) n",
            values,
        )
        connection.execute(
            "INSERT INTO billing_usageday (id, organisation_id, day, project_id, key_id, writes,"
            " queries) SELECT gen_random_uuid(), k.organisation_id,"
            " date_trunc('month', now())::date + n, k.project_id, k.id, 1, 2"
            " FROM accounts_apikey k, generate_series(0, 27) n"
            " WHERE k.organisation_id = %(organisation)s",
            values,
        )
        connection.execute(
            "INSERT INTO billing_requestentry (id, organisation_id, project_id, key_id, at, method,"
            " route, status, ms, request_id, client) SELECT gen_random_uuid(), k.organisation_id,"
            " k.project_id, k.id, now() - n * interval '1 minute', 'GET', '/v1/facts', 429, 3,"
            " 'r' || n, '' FROM accounts_apikey k, generate_series(1, 20) n"
            " WHERE k.organisation_id = %(organisation)s",
            values,
        )
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    client = Client(headers={"host": "localhost"})
    client.force_login(person)
    return client, f"/dashboard/o/{organisation.id}"


@pytest.mark.parametrize(
    "path",
    [
        "usage/",
        "usage/?key=key+7",
        "usage/?key=key",
        "usage/limits/",
        "usage/plan/",
        "usage/export.csv",
        "requests/",
        "requests/?status=4&since=all",
        "requests/?request=r7",
        "requests/?key=key+7",
        "requests/?key=key",
    ],
)
def test_a_page_asks_at_most_ten_times(much: Any, path: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, base = much
    client.get(f"{base}/{path}")  # the session remembers where it is
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(f"{base}/{path}")
    assert answer.status_code == 200
    assert len(asked) <= MOST, [one["sql"][:90] for one in asked.captured_queries]


@pytest.mark.parametrize("path", ["usage/", "requests/", "usage/?key=key", "requests/?key=key"])
def test_of_a_thousand_keys_a_page_names_those_it_shows(much: Any, path: str) -> None:
    client, base = much
    page = client.get(f"{base}/{path}").content.decode()
    assert len(set(re.findall(r"\bkey \d+\b", page))) <= 50
