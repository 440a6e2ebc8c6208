"""The way in, in a real browser: sign-up, confirmation, second factor, team, operators' site."""

from __future__ import annotations

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


def test_a_person_signs_up_signs_in_with_a_code_sees_the_team_and_operates(
    house: Stack, page: Page, shots: Path
) -> None:
    let_limits_pass(house)
    person = Visitor(house)  # reads the mails and makes the codes
    name = unique("Studio")
    sign_up(page, person, name, shots)
    sign_in(page, person)
    assert page.get_by_text(name).first.is_visible()
    page.screenshot(path=shots / "3-dashboard.png")
    set_up_second_factor(page, person, shots)

    sign_in(page, person)
    page.get_by_label("Code").fill(person.code(1))
    page.screenshot(path=shots / "6-code.png")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/dashboard/p/*/")
    page.get_by_role("link", name="Team").click()
    page.get_by_label("E-mail address").fill("someone@people.example")
    page.get_by_label("Role", exact=True).select_option("admin")
    page.get_by_role("button", name="Send the invitation").click()
    assert "An invitation was sent" in page.get_by_role("status").inner_text()
    row = page.get_by_role("row", name="someone@people.example")
    assert "Admin" in row.inner_text()
    page.screenshot(path=shots / "7-team.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / "8-team-narrow.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    manage(house, "make_operator", person.email)
    page.set_viewport_size({"width": 1280, "height": 800})
    look_at_operations(page, shots)


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
    open_menu(page, person)
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
    open_menu(page, person)
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()


def look_at_operations(page: Page, shots: Path) -> None:
    page.reload()
    page.locator("summary").last.click()
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


def open_menu(page: Page, person: Visitor) -> None:
    page.locator("summary", has_text=person.email).click()
