"""The operators' site: who gets in, what they see and change, and that it is audited."""

from __future__ import annotations

import re
import uuid

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, unique
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, settled, words
from tests.operations import manage

LISTS = [
    *("accounts/organisation", "accounts/project", "accounts/apikey", "accounts/person"),
    *("accounts/membership", "billing/plan", "billing/usage"),
]


@pytest.fixture(scope="module")
def operator(house: Stack) -> Visitor:
    """Staff with a second factor."""
    person = settled(house, unique("Operations"))
    assert "second factor" in manage(house, "make_operator", person.email.upper())
    # Without one they are sent to set it up, and see nothing before.
    sent = person.get("/ops/accounts/person/", follow_redirects=True)
    assert str(sent.url).partition("?")[0].endswith("/account/reauthenticate/")
    person.set_up_second_factor()
    return person


def test_nobody_else_gets_in(house: Stack, gathered: Team, operator: Visitor) -> None:
    for path in ("/ops/", "/ops/billing/plan/", "/ops/accounts/apikey/"):
        assert Visitor(house).get(path).status_code == 302
        page = gathered.owner.get(path, follow_redirects=True)
        assert page.status_code == 404
        assert "hobby" not in page.text
    half = Visitor(house, operator.email)
    assert half.sign_in().headers["location"].startswith("/account/2fa/authenticate/")
    assert half.get("/ops/").status_code == 302


def test_an_operator_sees_the_install_and_no_secrets(house: Stack, operator: Visitor) -> None:
    secret = house.key.rpartition("_")[2]
    ((digest, lookup),) = rows(
        house,
        "SELECT encode(digest, 'hex'), lookup FROM accounts_apikey WHERE last_four = %s",
        secret[-4:],
    )
    assert "Korely operations" in operator.text("/ops/")
    for name in LISTS:
        page = operator.get(f"/ops/{name}/")
        assert page.status_code == 200, name
        assert page.headers["cache-control"] == "no-store"
        for found in re.findall(rf'href="(/ops/{name}/[^"?]+/change/)', page.text)[:2]:
            shown = operator.get(found)
            assert shown.status_code == 200, found
            for hidden in (secret, digest, lookup, "pbkdf2"):
                assert hidden not in shown.text, found
    keys = operator.text(f"/ops/accounts/apikey/?q={secret[-4:]}")
    assert f"••••{secret[-4:]}" in keys


@pytest.mark.parametrize("name", ["apikey", "project", "membership"])
def test_what_has_services_of_its_own_is_not_changed_here(
    house: Stack, operator: Visitor, name: str
) -> None:
    ((row,),) = rows(house, f"SELECT id FROM accounts_{name} LIMIT 1")
    before = rows(house, f"SELECT t::text FROM accounts_{name} t WHERE id = %s", row)
    for action in ("change", "delete"):
        path = f"/ops/accounts/{name}/{row}/{action}/"
        answer = operator.post(path, {"post": "yes", "name": "x"}, page="/ops/")
        assert answer.status_code == 403, path
    assert operator.get(f"/ops/accounts/{name}/add/").status_code == 403
    assert rows(house, f"SELECT t::text FROM accounts_{name} t WHERE id = %s", row) == before


def test_another_plan_for_an_organisation_holds_at_once_and_is_audited(
    house: Stack, operator: Visitor
) -> None:
    ((organisation,),) = rows(
        house, "SELECT id FROM accounts_organisation ORDER BY created_at LIMIT 1"
    )
    boot = Api(house.base_url, house.key)
    assert ok(boot.get("/v1/ping"))["tier"] == "self_hosted"
    path = f"/ops/accounts/organisation/{organisation}/change/"
    try:
        assert operator.post(path, {"name": "Korely", "plan": "scale"}).status_code == 302
        assert ok(boot.get("/v1/ping"))["tier"] == "scale"
    finally:
        operator.post(path, {"name": "Renamed", "plan": "self_hosted"})
    found = rows(
        house,
        "SELECT e.action, e.actor FROM billing_auditevent e JOIN accounts_project p"
        " ON p.id = e.project_id WHERE p.organisation_id = %s AND e.actor = 'manage'"
        " AND e.action NOT LIKE 'member%%' ORDER BY e.ts, e.id",
        organisation,
    )
    assert found[-3:] == [
        ("plan_change", "manage"),
        ("plan_change", "manage"),
        ("organisation_update", "manage"),
    ]


