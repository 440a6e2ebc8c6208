"""The audit log in a real browser: filtered, opened, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.audit.log import answered, path_of
from tests.dashboard.axe import accessible
from tests.dashboard.playground.ground import Ground
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_log_is_filtered_opened_and_exported(
    ground: Ground, signed_in: Callable[[Visitor], Page], shots: Path, uid: str
) -> None:
    page = signed_in(ground.owner)
    ground.added("I live in Rome.", user_id=uid)
    ground.api.settle(uid)
    ground.send("search", query="Where?", user_id=uid)
    ground.api.add("Somebody else's.", user_id="another")
    ground.api.settle()
    page.goto(path_of(ground))
    accessible(page)
    page.screenshot(path=shots / "audit.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / "audit-narrow.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_label("End user").fill(uid)
    page.get_by_label("What", exact=True).select_option(label="Read")
    page.get_by_label("What", exact=True).press("Tab")
    page.get_by_role("button", name="Filter").click()
    assert f"user_id={uid}" in page.url
    assert "action=read" in page.url
    expected = answered(ground, user_id=uid, action="read")
    assert page.locator("tbody tr").count() == len(expected)
    accessible(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON lines").click()
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [event["id"] for event in expected]
    page.locator("tbody tr a").first.click()
    assert page.get_by_role("heading", level=1).inner_text() == "Read"
    accessible(page)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / "audit-event-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.goto(f"{path_of(ground)}?action=erase")
    accessible(page)
    page.screenshot(path=shots / "audit-none.png", full_page=True)
