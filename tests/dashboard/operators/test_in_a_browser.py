"""The operators' site in a real browser: looked at in light, dark and on a narrow screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box
from tests.dashboard.axe import accessible
from tests.dashboard.operators.ground import change, project_of
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
HOSTILE = '<img src=x onerror="alert(1)"> </script> {{ 7*7 }} \u202egnp.exe'


def looked_at(page: Page, shots: Path, name: str) -> None:
    """Kept as a screenshot in both themes and narrow; nothing that axe finds is wrong with it."""
    page.screenshot(path=shots / f"{name}.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / f"{name}-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / f"{name}-narrow.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    accessible(page)


def test_an_operator_looks_around_reveals_a_text_and_visits(
    *,
    house: Stack,
    operator: Visitor,
    box: Box,
    gathered: Team,
    signed_in: Callable[[Visitor], Page],
    shots: Path,
) -> None:
    team = gathered.again()
    made = box.api.add(HOSTILE, user_id="<b>u")
    box.api.settle()
    project = project_of(box)
    failing = "UPDATE memories_memory SET status = 'error', failure = 'ValueError'"
    change(house, failing, project=project)
    page = signed_in(operator)
    page.set_viewport_size({"width": 1280, "height": 800})

    page.goto("/ops/")
    assert page.get_by_role("heading", name="Health").is_visible()
    looked_at(page, shots, "1-first-page")
    for number, listed in enumerate(("Organisations", "Api keys", "Plans", "Usages"), 2):
        page.goto("/ops/")
        page.get_by_role("link", name=listed, exact=True).first.click()
        looked_at(page, shots, f"{number}-{listed}")
    page.goto(f"/ops/accounts/organisation/{team.organisation}/change/")
    looked_at(page, shots, "6-organisation")
    page.get_by_role("link", name="Add to a month").click()
    looked_at(page, shots, "7-top-up")
    page.goto("/ops/work/")
    looked_at(page, shots, "8-work")
    page.goto(f"/ops/audit/?project={box.project['id']}")
    looked_at(page, shots, "9-audit")

    page.goto(f"/ops/failed/?project={box.project['id']}")
    looked_at(page, shots, "10-failed")
    page.get_by_role("link", name=made["id"]).click()
    looked_at(page, shots, "11-hidden")
    assert "7*7" not in page.locator("main").inner_text()
    page.get_by_label("Reason").fill("The customer asked why this one fails.")
    page.get_by_role("button", name="Show the text").click()
    assert HOSTILE in page.locator("main pre").first.inner_text()
    looked_at(page, shots, "12-revealed")

    page.goto(f"/ops/accounts/organisation/{team.organisation}/visit/")
    looked_at(page, shots, "13-visit")
    page.get_by_label("Reason").fill("They cannot find their keys page.")
    page.get_by_role("button", name="Begin the visit").click()
    page.wait_for_url("**/dashboard/p/*/")
    assert page.get_by_text("as an operator, to read alone").is_visible()
    looked_at(page, shots, "14-visiting")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_url("**/ops/")
    assert "The visit is over." in page.locator(".messagelist").inner_text()
