"""Every page in every role in a real browser: accessible, and hostile words are only words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.axe import accessible, violations
from tests.dashboard.every.pages import OF_ORGANISATION, OF_PROJECT, Route, address
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = [route for route in (*OF_PROJECT, *OF_ORGANISATION) if not (route.act or route.part)]
ENTRANCE = ["/account/login/", "/account/signup/", "/account/password/reset/"]
OWN = ["/account/email/", "/account/password/change/", "/account/2fa/", "/account/logout/"]


@pytest.mark.parametrize("route", PAGES, ids=str)
def test_a_page_is_for_everybody_and_shows_words_as_words(
    signed_in: Callable[[Visitor], Page],
    team: Team,
    objects: dict[str, str],
    route: Route,
    shots: Path,
) -> None:
    page = signed_in(team.owner)
    page.goto(address(route, objects))
    page.screenshot(path=shots / "owner.png", full_page=True)
    assert page.evaluate("document.querySelectorAll('[onerror]').length") == 0
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator('a[href^="javascript:"]').count() == 0
    assert page.get_by_role("heading", level=1).count() == 1
    accessible(page)
    for role in ("admin", "member"):
        page = signed_in(getattr(team, role))
        page.goto(address(route, objects))
        assert violations(page) == [], (route, role)


@pytest.mark.parametrize("path", [*ENTRANCE, *OWN])
def test_pages_of_people_are_for_everybody(
    page: Page, signed_in: Callable[[Visitor], Page], team: Team, path: str, shots: Path
) -> None:
    if path in OWN:
        signed_in(team.owner)
    page.goto(path)
    page.screenshot(path=shots / "page.png", full_page=True)
    accessible(page)
