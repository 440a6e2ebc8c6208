"""Other plans that owners ask for: an operator grants or declines them."""

from __future__ import annotations

from typing import Any

from korely.embedded.stack import Stack
from tests.dashboard.operators.ground import default_of, events, person_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

PAGE = "/ops/billing/planrequest/"


def asked(house: Stack, team: Team, plan: str) -> str:
    path = f"/dashboard/o/{team.organisation}/usage/plan/"
    note = "<b>More</b> of it"
    assert team.owner.post(path, {"plan": plan, "note": note}).status_code == 302
    query = "SELECT id FROM billing_planrequest WHERE organisation_id = %s AND state = 'open'"
    ((found,),) = rows(house, query, team.organisation)
    return str(found)


def standing(house: Stack, team: Team) -> tuple[Any, ...]:
    """The organisation's plan and the states of its wishes, oldest first."""
    query = (
        "SELECT o.plan_id, array_agg(r.state ORDER BY r.created_at) FROM accounts_organisation o"
        " JOIN billing_planrequest r ON r.organisation_id = o.id WHERE o.id = %s GROUP BY 1"
    )
    return rows(house, query, team.organisation)[0]


def answer(operator: Visitor, action: str, *wishes: str) -> str:
    form: Any = {"action": action, "_selected_action": list(wishes)}
    done = operator.post(PAGE, form, follow_redirects=True)
    assert done.status_code == 200
    return words(done)


def test_a_wish_is_granted_once_and_the_account_is_on_the_plan(
    house: Stack, gathered: Team, operator: Visitor
) -> None:
    team = gathered.again()
    wish = asked(house, team, "team")
    assert "<b>More</b> of it" in operator.text(PAGE)
    assert "Granted: 1." in answer(operator, "grant", wish)
    assert standing(house, team) == ("team", ["done"])
    (event,) = events(house, default_of(house, team.organisation), "plan_change")
    assert (event["actor"], event["meta"]["person"]) == ("manage", person_of(operator))
    assert "Answered or withdrawn already: 1." in answer(operator, "decline", wish)
    assert standing(house, team) == ("team", ["done"])
    told = team.member.text(f"/dashboard/o/{team.organisation}/usage/plan/")
    assert "team Granted" in told


def test_a_wish_is_declined_and_the_plan_stays(
    house: Stack, gathered: Team, operator: Visitor
) -> None:
    team = gathered.again()
    wish = asked(house, team, "scale")
    assert "Declined: 1." in answer(operator, "decline", wish)
    assert standing(house, team) == ("hobby", ["declined"])
    assert "Granted: 0." in answer(operator, "grant", wish)
    assert standing(house, team) == ("hobby", ["declined"])
    asked(house, team, "team")  # another wish can be made
    assert standing(house, team) == ("hobby", ["declined", "open"])


def test_who_is_no_operator_answers_nothing(house: Stack, gathered: Team) -> None:
    team = gathered.again()
    wish = asked(house, team, "scale")
    form: Any = {"action": "grant", "_selected_action": [wish]}
    refused = team.owner.post(PAGE, form, page="/account/email/")
    assert refused.status_code in (302, 404)
    assert standing(house, team) == ("hobby", ["open"])
