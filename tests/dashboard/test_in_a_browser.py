"""The way in, in a real browser: sign-up, confirmation, second factor, team, operators' site."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.records import let_limits_pass
from tests.dashboard.visitor import PASSWORD, Visitor, path_in
from tests.operations import manage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(house: Stack) -> Iterator[Page]:
    """A page that fails the test when anything on it is refused by the policy or breaks."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "needs Chromium (Debian: apt-get install chromium)"
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found, args=["--no-sandbox"])
        shown = browser.new_page(base_url=f"http://localhost:{house.port}")
        faults: list[str] = []
        shown.on("console", lambda said: said.type == "error" and faults.append(said.text))
        shown.on("pageerror", lambda error: faults.append(str(error)))
        yield shown
        browser.close()
        assert faults == []


def test_a_person_signs_up_signs_in_with_a_code_sees_the_team_and_operates(
    house: Stack, page: Page, tmp_path: Path
) -> None:
    let_limits_pass(house)
    person = Visitor(house)  # reads the mails and makes the codes
    name = unique("Studio")
    sign_up(page, person, name, tmp_path)
    sign_in(page, person)
    assert page.get_by_role("heading", level=1).inner_text() == name
    page.screenshot(path=tmp_path / "3-dashboard.png")
    set_up_second_factor(page, person, tmp_path)

    sign_in(page, person)
    page.get_by_label("Code").fill(person.code(1))
    page.screenshot(path=tmp_path / "6-code.png")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/dashboard/")
    page.get_by_role("link", name="Team").click()
    page.get_by_label("E-mail address").fill("someone@people.example")
    page.get_by_label("Role", exact=True).select_option("admin")
    page.get_by_role("button", name="Send the invitation").click()
    assert "An invitation was sent" in page.get_by_role("status").inner_text()
    row = page.get_by_role("row", name="someone@people.example")
    assert "Admin" in row.inner_text()
    page.screenshot(path=tmp_path / "7-team.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=tmp_path / "8-team-narrow.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    manage(house, "make_operator", person.email)
    page.set_viewport_size({"width": 1280, "height": 800})
    look_at_operations(page, tmp_path)


def sign_up(page: Page, person: Visitor, name: str, shots: Path) -> None:
    page.goto("/account/signup/")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password").fill("short")
    page.get_by_label("Organisation").fill(name)
    page.get_by_role("button", name="Sign up").click()
    assert "too short" in page.locator(".field", has=page.get_by_label("Password")).inner_text()
    page.screenshot(path=shots / "1-sign-up.png")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/account/confirm-email/")

    page.goto(path_in(person.mail("Confirm your e-mail address")))
    page.screenshot(path=shots / "2-confirm.png")
    page.get_by_role("button", name="Confirm").click()


def set_up_second_factor(page: Page, person: Visitor, shots: Path) -> None:
    page.get_by_role("link", name="Two-factor").click()
    page.get_by_role("link", name="Activate").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    person.secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(person.code())
    page.screenshot(path=shots / "4-second-factor.png")
    page.get_by_role("button", name="Activate").click()
    assert "Unused codes" in page.locator("main").inner_text()
    page.screenshot(path=shots / "5-recovery-codes.png")
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()


def look_at_operations(page: Page, shots: Path) -> None:
    page.reload()
    page.get_by_role("link", name="Operations").click()
    for listed in ("Organisations", "Plans", "Api keys", "People"):
        page.goto("/ops/")
        page.get_by_role("link", name=listed, exact=True).first.click()
        page.screenshot(path=shots / f"9-{listed}.png")
        page.locator("#result_list th a").first.click()
        assert page.locator("#content h1").is_visible()


def sign_in(page: Page, person: Visitor) -> None:
    page.goto("/account/login/")
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
