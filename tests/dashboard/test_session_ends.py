"""A page that asks by itself, when the session of who looks at it has ended."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.dashboard.axe import accessible
from tests.dashboard.team import Team
from tests.dashboard.visitor import PASSWORD, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOGIN = "/account/login/"


def asked_by_htmx(by: Visitor, path: str, page: str | None) -> dict[str, str]:
    """The headers of the answer to htmx, which has no body to put into the page."""
    headers = {"HX-Request": "true"} | ({"HX-Current-URL": page} if page is not None else {})
    answer = by.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.text == ""
    assert "location" not in answer.headers
    return dict(answer.headers)


def test_htmx_is_told_to_open_the_log_in_page_which_leads_back_to_the_page(gathered: Team) -> None:
    team, nobody = gathered, Visitor(gathered.house)
    project, organisation = f"/dashboard/p/{team.project}", f"/dashboard/o/{team.organisation}"
    some = uuid.uuid4()
    for page, part in (
        (f"{project}/", f"{project}/waiting/"),
        (f"{organisation}/requests/?live=1&status=4", None),
        (f"{project}/playground/", f"{project}/playground/memories/{some}/"),
        (f"{project}/explore/memories/{some}/", None),
    ):
        plain = nobody.get(part or page)
        assert plain.status_code == 302, page
        assert plain.headers["location"].startswith(LOGIN)
        told = asked_by_htmx(nobody, part or page, f"{team.house.base_url}{page}")
        target = urlsplit(told["hx-redirect"])
        assert (target.path, parse_qs(target.query)) == (LOGIN, {"next": [page]})


@pytest.mark.parametrize("page", [None, "", "https://[", "//evil.example//x", "about:blank", "x"])
def test_a_page_that_is_none_is_not_led_back_to(gathered: Team, page: str | None) -> None:
    path = f"/dashboard/p/{gathered.project}/"
    told = asked_by_htmx(Visitor(gathered.house), path, page)
    assert urlsplit(told["hx-redirect"]).path == LOGIN
    assert "evil" not in told["hx-redirect"]


def test_other_redirects_lead_the_whole_page_as_well(gathered: Team) -> None:
    path = f"/dashboard/p/{gathered.project}/playground/"
    told = asked_by_htmx(gathered.owner, f"{path}search/", f"{gathered.house.base_url}{path}")
    assert told["hx-redirect"] == path


@pytest.mark.browser
def test_a_page_that_follows_turns_to_the_log_in_page_and_back(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    page = signed_in(gathered.member)
    path = f"/dashboard/o/{gathered.organisation}/requests/?live=1"
    page.goto(path)
    page.context.clear_cookies()
    page.wait_for_url(re.compile(re.escape(LOGIN)), timeout=10_000)
    assert page.locator("form input[type=password]").count() == 1
    assert page.locator("#rows").count() == 0
    accessible(page)
    page.screenshot(path=shots / "log-in.png", full_page=True)
    page.get_by_label("Email").fill(gathered.member.email)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(lambda url: url.endswith(path))
