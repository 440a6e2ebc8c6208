"""Signing in: the second factor, limits, a forgotten password, another address."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.records import let_limits_pass, rows
from tests.dashboard.visitor import PASSWORD, Visitor, address, path_in, settled, words


@pytest.fixture(scope="module")
def someone(house: Stack) -> Visitor:
    """Signed up and confirmed; tests sign in by browsers of their own."""
    return settled(house, unique("Sign-in"))


def test_a_second_factor_is_asked_for_once_it_is_set_up(house: Stack) -> None:
    person = settled(house, unique("Factor"))
    person.set_up_second_factor()
    assert "Authenticator app activated" in person.mail("Authenticator App Activated")
    codes = person.get("/account/2fa/recovery-codes/")
    recovery = words(codes).partition("Unused codes")[2].split()[0]
    stored = rows(
        house,
        "SELECT a.data::text FROM mfa_authenticator a JOIN accounts_person p ON p.id = a.user_id"
        " WHERE p.email = %s",
        person.email,
    )
    assert len(stored) == 2
    assert person.secret not in str(stored)

    other = Visitor(house, person.email)
    other.secret = person.secret
    half = other.sign_in()
    assert half.headers["location"].startswith("/account/2fa/authenticate/")
    assert other.get("/account/profile/").status_code == 302
    wrong = other.post("/account/2fa/authenticate/", {"code": "000000"})
    assert "Incorrect code" in words(wrong)
    assert other.get("/account/profile/").status_code == 302
    code = other.code(1)
    right = other.post("/account/2fa/authenticate/", {"code": code})
    assert right.headers["location"] == "/dashboard/"
    assert other.get("/account/profile/").status_code == 200

    third = Visitor(house, person.email)
    third.sign_in()
    again = third.post("/account/2fa/authenticate/", {"code": code})
    assert "Incorrect code" in words(again)  # a code opens once
    by_recovery = third.post("/account/2fa/authenticate/", {"code": recovery})
    assert by_recovery.headers["location"] == "/dashboard/"


def test_a_wrong_password_and_an_unknown_address_are_answered_alike(
    house: Stack, someone: Visitor
) -> None:
    wrong = Visitor(house, someone.email).sign_in("not the password")
    unknown = Visitor(house).sign_in()
    assert (wrong.status_code, unknown.status_code) == (200, 200)
    said = "The email address and/or password you specified are not correct."
    assert said in words(wrong)
    assert said in words(unknown)
    assert "korely_session" not in wrong.cookies


def test_guessing_is_stopped_for_the_right_password_too(house: Stack, someone: Visitor) -> None:
    let_limits_pass(house)
    for guess in range(5):
        page = Visitor(house, someone.email).sign_in(f"guess {guess}")
        assert "not correct" in words(page)
    page = Visitor(house, someone.email).sign_in()
    assert "Too many failed login attempts" in words(page)
    # Another spelling of the host is no other account.
    elsewhere = Visitor(house, someone.email)
    elsewhere.http.headers["Host"] = f"localhost:{house.port}"
    assert "Too many failed login attempts" in words(elsewhere.sign_in())
    let_limits_pass(house)
    assert Visitor(house, someone.email).sign_in().status_code == 302


def test_sign_ups_from_one_address_are_limited_with_a_page(house: Stack) -> None:
    visitor = Visitor(house)
    answers = [visitor.post("/account/signup/", {"email": "x"}).status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]
    page = visitor.post("/account/signup/", {"email": "x"})
    assert "Too many requests" in words(page)


@pytest.mark.parametrize(
    ("path", "form", "most"),
    [
        ("/account/login/", {"login": "x", "password": "x"}, 30),
        ("/account/password/reset/", {"email": "x@people.example"}, 5),
    ],
)
def test_log_ins_and_resets_are_limited_with_a_page(
    house: Stack, path: str, form: dict[str, str], most: int
) -> None:
    let_limits_pass(house)
    visitor = Visitor(house)
    answers = [visitor.post(path, form) for _ in range(most + 1)]
    assert 429 not in [answer.status_code for answer in answers[:most]]
    assert answers[most].status_code == 429
    assert "Too many requests" in words(answers[most])
    assert "Wait some minutes" in words(answers[most])
    let_limits_pass(house)


def test_a_forgotten_password_is_set_anew_by_a_mailed_link_that_works_once(
    house: Stack, someone: Visitor
) -> None:
    stranger = Visitor(house)
    for asking in (someone, stranger):
        let_limits_pass(house)
        sent = Visitor(house).post("/account/password/reset/", {"email": asking.email})
        assert sent.headers["location"] == "/account/password/reset/done/"
    assert "no account here" in stranger.mail("No account")
    link = path_in(someone.mail("Set a new password"))
    elsewhere = Visitor(house, someone.email)
    page = elsewhere.get(link)
    new = "another battery horse 7"
    done = elsewhere.post(page.headers["location"], {"password1": new, "password2": new})
    assert done.status_code == 302
    assert "Your password has been reset" in someone.mail("Password Reset")
    try:
        # Whoever was signed in is so no longer, and the link is spent.
        assert someone.get("/account/profile/").status_code == 302
        assert "already been used" in Visitor(house).text(link)
        let_limits_pass(house)
        assert "not correct" in words(Visitor(house, someone.email).sign_in())
        assert Visitor(house, someone.email).sign_in(new).status_code == 302
    finally:
        back = Visitor(house, someone.email)
        back.sign_in(new)
        change = {"oldpassword": new, "password1": PASSWORD, "password2": PASSWORD}
        assert back.post("/account/password/change/", change).status_code == 302


def test_another_address_takes_over_when_it_is_confirmed(house: Stack) -> None:
    person = settled(house, unique("Moving"))
    old, new = person.email, address()
    first = person.post("/account/email/", {"email": new, "action_add": ""})
    assert first.headers["location"].startswith("/account/reauthenticate/")
    assert Visitor(house, new).mails() == []
    person.prove()
    asked = person.post("/account/email/", {"email": new, "action_add": ""})
    assert asked.headers["location"] == "/account/email/"
    assert old in person.text("/account/email/")
    mailed = Visitor(house, new)
    # Until then it opens nothing.
    assert Visitor(house, new).sign_in().headers["location"] == "/account/confirm-email/"
    assert person.post(path_in(mailed.mail("Confirm"))).status_code == 302
    assert f"from {old} to {new}" in person.mail("Email Changed")
    let_limits_pass(house)
    assert Visitor(house, old).sign_in().status_code == 200
    assert Visitor(house, new).sign_in().headers["location"] == "/dashboard/"


def test_an_address_cannot_be_taken_from_another_person(house: Stack, someone: Visitor) -> None:
    person = settled(house, unique("Taker"))
    person.prove()
    asked = person.post("/account/email/", {"email": someone.email, "action_add": ""})
    assert asked.status_code in (200, 302)
    assert not [text for text in someone.mails("Confirm") if "change" in text.lower()]
    let_limits_pass(house)
    assert Visitor(house, someone.email).sign_in().status_code == 302
    owner = rows(house, "SELECT count(*) FROM accounts_person WHERE email = %s", someone.email)
    assert owner == [(1,)]


def test_signing_out_ends_the_session_on_the_server(house: Stack) -> None:
    person = settled(house, unique("Leaving"))
    kept = dict(person.http.cookies)
    person.sign_out()
    thief = Visitor(house)
    thief.http.cookies.update(kept)
    assert thief.get("/account/profile/").status_code == 302


def test_where_to_go_after_signing_in_is_never_another_site(house: Stack, someone: Visitor) -> None:
    let_limits_pass(house)
    for away in ("https://evil.example/", "//evil.example/"):
        landed = Visitor(house, someone.email).sign_in(next=away)
        assert landed.headers["location"] == "/dashboard/", away
    near = Visitor(house, someone.email).sign_in(next="/dashboard/team/")
    assert near.headers["location"] == "/dashboard/team/"
