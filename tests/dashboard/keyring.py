"""A key of an organisation that people signed up for, made past its pages."""

from __future__ import annotations

import psycopg

from korely.embedded.stack import Stack
from korely.kernel import ids
from tests.api_client import Api, ok, unique


def key_of(house: Stack, organisation: str, project: str, *scopes: str) -> Api:
    """A live key in that project: one of the install's own account, handed over."""
    boot = Api(house.base_url, house.key)
    body = {"name": unique("handed"), **({"scopes": list(scopes)} if scopes else {})}
    made = ok(boot.post("/admin/keys", body), 201)
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE accounts_apikey SET organisation_id = %s, project_id = %s WHERE id = %s",
            [organisation, project, ids.parse(ids.KEY, made["id"])],
        )
    return Api(house.base_url, made["key"])
