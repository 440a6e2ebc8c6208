"""The log of requests in a real browser: filtered, and followed as it grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_client import ok, refused, unique
from tests.dashboard.axe import accessible
from tests.dashboard.team import Team
from tests.dashboard.test_key_choice import Ring
from tests.dashboard.usage.account import account_on
from tests.dashboard.usage.test_in_a_browser import looks
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_requests_are_followed_filtered_and_opened(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    from playwright.sync_api import expect

    account = account_on(gathered)
    page = signed_in(account.team.member)
    page.goto(account.requests)
    assert "No request in that time" in page.locator("main").inner_text()
    looks(page, shots, "1-none")

    page.get_by_role("link", name="Follow live").click()
    request_id = unique("req")
    account.api.request("GET", "/v1/facts", headers={"X-Request-Id": request_id})
    expect(page.locator("#rows")).to_contain_text("/v1/facts", timeout=10_000)  # by itself
    refused(account.api.post("/v1/memories", {}), 422, "invalid_request")
    expect(page.locator("#rows")).to_contain_text("422", timeout=10_000)
    accessible(page)
    page.screenshot(path=shots / "2-live.png", full_page=True)
    page.get_by_role("link", name="Stop following").click()

    ok(account.api.get("/v1/ping"))
    page.get_by_label("Status").select_option("4")
    page.get_by_role("button", name="Filter").click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    assert "status=4" in page.url
    looks(page, shots, "3-filtered")
    page.get_by_role("link", name="Clear").click()
    page.get_by_label("Request id").fill(request_id)
    page.get_by_role("button", name="Filter").click()
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="GET /v1/facts").click()
    assert request_id in page.locator("main").inner_text()
    looks(page, shots, "4-one")


@pytest.mark.parametrize("section", ["requests", "usage"])
def test_a_key_is_searched_for_and_chosen_of_several(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path, section: str
) -> None:
    from playwright.sync_api import expect

    ring = Ring(account_on(gathered))
    page = signed_in(ring.account.team.member)
    page.goto(ring.account.requests if section == "requests" else ring.account.page)
    field = page.get_by_role("searchbox", name="Key")
    field.fill("tea")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Which of these keys?")).to_be_visible()
    looks(page, shots, "1-which")
    page.get_by_role("link", name="100% tea").click()
    expect(field).to_have_value("100% tea · ••••aaa4")
    field.press("Enter")  # what it holds is what it finds
    expect(field).to_have_value("100% tea · ••••aaa4")
    expect(page.get_by_role("heading", name="Which of these keys?")).to_have_count(0)
    looks(page, shots, "2-one")
    field.fill(f"kor_self_{'0' * 32}")
    field.press("Enter")
    assert field.evaluate("field => field.validity.patternMismatch")
    field.fill("nothing of that name")
    field.press("Enter")
    expect(page.get_by_role("heading", name="No key matches")).to_be_visible()
    looks(page, shots, "3-none")
