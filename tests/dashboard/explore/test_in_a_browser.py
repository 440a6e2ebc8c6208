"""Explore in a real browser: to a memory, its evidence, what forgetting ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_client import ok, unique
from tests.dashboard.axe import accessible
from tests.dashboard.explore.yard import Yard
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_somebody_finds_a_memory_sees_its_evidence_and_forgets_it(
    yard: Yard, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    user = unique("maria")
    made = yard.api.told("I live in Rome. My sister Anna is allergic to peanuts.", user)
    page = signed_in(yard.owner)
    page.goto(yard.path)
    page.get_by_label("Id begins with").fill(user)
    page.get_by_role("button", name="Find").click()
    accessible(page)
    page.screenshot(path=shots / "users.png", full_page=True)
    page.get_by_role("link", name=user).click()
    accessible(page)
    page.screenshot(path=shots / "memories.png", full_page=True)

    page.get_by_label("Search the texts").fill("where does she live")
    page.get_by_role("button", name="Search").click()
    assert page.locator("mark").first.inner_text() == "live"
    assert "where" not in page.url
    accessible(page)
    page.screenshot(path=shots / "search.png", full_page=True)

    page.get_by_role("link", name="Memory mem_").first.click()
    assert page.locator("mark").first.inner_text() == "I live in Rome"
    page.get_by_role("link", name="Evidence of fact 1").click()
    row = page.locator("#fact-1")
    assert "lives_in Rome" in row.inner_text()
    accessible(page)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / "memory-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")

    page.get_by_role("link", name="Correct").click()
    page.get_by_label("Text").fill(made["content"].replace("Rome", "Oslo"))
    page.get_by_role("button", name="Compare").click()
    assert page.locator("del").inner_text() == "Rome"
    accessible(page)
    page.screenshot(path=shots / "compare.png", full_page=True)
    page.get_by_role("button", name="Save the new text").click()
    # The page loads itself anew once the text was read.
    page.locator("mark", has_text="I live in Oslo").wait_for(timeout=60_000)

    page.get_by_role("link", name="Forget").click()
    heading = page.get_by_role("heading", name="3 facts end with it")
    assert heading.is_visible()
    accessible(page)
    page.screenshot(path=shots / "forget.png", full_page=True)
    page.get_by_role("button", name="Forget the memory").click()
    assert "3 facts ended with it" in page.locator("main").inner_text()
    accessible(page)
    assert ok(yard.api.get("/v1/facts", user_id=user))["facts"] == []


def test_the_other_pages_are_usable_by_everybody(
    yard: Yard, fresh_yard: Yard, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    user = unique("maria")
    yard.api.told("I live in Rome.", user, agent_id=unique("bot"))
    page = signed_in(yard.member)
    page.goto(yard.of_user(user))
    assert page.get_by_role("link", name="Erase").count() == 0
    accessible(page)
    page = signed_in(yard.owner)
    for path in (
        fresh_yard.path,
        f"{yard.path}agents/",
        f"{yard.path}memories/",
        yard.of_user(user, "names/"),
        yard.of_user(user, "erase/"),
    ):
        page.goto(path)
        accessible(page)
    page.get_by_label("Type the id to confirm").fill(user)
    page.screenshot(path=shots / "erase.png", full_page=True)
    page.get_by_role("button", name="Erase for good").click()
    page.wait_for_url("**/receipts/*/")
    accessible(page)
    page.screenshot(path=shots / "receipt.png", full_page=True)
