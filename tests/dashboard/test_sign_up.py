"""Signing up, confirming an address, signing in with a second factor."""

from __future__ import annotations

import stat
from functools import partial

import psycopg

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.concurrency.at_once import at_once
from tests.dashboard.records import let_limits_pass, rows
from tests.dashboard.visitor import PASSWORD, Visitor, all_mails, link_in, words


def test_who_signs_up_confirms_and_signs_in_owns_an_organisation(
    house: Stack, visitor: Visitor
) -> None:
    name = unique("Bakery")
    sent = visitor.sign_up(name)
    assert sent.status_code == 302
    assert "sent an email" in visitor.text(sent.headers["location"])
    # The address counts for nothing until it is confirmed: no session, no organisation.
    assert visitor.get("/account/profile/").status_code == 302
    early = visitor.sign_in()
    assert early.headers["location"] == "/account/confirm-email/"
    assert visitor.get("/account/profile/").status_code == 302
    assert rows(house, "SELECT 1 FROM accounts_organisation WHERE name = %s", name) == []

    assert visitor.confirm().status_code == 302
    assert visitor.sign_in().headers["location"] == "/dashboard/"
    assert name in visitor.text("/dashboard/")
    assert f"{name} Owner" in visitor.text("/account/profile/")
    found = rows(
        house,
        "SELECT p.name, p.is_default, o.plan_id FROM accounts_project p"
        " JOIN accounts_organisation o ON o.id = p.organisation_id WHERE o.name = %s",
        name,
    )
    assert found == [("Default", True, "hobby")]
    ((person,),) = rows(house, "SELECT id FROM accounts_person WHERE email = %s", visitor.email)
    found = rows(
        house,
        "SELECT e.action, e.actor, e.target_id, e.meta::jsonb FROM billing_auditevent e"
        " JOIN accounts_project p ON p.id = e.project_id"
        " JOIN accounts_organisation o ON o.id = p.organisation_id WHERE o.name = %s",
        name,
    )
    told = {"role": "owner", "person": person.hex}
    assert found == [("member_join", "dashboard", None, told)]


def test_a_confirmation_followed_twice_founds_one_organisation(
    house: Stack, visitor: Visitor
) -> None:
    name = unique("Twice")
    visitor.sign_up(name)
    link = link_in(visitor.mail("Confirm")).removeprefix("http://localhost:" + str(house.port))
    others = [Visitor(house, visitor.email) for _ in range(4)]
    answers = at_once([partial(other.post, link) for other in others])
    assert {answer.status_code for answer in answers} <= {200, 302, 404}
    count = rows(house, "SELECT count(*) FROM accounts_organisation WHERE name = %s", name)
    assert count == [(1,)]


def test_what_a_confirmation_left_undone_is_done_at_the_next_visit(
    house: Stack, visitor: Visitor
) -> None:
    name = unique("Healed")
    visitor.sign_up(name)
    visitor.confirm()
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        for statement in (
            "DELETE FROM accounts_membership WHERE person_id ="
            " (SELECT id FROM accounts_person WHERE email = %(email)s)",
            "UPDATE accounts_person SET organisation_to_found = %(name)s WHERE email = %(email)s",
        ):
            connection.execute(statement, {"email": visitor.email, "name": f"{name} again"})
    visitor.sign_in()
    assert f"{name} again" in visitor.text("/dashboard/")
    assert f"{name} again Owner" in visitor.text("/account/profile/")
    query = "SELECT count(*) FROM accounts_organisation WHERE name = %s"
    assert rows(house, query, f"{name} again") == [(1,)]


def test_a_sign_up_says_the_same_of_a_known_and_of_an_unknown_address(
    house: Stack, visitor: Visitor
) -> None:
    known = visitor
    known.sign_up(unique("Known"))
    known.confirm()
    let_limits_pass(house)  # one mail about an address in three minutes
    again, unknown = Visitor(house, known.email), Visitor(house)
    first, second = again.sign_up("Another"), unknown.sign_up("Another")
    assert (first.status_code, first.headers["location"]) == (
        second.status_code,
        second.headers["location"],
    )
    told = again.mail("You have an account already")
    assert "/account/password/reset/" in told
    assert known.sign_in().headers["location"] == "/dashboard/"
    assert "Another" not in known.text("/dashboard/")


def test_two_sign_ups_of_one_address_at_once_make_one_person(house: Stack) -> None:
    first = Visitor(house)
    both = [first, Visitor(house, first.email), Visitor(house, first.email)]
    answers = at_once([partial(one.sign_up, unique("Race")) for one in both])
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    found = rows(house, "SELECT count(*) FROM accounts_person WHERE email = %s", first.email)
    assert found == [(1,)]


def test_errors_stand_beside_their_fields_and_nobody_is_made(
    house: Stack, visitor: Visitor
) -> None:
    before = rows(house, "SELECT count(*) FROM accounts_person")
    long = f"x@{'.'.join([letter * 62 for letter in 'abcd'])}.example"
    tries = {
        "Enter a valid email address": {"email": "no address"},
        "at most 254 characters": {"email": long},
        "too short": {"password1": "short"},
        "too common": {"password1": "password12345"[:8] + "1234"},
        "entirely numeric": {"password1": "84629473658"},
        "too similar to the email": {"password1": visitor.email.partition("@")[0]},
        "This field is required": {"organisation": ""},
        "at most 100 characters": {"organisation": "x" * 101},
        "Null characters are not allowed": {"organisation": "a\0b"},
    }  # fmt: skip
    for said, wrong in tries.items():
        data = {"email": visitor.email, "password1": PASSWORD, "organisation": "O", **wrong}
        page = Visitor(house).post("/account/signup/", data)
        assert page.status_code == 200, said
        assert said in words(page), (said, words(page))
    assert rows(house, "SELECT count(*) FROM accounts_person") == before


def test_mails_lie_in_a_directory_only_the_service_can_enter(
    house: Stack, visitor: Visitor
) -> None:
    visitor.sign_up(unique("Private"))
    folder = house.data_dir / "mail"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert visitor.mails("Confirm")


def test_links_in_mails_are_at_the_public_address_whatever_host_was_asked(
    house: Stack, visitor: Visitor
) -> None:
    visitor.http.headers["Host"] = "127.0.0.1"
    visitor.sign_up(unique("Host"))
    visitor.post("/account/password/reset/", {"email": visitor.email})
    texts = visitor.mails()
    assert len(texts) == 2
    for text in texts:
        assert link_in(text).startswith(f"http://localhost:{house.port}/account/")
        assert "127.0.0.1" not in text
    visitor.http.headers["Host"] = "evil.example"
    refused = visitor.get("/account/login/")
    assert refused.status_code == 400
    assert "evil.example" not in refused.text
    assert "set-cookie" not in refused.headers
    assert not [text for _, _, text in all_mails(house) if "evil" in text]
