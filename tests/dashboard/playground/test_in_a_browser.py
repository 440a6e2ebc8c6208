"""The playground in a real browser: facts appear without reloading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_client import ok
from tests.dashboard.axe import accessible
from tests.dashboard.playground.ground import Ground
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_facts_arrive_by_themselves_and_are_found(
    ground: Ground, signed_in: Callable[[Visitor], Page], shots: Path, uid: str
) -> None:
    page = signed_in(ground.owner)
    loads: list[str] = []
    page.on("load", lambda shown: loads.append(shown.url))
    page.goto(ground.page)
    accessible(page)
    page.fill("#add-content", "I live in Rome.")
    page.fill("#add-user_id", uid)
    page.fill("#add-timestamp", "2026-01-01")
    page.click("#add-send")
    page.get_by_role("table").get_by_text("Rome").first.wait_for()
    page.fill("#add-content", "I moved to Milan.")
    page.fill("#add-timestamp", "2026-05-01")
    page.click("#add-send")
    said = page.locator("#outcome q", has_text="I moved to Milan")
    said.wait_for()
    assert "Rome" in page.locator("#outcome tbody tr").last.locator("td").last.inner_text()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.fill("#search-query", "Where do they live?")
    page.fill("#search-user_id", uid)
    page.press("#search-query", "Tab")
    page.click("#search-send")
    heading = page.locator("#found-heading")
    heading.wait_for()
    page.wait_for_function("document.activeElement.id === 'found-heading'")
    assert page.input_value("#add-content") == "I moved to Milan."  # other panels keep theirs
    hits = ground.api.search(
        "Where do they live?", user_id=uid, types=["memories", "facts"], limit=15
    )
    assert heading.inner_text() == f"{len(hits)} results"
    page.fill("#context-query", "Where do they live?")
    page.fill("#context-user_id", uid)
    page.click("#context-send")
    block = page.locator("#context-panel pre").first
    block.wait_for()
    told = ok(ground.api.get("/v1/context", query="Where do they live?", user_id=uid))
    assert block.inner_text() == told["context"]
    page.click("#context-panel summary")
    accessible(page)
    page.screenshot(path=shots / "playground.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / "playground-narrow.png", full_page=True)
    assert loads == [page.url]
    assert not any("live" in url for url in asked)  # what is asked stands in no address
    assert not any("memories" in url for url in asked)  # nothing is looked at once it is read


def test_what_is_refused_is_where_the_cursor_goes(
    ground: Ground, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    page = signed_in(ground.owner)
    page.goto(ground.page)
    page.fill("#context-query", "Where do they live?")
    page.fill("#context-token_budget", "7000")
    page.fill("#context-as_of", "soon")
    page.click("#context-send")
    page.locator("#context-as_of[aria-invalid=true]").wait_for()
    page.wait_for_function("document.activeElement.id === 'context-as_of'")
    assert page.input_value("#context-query") == "Where do they live?"
    accessible(page)
    page.screenshot(path=shots / "playground-refused.png", full_page=True)


def test_without_scripts_a_link_shows_the_facts(
    ground: Ground, signed_in: Callable[[Visitor], Page], uid: str
) -> None:
    context = signed_in(ground.owner).context
    browser = context.browser
    assert browser is not None
    plain = browser.new_context(
        base_url=f"http://localhost:{ground.house.port}", java_script_enabled=False
    )
    plain.add_cookies(context.cookies())  # type: ignore[arg-type]
    page = plain.new_page()
    page.goto(ground.page)
    page.fill("#add-content", "I live in Rome.")
    page.fill("#add-user_id", uid)
    page.click("#add-send")
    assert page.input_value("#add-content") == "I live in Rome."
    ground.api.settle(uid)
    page.get_by_role("link", name="Refresh").click()
    assert "Rome" in page.locator("#outcome table").inner_text()
    plain.close()
