"""The way in, the team, projects, settings and a person's own pages, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.axe import accessible
from tests.dashboard.records import let_limits_pass
from tests.dashboard.team import Team
from tests.dashboard.visitor import PASSWORD, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def looked_at(page: Page, path: str, shots: Path, name: str) -> None:
    """Usable by everybody, and kept as pictures: wide, dark, narrow."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200, path
    accessible(page)
    page.screenshot(path=shots / f"{name}.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / f"{name}-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=shots / f"{name}-narrow.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})


def test_the_way_in_can_be_used_by_everybody(page: Page, shots: Path) -> None:
    for name in ("login", "signup", "password/reset"):
        looked_at(page, f"/account/{name}/", shots, name.replace("/", "-"))


def test_a_persons_own_pages_can_be_used_by_everybody(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    let_limits_pass(gathered.house)
    person = Visitor(gathered.house, gathered.member.email)
    person.sign_in()
    person.prove()
    page = signed_in(person)
    for name in ("profile", "email", "password/change", "2fa", "2fa/totp/activate", "delete"):
        looked_at(page, f"/account/{name}/", shots, name.replace("/", "-"))


def test_an_owner_makes_and_deletes_a_project_and_then_the_organisation(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    team = gathered.again()
    page = signed_in(team.owner)
    looked_at(page, team.page, shots, "team")
    main = page.locator("main")
    page.get_by_role("link", name="Projects", exact=True).click()
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name").fill("Second")
    page.get_by_label("Region").select_option("eu")
    page.get_by_role("button", name="Make the project").click()
    projects = f"/dashboard/o/{team.organisation}/projects/"
    looked_at(page, projects, shots, "projects")
    main.get_by_role("link", name="Delete Second").click()
    looked_at(page, page.url, shots, "project-delete")
    page.get_by_label("Erase it for good").check()
    page.get_by_label("Type the project's name").fill("second")
    page.get_by_role("button", name="Delete the project").click()
    assert "This is not the project's name" in main.inner_text()
    page.get_by_label("Type the project's name").fill("Second")
    page.get_by_role("button", name="Delete the project").click()
    assert "Project deleted" in main.inner_text()
    accessible(page)
    page.screenshot(path=shots / "receipt.png", full_page=True)

    settings = f"/dashboard/o/{team.organisation}/settings/"
    looked_at(page, settings, shots, "settings")
    page.get_by_role("link", name="Delete the organisation").click()
    accessible(page)
    page.screenshot(path=shots / "prove.png", full_page=True)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(f"**{settings}delete/")
    looked_at(page, page.url, shots, "organisation-delete")
    page.get_by_label("Type the organisation's name").fill(team.name)
    page.get_by_role("button", name="Delete the organisation").click()
    assert "Organisation deleted" in main.inner_text()


def test_a_member_sees_neither_what_they_may_not_do_nor_the_ways_to_it(
    gathered: Team, signed_in: Callable[[Visitor], Page], shots: Path
) -> None:
    team = gathered.again()
    page = signed_in(team.member)
    looked_at(page, team.page, shots, "team-of-a-member")
    side = page.get_by_role("navigation", name="Main")
    names = side.get_by_role("link").all_inner_texts()
    assert {"Projects", "Team", "Settings"} <= set(names)
    assert not {"Webhooks", "Audit"} & set(names)
    main = page.locator("main")
    for hidden in ("Invite someone", "Remove", "Change"):
        assert main.get_by_text(hidden, exact=True).count() == 0, hidden
    side.get_by_role("link", name="Projects").click()
    assert main.get_by_role("link", name="New project").count() == 0
    side.get_by_role("link", name="Settings").click()
    assert main.get_by_role("textbox").count() == 0
    assert main.get_by_text("Delete the organisation").count() == 0
    answer = page.goto(f"/dashboard/o/{team.organisation}/settings/delete/")
    assert answer is not None
    assert answer.status == 403
    assert main.get_by_role("link", name="See the team").is_visible()
    accessible(page)
