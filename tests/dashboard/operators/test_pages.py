"""The operators' own pages: who opens them, and that no text is on any of them."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, ok
from tests.dashboard.operators.ground import change, owner_of, project_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

PAGES = ["/ops/", "/ops/work/", "/ops/failed/", "/ops/audit/", "/ops/look/"]


def test_only_operators_with_a_second_factor_open_them(
    house: Stack, gathered: Team, operator: Visitor, box: Box
) -> None:
    project = project_of(box)
    account = owner_of(house, project)
    own = [
        *PAGES,
        f"/ops/look/{box.project['id']}/mem_{'0' * 32}/",
        f"/ops/accounts/organisation/{account}/top-up/",
        f"/ops/accounts/organisation/{account}/visit/",
    ]
    for path in own:
        assert Visitor(house).get(path).status_code == 302, path
        assert gathered.owner.get(path, follow_redirects=True).status_code == 404, path
    half = Visitor(house, gathered.admin.email)
    change(house, "UPDATE accounts_person SET is_staff = true WHERE email = %s", half.email)
    try:
        assert half.sign_in().status_code == 302
        for path in own:
            sent = half.get(path, follow_redirects=True)
            assert "/account/reauthenticate/" in str(sent.url), path
    finally:
        change(house, "UPDATE accounts_person SET is_staff = false WHERE email = %s", half.email)


def test_the_first_page_tells_how_the_install_is(operator: Visitor) -> None:
    shown = operator.text("/ops/")
    for part in ("Model Works loaded, a question in", "Database Works PostgreSQL", "of data"):
        assert part in shown
    for part in ("Broker Works answers in", "Cache Works answers in", "Workers Works", "free"):
        assert part in shown
    for kind in ("extract", "batch", "answers", "webhook"):
        assert f"{kind} " in shown


def test_no_text_of_a_memory_or_fact_is_on_any_page(
    house: Stack, operator: Visitor, box: Box
) -> None:
    made = ok(
        box.api.post(
            "/v1/memories",
            {
                "content": "I live in Zanzibar-quite-secret.",
                "user_id": "u",
                "metadata": {"tag": "also-quite-secret"},
            },
        ),
        201,
    )
    box.api.settle("u")
    (fact,) = box.api.facts(user_id="u")
    project = project_of(box)
    failing = "UPDATE memories_memory SET status = 'error', failure = 'ValueError'"
    change(house, failing, project=project)
    paths = [
        *PAGES,
        f"/ops/failed/?project={box.project['id']}",
        f"/ops/audit/?project={box.project['id']}",
        f"/ops/look/{box.project['id']}/{made['id']}/",
        f"/ops/look/{box.project['id']}/{fact['id']}/",
        f"/ops/accounts/project/{project}/change/",
    ]
    for path in paths:
        page = operator.get(path)
        assert page.status_code == 200, path
        assert page.headers["cache-control"] == "no-store"
        assert "secret" not in page.text.lower(), path
    shown = operator.text(f"/ops/failed/?project={box.project['id']}")
    assert made["id"] in shown
    assert "ValueError" in shown
    one = operator.text(f"/ops/look/{box.project['id']}/{made['id']}/")
    for told in ("End user u", "Status error (ValueError)", "words", "Text Hidden"):
        assert told in one


def test_an_id_is_looked_for_in_its_project_alone(operator: Visitor, box: Box) -> None:
    made = box.api.add("Here.", user_id="u")
    asked = {"project": box.project["id"], "target": made["id"]}
    found = operator.get("/ops/look/", params=asked)
    assert found.headers["location"] == f"/ops/look/{box.project['id'][4:]}/{made['id']}/"
    other = Box(box.boot)
    for path in (
        f"/ops/look/{other.project['id']}/{made['id']}/",
        f"/ops/look/{box.project['id']}/mem_{'0' * 32}/",
        f"/ops/look/{box.project['id']}/fct_{'0' * 32}/",
        f"/ops/look/{box.project['id']}/key_{'0' * 32}/",
        "/ops/look/nonsense/nonsense/",
    ):
        assert operator.get(path).status_code == 404, path
    for wrong in ("", "nonsense", "key_1"):
        answer = operator.get("/ops/look/", params={"project": "x", "target": wrong})
        assert answer.status_code == 400, wrong
    assert operator.get("/ops/look/?project=x&target=mem_1").status_code == 404


@pytest.mark.parametrize("name", ["organisation", "project", "apikey", "person", "membership"])
def test_no_page_counts_or_shows_what_the_role_may_not_read(
    house: Stack, operator: Visitor, name: str
) -> None:
    ((row,),) = rows(house, f"SELECT id FROM accounts_{name} ORDER BY id LIMIT 1")
    page = operator.get(f"/ops/accounts/{name}/{row}/change/")
    assert page.status_code == 200
    assert "historylink" not in page.text
    assert operator.get(f"/ops/accounts/{name}/{row}/history/").status_code == 404
    found = operator.get(f"/ops/accounts/{name}/?q=e")
    assert found.status_code == 200
    assert "Select" in words(found)
