"""The life of a key in a real browser: made, copied, used, rotated, revoked; with keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_client import Api, ok, refused
from tests.dashboard.axe import accessible
from tests.dashboard.keys.ring import Ring
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SignedIn = Callable[[Visitor], "Page"]


def copied(page: Page) -> str:
    """Press the secret's button, and what is in the clipboard then."""
    page.locator('[data-copy="#secret"]').click()
    page.get_by_role("button", name="Copied").wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"kor_self_[0-9a-f]{32}", text)
    return text


def test_a_key_is_created_copied_used_rotated_and_revoked(
    team: Team, ring: Ring, signed_in: SignedIn, shots: Path
) -> None:
    page = signed_in(team.owner)
    page.goto(ring.path)
    accessible(page)
    page.get_by_role("link", name="Create a key").first.click()
    accessible(page)
    assert not page.get_by_label("Days").is_visible()
    page.get_by_label("Name", exact=True).fill("Night shift")
    page.get_by_role("button", name="Create the key").click()
    accessible(page)
    page.screenshot(path=shots / "1-secret.png", full_page=True)
    old = Api(ring.house.base_url, copied(page))
    assert old.add("I live in Rome.", user_id="ines")["user_id"] == "ines"
    page.reload()
    assert old.key is not None
    assert old.key not in page.content()
    accessible(page)
    page.get_by_role("link", name="Rotate").click()
    accessible(page)
    page.get_by_label("In 1 hour").check()
    page.get_by_role("button", name="Rotate the key").click()
    new = Api(ring.house.base_url, copied(page))
    for api in (old, new):
        assert ok(api.get("/v1/memories"))["total"] == 1
    page.goto(ring.path)
    page.screenshot(path=shots / "2-keys.png", full_page=True)
    accessible(page)
    page.get_by_role("link", name="Night shift", exact=True).click()
    page.get_by_role("link", name="Revoke").click()
    accessible(page)
    page.get_by_label("Reason").fill("Left on a train")
    page.get_by_role("button", name="Revoke the key").click()
    assert "Left on a train" in page.locator("main").inner_text()
    page.screenshot(path=shots / "3-revoked.png", full_page=True)
    refused(new.get("/v1/ping"), 401, "invalid_key")
    ok(old.get("/v1/ping"))


def test_a_confined_key_reaches_only_its_end_users(
    team: Team, ring: Ring, signed_in: SignedIn
) -> None:
    page = signed_in(team.owner)
    page.goto(f"{ring.path}new/")
    page.get_by_label("Confined to end users").check()
    page.get_by_label("Name", exact=True).fill("For Ines")
    page.get_by_label("End users", exact=True).fill("ines\nteam-*")
    page.get_by_role("button", name="Create the key").click()
    api = Api(ring.house.base_url, copied(page))
    for user in ("ines", "team-7"):
        api.add("I live in Oslo.", user_id=user)
    refused(api.post("/v1/memories", {"content": "No.", "user_id": "marco"}), 403, "forbidden")
    page.goto(ring.path)
    assert "1 end user and 1 prefix: ines, team-*" in page.locator("tbody").inner_text()


def test_a_key_is_created_with_the_keyboard_alone(
    team: Team, ring: Ring, signed_in: SignedIn, shots: Path
) -> None:
    page = signed_in(team.owner)
    page.goto(ring.path)

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            focused = page.evaluate(
                "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"
            )
            if focused.startswith(name):
                return
        raise AssertionError(f"the Tab key does not lead to {name}")

    tab_to("Create a key")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new/")
    tab_to("Agent")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    tab_to("Read memories")
    page.keyboard.press("Space")
    tab_to("Name")
    page.keyboard.type("By hand")
    tab_to("Expires")
    page.keyboard.type("After")
    tab_to("Days")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3")
    page.screenshot(path=shots / "1-filled.png", full_page=True)
    page.keyboard.press("Enter")
    page.wait_for_url("**/secret/")
    tab_to("Copy")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied").wait_for()
    api = Api(ring.house.base_url, page.evaluate("navigator.clipboard.readText()"))
    assert ok(api.get("/v1/ping"))["scopes"] == ["memories:read"]
    assert ring.names() == ["By hand"]


def test_a_member_s_list_can_be_used_by_everybody_too(
    team: Team, ring: Ring, signed_in: SignedIn, shots: Path
) -> None:
    ring.made(team.owner, name="of the team", expires="7")
    page = signed_in(team.member)
    page.goto(ring.path)
    accessible(page)
    page.screenshot(path=shots / "1-member.png", full_page=True)
    assert page.get_by_role("link", name="Create a key").count() == 0
