"""The log of requests on its page: filters in the address, pages by key, nothing of others."""

from __future__ import annotations

import re
import uuid

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique, wait_for
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.usage.account import Account, account_on
from tests.dashboard.visitor import settled, words


def call(api: Api, path: str, request_id: str) -> None:
    api.request("GET", path, headers={"X-Request-Id": request_id})


def logged(account: Account, count: int) -> None:
    query = "SELECT count(*) FROM billing_requestentry WHERE organisation_id = %s"
    house, organisation = account.team.house, account.team.organisation
    wait_for("the log", lambda: rows(house, query, organisation)[0][0] >= count, 10)


def shown(account: Account, query: str = "") -> list[str]:
    """The routes on the page, newest first."""
    page = account.team.member.get(f"{account.requests}{query}")
    assert page.status_code == 200, query
    return re.findall(r'<a href="[^"]+">(GET|POST) ([^<]+)</a>', page.text)


def test_filters_are_in_the_address_and_each_narrows(gathered: Team) -> None:
    account = account_on(gathered)
    assert "No request in that time" in account.team.member.text(account.requests)
    wanted, gone = unique("req"), f"mem_{uuid.uuid4().hex}"
    account.api.http.headers["X-Korely-Client"] = '<script>alert("client")</script>'
    call(account.api, "/v1/facts", unique("req"))
    call(account.api, f"/v1/memories/{gone}", wanted)
    logged(account, 2)
    both = [("GET", "/v1/memories/{memory_id}"), ("GET", "/v1/facts")]
    assert shown(account) == both
    key = rows(
        account.team.house,
        "SELECT id FROM accounts_apikey WHERE organisation_id = %s",
        account.team.organisation,
    )[0][0]
    for query, expected in (
        ("status=4", both[:1]),
        ("status=2", both[1:]),
        ("status=5", []),
        ("route=%2Fv1%2Ffacts", both[1:]),
        (f"request={wanted}", both[:1]),
        ("request=req", []),
        (f"key={key.hex}", both),
        (f"project={uuid.UUID(account.team.project).hex}&status=2", both[1:]),
        ("since=1h", both),
        ("since=all", both),
    ):
        assert shown(account, f"?{query}") == expected, query
    assert "No request matches" in account.team.member.text(f"{account.requests}?status=5")
    for garbage in ("status=9", "route=x", "key=%00", "project=x",
                    "since=x", "after=x", "request=%00"):  # fmt: skip
        assert account.team.member.get(f"{account.requests}?{garbage}").status_code == 404, garbage

    page = account.team.member.get(f"{account.requests}?request={wanted}")
    path = re.findall(r'<a href="(/dashboard/o/[^"]+/requests/[0-9a-f-]+/)">', page.text)[0]
    one = account.team.member.get(path)
    told = words(one)
    for said in ("404", wanted, "GET /v1/memories/{memory_id}", '<script>alert("client")</script>'):
        assert said in told
    assert "<script>alert" not in one.text
    assert gone.removeprefix("mem_") not in one.text


def test_pages_go_on_by_key_and_back(gathered: Team) -> None:
    account = account_on(gathered)
    account.execute(
        "INSERT INTO billing_requestentry (id, organisation_id, project_id, at, method, route,"
        " status, ms, request_id, client) SELECT gen_random_uuid(), %s, %s,"
        " now() - n * interval '1 second', 'GET', '/v1/facts', 200, n, 'r' || n, ''"
        " FROM generate_series(1, 120) n",
        account.team.organisation,
        account.team.project,
    )
    seen: list[str] = []
    page, pages = account.team.member.get(account.requests), 1
    seen += re.findall(r"<bdi>(r\d+)</bdi>", page.text)
    while older := re.search(r'href="(\?[^"]+)" rel="next"', page.text):
        path = account.requests + older.group(1).replace("&amp;", "&")
        page, pages = account.team.member.get(path), pages + 1
        seen += re.findall(r"<bdi>(r\d+)</bdi>", page.text)
    assert (seen, pages) == ([f"r{n}" for n in range(1, 121)], 3)
    newer = re.search(r'href="(\?[^"]+)" rel="prev"', page.text)
    assert newer
    back = account.team.member.get(account.requests + newer.group(1).replace("&amp;", "&"))
    assert re.findall(r"<bdi>(r\d+)</bdi>", back.text) == [f"r{n}" for n in range(51, 101)]


def test_following_is_off_until_it_is_asked_for(gathered: Team) -> None:
    account = account_on(gathered)
    ok(account.api.get("/v1/ping"))
    logged(account, 1)
    member = account.team.member
    assert "hx-get" not in member.get(account.requests).text
    following = member.get(f"{account.requests}?live=1").text
    assert 'hx-trigger="every 2s"' in following
    part = member.get(f"{account.requests}?live=1", headers={"HX-Request": "true"}).text
    assert part.startswith('<div id="rows"')
    assert "/v1/ping" in part


def test_another_organisation_s_requests_are_404(house: Stack, gathered: Team) -> None:
    account, other = account_on(gathered), account_on(gathered)
    ok(account.api.get("/v1/ping"))
    logged(account, 1)
    ((entry,),) = rows(
        house,
        "SELECT id FROM billing_requestentry WHERE organisation_id = %s",
        account.team.organisation,
    )
    stranger = settled(house, unique("Stranger"))
    assert account.team.member.get(f"{account.requests}{entry}/").status_code == 200
    for by, path in (
        (stranger, account.requests),
        (stranger, f"{account.requests}{entry}/"),
        (account.team.member, f"{other.requests}{entry}/"),  # theirs, under another's address
    ):
        assert by.get(path).status_code == 404


def test_requests_of_every_face_are_found_by_their_route(gathered: Team) -> None:
    account = account_on(gathered)
    api = account.api
    ok(api.get("/v1/ping"))
    api.post("/agent/mcp")
    dialect = {"Authorization": f"Token {api.key}"}
    api.http.post("/api/openmem/v1/get/memory", json={"user_id": "u"}, headers=dialect)
    logged(account, 3)
    page = account.team.member.get(account.requests).text
    offered = re.findall(r'<option value="(/[^"]+)"', page)
    assert len(offered) == len(set(offered))
    for route in ("/v1/ping", "/agent/mcp", "/api/openmem/v1/get/memory"):
        assert route in offered
        found = account.team.member.get(f"{account.requests}?route={route}").text
        assert re.findall(r'<a href="[^"]+">[A-Z]+ (/[^<]+)</a>', found) == [route]
    assert not [one for one in offered if "[" in one or one.startswith("/dashboard")]