def test_a_changed_plan_is_audited(house: Stack, operator: Visitor) -> None:
    path = "/ops/billing/plan/developer/change/"
    form = dict(re.findall(r'name="(\w+)" value="(\d*)"', operator.get(path).text))
    query = "SELECT agents FROM billing_plan WHERE slug = 'developer'"
    assert rows(house, query) == [(10,)]
    try:
        assert operator.post(path, {**form, "agents": "11"}).status_code == 302
        assert rows(house, query) == [(11,)]
        wrong = operator.post(path, {**form, "agents": "-1"})
        assert wrong.status_code == 200
        assert rows(house, query) == [(11,)]
    finally:
        operator.post(path, {**form, "agents": "10"})
    told = rows(
        house,
        "SELECT meta->>'plan', meta ? 'person' FROM billing_auditevent"
        " WHERE action = 'plan_update' AND actor = %s",
        "manage",
    )
    assert told == [("developer", True)] * 2


def test_who_is_made_inactive_is_out_at_once(house: Stack, operator: Visitor) -> None:
    person = settled(house, unique("Inactive"))
    ((row,),) = rows(house, "SELECT id FROM accounts_person WHERE email = %s", person.email)
    path = f"/ops/accounts/person/{row}/change/"
    assert operator.post(path, {"name": "Gone"}).status_code == 302  # neither box is ticked
    assert person.get("/dashboard/").status_code == 302
    back = Visitor(house, person.email).sign_in()
    assert back.headers["location"] == "/account/inactive/"


def test_predicates_of_a_project_are_set_and_removed_on_its_page(
    house: Stack, operator: Visitor, gathered: Team
) -> None:
    box = Box(Api(house.base_url, house.key))
    project = str(uuid.UUID(box.project["id"][4:]))
    path = f"/ops/accounts/project/{project}/predicates/"
    assert path in operator.get(f"/ops/accounts/project/{project}/change/").text
    assert "The built-in table alone." in operator.text(path)
    form = {"name": "badge_level", "family": "work", "single": "on", "synonyms": "rank\n grade \n"}
    assert operator.post(path, form).status_code == 302
    for value in ("gold", "silver"):
        body = {"user_id": "u", "subject": "u", "predicate": "rank", "object": value}
        ok(box.api.post("/v1/facts", body), 201)
    assert [(one["predicate"], one["object"]) for one in box.api.facts()] == [
        ("badge_level", "silver")
    ]
    assert "badge_level work single grade, rank" in operator.text(path)
    shown = operator.get(f"{path}?name=badge_level").text
    assert 'value="badge_level"' in shown
    assert "grade\nrank</textarea>" in shown
    wrong = operator.post(path, {**form, "synonyms": "enjoys"})
    assert wrong.status_code == 200
    assert "one of them means likes already" in words(wrong)
    assert operator.post(f"{path}remove/", {"name": "badge_level"}, page=path).status_code == 302
    assert "The built-in table alone." in operator.text(path)
    told = rows(
        house,
        "SELECT action, actor, ip IS NOT NULL FROM billing_auditevent"
        " WHERE project_id = %s AND actor = 'manage' ORDER BY ts, id",
        project,
    )
    assert told == [("predicate_set", "manage", True), ("predicate_remove", "manage", True)]
    assert operator.get(f"{path}remove/").status_code == 405
    unknown = f"/ops/accounts/project/{uuid.UUID(int=0)}/predicates/"
    assert operator.get(unknown).status_code == 404
    for other in (path, f"{path}remove/"):
        assert Visitor(house).get(other).status_code == 302
        assert gathered.owner.get(other, follow_redirects=True).status_code == 404
