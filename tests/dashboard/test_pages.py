"""What holds for every page: headers, cookies, readable forms, errors; and nothing for the API."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, refused
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

OPEN = ["/account/login/", "/account/signup/", "/account/password/reset/"]
OWN = [
    *("/dashboard/", "/account/email/", "/account/password/change/", "/account/2fa/"),
    *("/account/logout/", "/account/reauthenticate/"),
]


class Page(HTMLParser):
    """What a page holds that a rule of these tests is about."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self.labelled: set[str] = set()
        self.fields: list[str] = []
        self.inline: list[str] = []
        self.headings: list[str] = []
        self.tags: list[str] = []
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if tag == "label":
            self.labelled.add(given.get("for") or "")
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.fields.append(given.get("id") or "")
        if tag in ("h1", "h2", "h3"):
            self.headings.append(tag)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]


def every_page(house: Stack, team: Team) -> list[httpx.Response]:
    stranger = Visitor(house)
    pages = [stranger.get(path) for path in OPEN]
    inside = [team.page, f"/dashboard/p/{team.project}/"]
    pages += [team.owner.get(path) for path in (*OWN, *inside)]
    return [*pages, stranger.get("/dashboard/nope/"), stranger.get("/ops/nope/")]


def test_every_page_has_a_strict_policy_and_is_stored_nowhere(house: Stack, gathered: Team) -> None:
    for page in every_page(house, gathered):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy, page.url
        assert "unsafe" not in policy
        assert page.headers["cache-control"] == "no-store", page.url
        assert page.headers["x-frame-options"] == "DENY"


def test_every_page_can_be_read_without_eyes_and_has_nothing_inline(
    house: Stack, gathered: Team
) -> None:
    for page in every_page(house, gathered):
        if page.status_code == 302:
            continue
        found = Page(page)
        assert found.inline == [], page.url
        assert found.headings[:1] == ["h1"], page.url
        assert found.headings.count("h1") == 1, page.url
        assert found.tags.count("main") == 1
        assert 'lang="en"' in page.text
        assert [field for field in found.fields if field not in found.labelled] == [], page.url


def test_a_stranger_is_sent_to_sign_in_and_comes_back(house: Stack, gathered: Team) -> None:
    stranger, page = Visitor(house), gathered.page
    for path in ("/dashboard/", page, "/account/email/", "/account/2fa/", "/ops/"):
        sent = stranger.get(path)
        assert sent.status_code == 302, path
        assert "/login/" in sent.headers["location"]
    assert stranger.get(page).headers["location"] == f"/account/login/?next={page}"
    assert "korely_session" not in stranger.http.cookies


def test_session_cookies_are_out_of_reach_of_scripts_and_other_sites(
    house: Stack, gathered: Team
) -> None:
    page = Visitor(house, gathered.owner.email).sign_in()
    lines = page.headers.get_list("set-cookie")
    (session,) = [line for line in lines if line.startswith("korely_session=")]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(session.split("; "))
    assert "Secure" not in session  # the public address of this install is http


def test_a_form_without_its_token_or_from_another_site_changes_nothing(
    house: Stack, gathered: Team
) -> None:
    team = gathered.again()
    body = {"email": "x@people.example", "role": "member"}
    bare = team.owner.http.post(f"{team.page}invitations/", data=body)
    assert bare.status_code == 403
    assert "Form not accepted" in words(bare)
    foreign = team.owner.post(
        f"{team.page}invitations/", body, page=team.page, headers={"Origin": "https://evil.example"}
    )
    assert foreign.status_code == 403
    before = team.roles()
    whose = f"{team.page}members/{team.membership(team.member)}/remove/"
    assert [team.owner.get(path).status_code for path in (whose, f"{team.page}leave/")] == [200] * 2
    assert team.owner.get(f"{team.page}invitations/").status_code == 405
    assert team.roles() == before
    assert team.open_invitations() == []


def test_errors_are_pages_here_and_json_everywhere_else(house: Stack) -> None:
    stranger = Visitor(house)
    for path in ("/dashboard/nope/", "/account/nope/", "/dashboard/team/members/1/role/"):
        page = stranger.get(path)
        assert page.status_code == 404
        assert "There is no such page" in words(page)
    nobody = Api(house.base_url, None)
    for path in ("/v1/nope", "/admin/nope", "/admin/", "/agent/nope", "/api/nope", "/dashboards/"):
        refused(nobody.get(path), 404, "not_found")
    large = stranger.http.post("/account/login/", content=b"x" * 2_097_153)
    assert large.status_code == 413
    assert large.headers["content-type"].startswith("text/html")
    for body, kind in ((b"\xff" * 9, "multipart/form-data"), (b"{}", "application/json")):
        odd = stranger.http.post("/account/login/", content=body, headers={"Content-Type": kind})
        assert odd.status_code in (400, 403)
        assert odd.headers["content-type"].startswith("text/html")


def test_no_key_opens_a_page_and_no_session_opens_the_api(house: Stack, gathered: Team) -> None:
    with_key = Api(house.base_url, house.key)
    for path in ("/dashboard/", "/ops/", "/account/email/"):
        assert with_key.get(path).status_code == 302
    refused(gathered.owner.get("/v1/ping"), 401, "invalid_key")
    refused(gathered.owner.get("/admin/keys"), 401, "invalid_key")


@pytest.mark.parametrize("path", ["/v1/ping", "/v1/facts", "/v1/openapi.json", "/v1/docs", "/v1/x"])
def test_a_request_of_the_api_asks_for_no_session_and_sets_no_cookie(boot: Api, path: str) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    browser = Client(enforce_csrf_checks=True)
    browser.cookies["korely_session"] = "0" * 32
    browser.cookies["korely_csrf"] = "0" * 32
    with CaptureQueriesContext(connection) as asked:
        answer = browser.get(path, headers={"Authorization": f"Bearer {boot.key}"})
    assert answer.status_code == (404 if path == "/v1/x" else 200)
    assert not answer.cookies
    touched = " ".join(query["sql"] for query in asked.captured_queries)
    assert not re.search(r"django_session|accounts_person|account_emailaddress", touched)


def test_writes_of_the_api_need_no_form_token(house: Stack) -> None:
    api = Api(house.base_url, house.key)
    api.http.cookies.set("korely_csrf", "0" * 32)
    assert api.post("/v1/memories", {"content": "No form."}).status_code == 201


def test_sessions_whose_time_is_over_are_removed_at_a_log_in(house: Stack, gathered: Team) -> None:
    import psycopg

    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO django_session (session_key, session_data, expire_date)"
            " VALUES ('over', '', now() - interval '1 day')"
            " ON CONFLICT DO NOTHING"
        )
    assert Visitor(house, gathered.owner.email).sign_in().status_code == 302
    assert rows(house, "SELECT 1 FROM django_session WHERE session_key = 'over'") == []
