"""A second web process: below a path behind a TLS proxy, and closed for sign-up."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.records import let_limits_pass, rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import PASSWORD, Visitor, address, link_in, path_in, words
from tests.faults.second_server import second_web_server
from tests.operations import manage, run

PREFIX = "/agents/korely"
PROXIED = {"Host": "memory.example", "X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def front(house: Stack) -> Iterator[str]:
    given = {
        "KORELY_DATA_DIR": str(house.data_dir),
        "KORELY_PUBLIC_URL": f"https://memory.example{PREFIX}",
        "KORELY_SIGNUP": "0",
        "KORELY_TRUSTED_PROXIES": "127.0.0.1",
    }
    with second_web_server({**os.environ, **house.env}, **given) as base:
        yield base


def test_pages_work_below_a_path_with_secure_cookies(front: str, gathered: Team) -> None:
    let_limits_pass(gathered.house)
    with httpx.Client(base_url=front, headers=PROXIED, verify=False) as http:
        page = http.get(f"{PREFIX}/account/login/")
        assert f'href="{PREFIX}/static/korely/people.css"' in page.text
        assert http.get(f"{PREFIX}/static/korely/people.css").status_code == 200
        docs = re.findall(r'"(/[^"]+\.(?:css|js))"', http.get(f"{PREFIX}/v1/docs").text)
        assert docs
        assert [http.get(path).status_code for path in docs] == [200] * len(docs)
        cookie = page.headers["set-cookie"]
        assert {"Secure", "HttpOnly", f"Path={PREFIX}"} <= set(cookie.split("; "))
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert found
        form = {"login": gathered.owner.email, "password": PASSWORD}
        sent = http.post(
            f"{PREFIX}/account/login/",
            data={**form, "csrfmiddlewaretoken": found.group(1)},
            headers={"Cookie": cookie.partition(";")[0], "Origin": "https://memory.example"},
        )
        assert sent.headers["location"] == f"{PREFIX}/dashboard/"
        lines = sent.headers.get_list("set-cookie")
        (session,) = [line for line in lines if line.startswith("korely_session=")]
        assert {"Secure", "HttpOnly", f"Path={PREFIX}"} <= set(session.split("; "))
        signed_in = {"Cookie": session.partition(";")[0]}
        sent = http.get(f"{PREFIX}/dashboard/", headers=signed_in)
        assert sent.headers["location"].startswith(f"{PREFIX}/dashboard/p/")
        shown = http.get(sent.headers["location"], headers=signed_in)
        assert shown.status_code == 200
        assert f'href="{PREFIX}{gathered.page}"' in shown.text
        other = http.get(f"{PREFIX}/account/login/", headers={"Host": "evil.example"})
        assert other.status_code == 400


def test_mails_lead_below_the_path(front: str, gathered: Team) -> None:
    house = gathered.house
    let_limits_pass(house)
    asking = Visitor(house, gathered.member.email, base=front)
    page = asking.get(f"{PREFIX}/account/password/reset/", headers=PROXIED)
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert found
    sent = asking.http.post(
        f"{PREFIX}/account/password/reset/",
        data={"email": asking.email, "csrfmiddlewaretoken": found.group(1)},
        headers={
            **PROXIED,
            "Cookie": page.headers["set-cookie"].partition(";")[0],
            "Origin": "https://memory.example",
        },
    )
    assert sent.status_code == 302
    start = f"https://memory.example{PREFIX}/account/password/reset/key/"
    assert link_in(asking.mail("Set a new password")).startswith(start)


def test_sign_up_is_closed_but_for_who_is_invited(front: str, house: Stack, gathered: Team) -> None:
    stranger = Visitor(house, base=front)
    closed = stranger.get("/account/signup/")
    assert "sign up is currently closed" in words(closed)
    assert "/account/signup/" not in stranger.get("/account/login/").text
    guest = Visitor(house, base=front)
    let_limits_pass(house)
    gathered.again().invite(gathered.owner, guest.email, "member")
    sent = guest.get(path_in(guest.mail("You are invited")))
    assert sent.headers["location"] == f"{PREFIX}/dashboard/invitations/"
    cookie = {"Cookie": sent.headers["set-cookie"].partition(";")[0]}
    assert "Sign up" in words(guest.get("/account/login/", headers=cookie))
    form = guest.get("/account/signup/", headers=cookie).text
    assert f'value="{guest.email}"' in form
    assert 'name="organisation"' not in form


def test_an_operator_invites_the_first_owner_from_the_shell(house: Stack) -> None:
    ((organisation,),) = rows(
        house, "SELECT id FROM accounts_organisation ORDER BY created_at LIMIT 1"
    )
    owner = Visitor(house)
    asked = ("invite_person", owner.email, "--organisation", str(organisation))
    link = manage(house, *asked).strip()
    prefix = f"http://localhost:{house.port}"
    assert link.startswith(f"{prefix}/dashboard/invitations/")
    owner.get(link.removeprefix(prefix))
    owner.sign_up()
    owner.confirm()
    owner.sign_in()
    assert owner.post("/dashboard/invitations/").status_code == 302
    assert "Korely Owner" in owner.text("/account/profile/")
    again = run(house, *asked)
    assert (again.returncode, "belongs to the organisation already" in again.stderr) == (1, True)
    missing = run(house, "invite_person", address(), "--organisation", unique("Nobody's"))
    assert "No organisation is called" in missing.stderr
