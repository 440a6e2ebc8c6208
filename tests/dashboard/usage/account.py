"""An organisation on a plan of its own, with a key that spends it."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg

from tests.api_client import Api, unique
from tests.dashboard.keyring import key_of
from tests.dashboard.team import Team


@dataclass(frozen=True)
class Account:
    """Its people, a read-write key of its default project, its plan."""

    team: Team
    api: Api
    plan: str

    @property
    def page(self) -> str:
        return f"/dashboard/o/{self.team.organisation}/usage/"

    @property
    def requests(self) -> str:
        return f"/dashboard/o/{self.team.organisation}/requests/"

    def execute(self, statement: str, *values: object) -> None:
        with psycopg.connect(self.team.house.env["DATABASE_URL"]) as connection:
            connection.execute(statement, values)


def account_on(gathered: Team, **limits: int | None) -> Account:
    """A fresh organisation of the same people; `limits` by column of the plan."""
    team, plan = gathered.again(), unique("plan")
    columns = ", ".join(["slug", *limits])
    marks = ", ".join(["%s"] * (len(limits) + 1))
    with psycopg.connect(team.house.env["DATABASE_URL"]) as connection:
        connection.execute(
            f"INSERT INTO billing_plan ({columns}) VALUES ({marks})", [plan, *limits.values()]
        )
        connection.execute(
            "UPDATE accounts_organisation SET plan_id = %s WHERE id = %s",
            [plan, team.organisation],
        )
    return Account(team, key_of(team.house, team.organisation, team.project), plan)
