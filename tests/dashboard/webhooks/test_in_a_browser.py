"""Webhooks in a real browser: made, tested, failing, delivered again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.axe import accessible
from tests.dashboard.visitor import Visitor
from tests.dashboard.webhooks.conftest import Desk
from tests.webhooks.receiver import receiving

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_webhook_is_made_tested_fails_and_is_delivered_again(
    desk: Desk, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    from playwright.sync_api import expect

    page = signed_in(desk.person)
    page.goto(desk.path)
    accessible(page)
    with receiving(held=True) as receiver:
        page.get_by_role("link", name="Add a webhook").click()
        page.get_by_label("URL").fill("ftp://hooks.example.com/")
        page.get_by_role("button", name="Add the webhook").click()
        assert (
            "must begin with" in page.locator(".field", has=page.get_by_label("URL")).inner_text()
        )
        accessible(page)
        page.screenshot(path=shots / "1-refused.png", full_page=True)
        page.get_by_label("URL").fill(receiver.url)
        page.get_by_role("button", name="Add the webhook").click()
        secret = page.get_by_label("Signing secret").input_value()
        assert secret.startswith("whsec_")
        page.get_by_role("button", name="Copy").click()
        assert page.evaluate("navigator.clipboard.readText()") == secret
        accessible(page)
        page.screenshot(path=shots / "2-secret.png", full_page=True)
        page.get_by_role("link", name="To the webhook").click()

        page.get_by_role("button", name="Send a test event").click()
        state = page.locator("#state")
        expect(state).to_contain_text("Pending")
        receiver.hold.set()
        expect(state).to_contain_text("Delivered", timeout=30_000)  # by itself
        accessible(page)
        page.screenshot(path=shots / "3-delivered.png", full_page=True)

        receiver.otherwise = 500
        page.get_by_role("button", name="Deliver again").click()
        expect(page.locator("#state")).to_contain_text("Given up", timeout=30_000)
        assert "answered 500" in page.locator("#state").inner_text()
        page.locator("main").get_by_role("link", name="127.0.0.1").click()
        assert "Failing" in page.locator("main").inner_text()
        accessible(page)
        page.screenshot(path=shots / "4-failing.png", full_page=True)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=shots / "5-failing-dark.png", full_page=True)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 360, "height": 740})
        page.screenshot(path=shots / "6-failing-narrow.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 800})

        receiver.otherwise = 204
        page.get_by_role("button", name="Deliver again what was given up").click()
        assert "Delivered again: 1." in page.get_by_role("status").first.inner_text()
        page.get_by_role("link", name="webhook.test").first.click()
        expect(page.locator("#state")).to_contain_text("Delivered", timeout=30_000)
    page.goto(desk.path)
    page.screenshot(path=shots / "7-list.png", full_page=True)
