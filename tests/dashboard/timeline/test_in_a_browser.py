"""A timeline through a real browser: travelled in time, a fact opened, corrected with a preview."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.axe import accessible
from tests.dashboard.timeline.storyteller import Storyteller
from tests.dashboard.visitor import Visitor
from tests.fact_calls import values, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_somebody_travels_in_time_and_reads_a_fact(
    teller: Storyteller,
    uid: str,
    page: Page,
    signed_in: Callable[[Visitor], Page],
    shots: Path,
) -> None:
    teller.moved(uid)
    write(
        teller.api, uid, "lives_in", "Lima", user_id=uid, tense="planned", valid_from="2091-01-01"
    )
    write(teller.api, "Ann", "likes", "<img src=x onerror=alert(1)>", user_id=uid)
    signed_in(teller.owner)
    page.goto(teller.page)
    accessible(page)
    page.get_by_label("End user").fill(uid)
    page.get_by_role("button", name="Show").click()
    home = page.get_by_role("region", name=f"{uid} lives_in")
    assert "Oslo Current" in " ".join(home.inner_text().split())
    shoot(page, shots, "1-now")
    accessible(page)

    page.get_by_label("True on (UTC)").fill("2021-06-01T00:00")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_text("What was true on 1 June 2021, as known now.").is_visible()
    assert home.locator("strong").inner_text() == "Rome"
    shoot(page, shots, "2-as-of")
    accessible(page)
    page.get_by_role("link", name="Back to now").click()
    assert home.locator("strong").all_inner_texts() == ["Lima", "Oslo"]

    page.get_by_label("Words in facts").fill("nowhere")
    page.get_by_role("button", name="Find").click()
    assert page.get_by_role("heading", name="No match").is_visible()
    assert "nowhere" not in page.url
    accessible(page)
    page.get_by_role("link", name="All of their facts").click()

    home.get_by_role("link", name="Rome").click()
    assert page.locator("mark").inner_text() == "I live in Rome"
    shoot(page, shots, "3-fact")
    accessible(page)


def test_somebody_corrects_a_fact_and_ends_it(
    teller: Storyteller,
    uid: str,
    page: Page,
    signed_in: Callable[[Visitor], Page],
    shots: Path,
) -> None:
    fact = write(teller.api, uid, "lives_in", "Oslo", user_id=uid)
    signed_in(teller.owner)
    page.goto(f"{teller.page}{fact['id']}/")
    page.get_by_role("link", name="Correct").click()
    accessible(page)
    page.get_by_label("Object").fill("Bergen")
    page.get_by_role("button", name="Preview", exact=True).click()
    change = page.get_by_role("region", name="What would change")
    assert "a caller corrected it" in change.inner_text()
    shoot(page, shots, "4-preview")
    accessible(page)
    assert values(teller.api, uid) == ["Oslo"]
    page.get_by_role("button", name="Correct it").click()
    assert page.get_by_role("status").inner_text().startswith("Corrected.")
    assert values(teller.api, uid) == ["Bergen"]

    page.get_by_role("link", name="End or forget").click()
    accessible(page)
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_role("button", name="End it", exact=True).click()
    assert "stays in history" in page.get_by_role("status").inner_text()
    assert values(teller.api, uid) == []
    page.goto(f"{teller.page}new/?user={uid}")
    accessible(page)
    shoot(page, shots, "5-add")


def shoot(page: Page, shots: Path, name: str) -> None:
    """Wide and light, narrow and dark."""
    page.screenshot(path=shots / f"{name}.png", full_page=True)
    size = page.viewport_size
    assert size is not None
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / f"{name}-narrow-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)
