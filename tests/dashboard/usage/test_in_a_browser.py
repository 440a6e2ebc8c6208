"""Usage in a real browser: the API's numbers, the chart and its table, another plan."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_client import ok, refused
from tests.dashboard.axe import accessible
from tests.dashboard.team import Team
from tests.dashboard.usage.account import Account, account_on
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def account(gathered: Team) -> Account:
    """With a past month and the present one up to yesterday used by a key."""
    found = account_on(
        gathered, writes_per_month=2_000, queries_per_month=90_000, agents=5, per_minute=60
    )
    found.execute(
        "INSERT INTO billing_usageday (id, organisation_id, day, project_id, key_id, writes,"
        " queries) SELECT gen_random_uuid(), k.organisation_id, d::date, k.project_id, k.id,"
        " 15 + 9 * (extract(day FROM d)::int %% 4), 400 + 71 * (extract(day FROM d)::int %% 9)"
        " FROM accounts_apikey k, generate_series(date_trunc('month', now()) - interval '1 month',"
        " now() - interval '1 day', interval '1 day') d WHERE k.organisation_id = %s",
        found.team.organisation,
    )
    found.execute(
        "INSERT INTO billing_usage (id, organisation_id, month, writes, queries)"
        " SELECT %s, organisation_id, date_trunc('month', day)::date, sum(writes), sum(queries)"
        " FROM billing_usageday WHERE organisation_id = %s AND day >= date_trunc('month', now())"
        " GROUP BY 2, 3",
        uuid.uuid4(),
        found.team.organisation,
    )
    return found


def looks(page: Page, shots: Path, name: str) -> None:
    """What a page is like: usable by everybody, light and dark, wide and narrow."""
    accessible(page)
    page.screenshot(path=shots / f"{name}.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / f"{name}-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / f"{name}-narrow.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})


def test_the_pages_tell_the_api_s_numbers_and_an_owner_asks_for_a_plan(
    account: Account, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    for _ in range(3):
        account.api.add("I like soup.", user_id="u", agent_id="bot")
        ok(account.api.get("/v1/facts"))
    page = signed_in(account.team.owner)
    page.goto(account.page)
    chart = page.get_by_role("img", name="Writes and queries by day")
    assert chart.locator("rect.writes").count() >= 1
    page.get_by_text("The same as a table").click()
    sums = page.locator("tfoot td").all_inner_texts()
    words = page.locator("#chart-sum").inner_text()
    assert words.startswith(f"{sums[0]} writes and {sums[1]} queries in")
    looks(page, shots, "1-month")

    account.execute(
        "UPDATE billing_plan SET writes_per_month = (SELECT writes FROM billing_usage"
        " WHERE organisation_id = %s AND month = date_trunc('month', now())::date)"
        " WHERE slug = %s",
        account.team.organisation,
        account.plan,
    )
    told = refused(account.api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    page.reload()
    said = f"{told['used']:,} of {told['limit']:,} writes"
    assert said in page.locator("#used-writes").inner_text()
    assert sums[0] == f"{told['used']:,}"
    page.screenshot(path=shots / "2-spent.png", full_page=True)

    page.get_by_role("link", name="Rate limits").click()
    assert "of 60 requests this minute" in page.locator("main").inner_text()
    looks(page, shots, "3-limits")

    page.goto(account.page)
    page.get_by_role("link", name="Ask for another plan").click()
    looks(page, shots, "4-plan")
    page.get_by_label("Plan", exact=True).select_option("team")
    page.get_by_label("Note to the operators").fill("We grow <b>fast</b>")
    page.get_by_role("button", name="Ask for it").click()
    assert "Asked for team" in page.locator("main").inner_text()
    looks(page, shots, "5-asked")

    page = signed_in(account.team.member)
    page.goto(account.page)
    accessible(page)
    page.get_by_role("link", name="See who can change the plan").click()
    assert "Team" in page.locator("h1").inner_text()
