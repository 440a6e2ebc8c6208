"""A person's own login: the name others see, and its end."""

from __future__ import annotations

import html
from functools import partial

import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.concurrency.at_once import at_once
from tests.dashboard.records import rows
from tests.dashboard.team import joined
from tests.dashboard.visitor import Visitor, settled, words
from tests.operations import manage

PROFILE, DELETE = "/account/profile/", "/account/delete/"


@pytest.fixture
def owner(house: Stack) -> Visitor:
    return settled(house, unique("Own"))


def exists(house: Stack, person: Visitor) -> bool:
    return rows(house, "SELECT 1 FROM accounts_person WHERE email = %s", person.email) != []


def test_a_name_is_changed_and_shown_as_text(house: Stack, owner: Visitor) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    sent = owner.post(PROFILE, {"name": hostile})
    assert sent.headers["location"] == PROFILE
    page = owner.get(PROFILE)
    assert "<img src=x" not in page.text
    assert hostile in html.unescape(page.text)
    for wrong in ("x" * 101, "a\0b"):
        assert owner.post(PROFILE, {"name": wrong}).status_code == 422
    query = "SELECT name FROM accounts_person WHERE email = %s"
    assert rows(house, query, owner.email) == [(hostile,)]
    assert owner.post(PROFILE, {"name": ""}).status_code == 302
    assert rows(house, query, owner.email) == [("",)]


def test_a_login_ends_after_the_password_and_the_address_were_given(
    house: Stack, owner: Visitor
) -> None:
    person = joined(owner, "admin")
    asked = person.get(DELETE)
    assert asked.headers["location"].startswith("/account/reauthenticate/")
    early = person.post(DELETE, {"email": person.email}, page=PROFILE)
    assert early.headers["location"] == DELETE
    assert exists(house, person)
    person.set_up_second_factor()
    for wrong in ("", owner.email):
        assert person.post(DELETE, {"email": wrong}).status_code == 422
    elsewhere = Visitor(house, person.email)
    elsewhere.http.cookies.update(person.http.cookies)
    done = person.post(DELETE, {"email": person.email.upper()})
    assert "Your login is deleted" in words(done)
    assert not exists(house, person)
    for browser in (person, elsewhere):
        assert browser.get("/dashboard/").headers["location"].startswith("/account/login/")
    assert "not correct" in words(Visitor(house, person.email).sign_in())
    left = rows(house, "SELECT 1 FROM account_emailaddress WHERE email = %s", person.email)
    assert left == []
    told = rows(
        house,
        "SELECT e.action, e.result FROM billing_auditevent e"
        " JOIN accounts_project p ON p.id = e.project_id"
        " JOIN accounts_membership m ON m.organisation_id = p.organisation_id"
        " JOIN accounts_person a ON a.id = m.person_id WHERE a.email = %s ORDER BY e.ts",
        owner.email,
    )
    assert told[-1] == ("member_remove", "ok")
    # The address is free again.
    assert Visitor(house, person.email).sign_up(unique("Back")).status_code == 302


def test_the_last_owner_and_operators_keep_their_login(house: Stack, owner: Visitor) -> None:
    owner.prove()
    page = owner.get(DELETE)
    assert "You are the last owner of" in words(page)
    refused = owner.post(DELETE, {"email": owner.email}, page=PROFILE)
    assert refused.status_code == 409
    assert exists(house, owner)
    operator = joined(owner, "member")
    manage(house, "make_operator", operator.email)
    operator.prove()
    assert "You operate this installation" in words(operator.get(DELETE))
    assert operator.post(DELETE, {"email": operator.email}, page=PROFILE).status_code == 409
    assert exists(house, operator)


def test_of_two_owners_who_end_their_logins_at_once_one_stays(house: Stack, owner: Visitor) -> None:
    other = joined(owner, "admin")
    ((organisation, membership),) = rows(
        house,
        "SELECT m.organisation_id, m.id FROM accounts_membership m"
        " JOIN accounts_person p ON p.id = m.person_id WHERE p.email = %s",
        other.email,
    )
    page = f"/dashboard/o/{organisation}/team/"
    owner.post(f"{page}members/{membership}/role/", {"role": "owner"}, page=page)
    for person in (owner, other):
        person.prove()
    answers = at_once(
        [
            partial(person.post, DELETE, {"email": person.email}, page=PROFILE)
            for person in (owner, other)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert sorted([exists(house, owner), exists(house, other)]) == [False, True]
