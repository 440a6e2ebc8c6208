"""From sign-up to the first request, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, unique
from tests.dashboard.axe import accessible
from tests.dashboard.overview.start import Start, key_in
from tests.dashboard.records import let_limits_pass
from tests.dashboard.visitor import PASSWORD, Visitor, path_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_from_sign_up_to_the_first_request(house: Stack, page: Page, shots: Path) -> None:
    let_limits_pass(house)
    person = Visitor(house)  # reads the mails
    page.goto("/account/signup/")
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Organisation").fill(unique("Studio"))
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/account/confirm-email/")
    page.goto(path_in(person.mail("Confirm your e-mail address")))
    page.get_by_role("button", name="Confirm").click()
    page.goto("/account/login/")
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="To your first request").wait_for()
    accessible(page)
    page.screenshot(path=shots / "1-start.png", full_page=True)
    page.get_by_role("button", name="Create a key").click()
    page.get_by_text("Waiting for your first request").wait_for()
    accessible(page)
    page.screenshot(path=shots / "2-waiting.png", full_page=True)
    page.get_by_role("button", name="Copy curl").click()
    call: str = page.evaluate("navigator.clipboard.readText()")
    Api(house.base_url, key_in(call)).add("Ines moved to Bergen in March 2026.", user_id="ines")
    page.get_by_text("First request received").wait_for()  # by itself
    accessible(page)
    page.screenshot(path=shots / "3-arrived.png", full_page=True)
    assert "stored a memory" in page.locator("#waiting").inner_text()
    page.goto("/dashboard/")
    page.get_by_role("heading", name="What it holds").wait_for()
    accessible(page)
    page.screenshot(path=shots / "4-overview.png", full_page=True)


def test_a_member_s_start_can_be_used_by_everybody_too(
    start: Start, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    page = signed_in(start.team.member)
    page.goto(start.path)
    accessible(page)
    page.screenshot(path=shots / "1-member.png", full_page=True)
    assert page.get_by_role("button", name="Create a key").count() == 0
