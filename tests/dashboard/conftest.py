"""An install of its own that people may sign up to, behind a proxy that names their addresses; a
real browser in front of it.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request


@pytest.fixture(scope="session")
def house() -> Iterator[Stack]:
    env = {
        "RATE_LIMIT_PER_MINUTE": "0",
        "KORELY_SIGNUP": "1",
        "KORELY_TRUSTED_PROXIES": "127.0.0.1",
    }
    with Stack.temporary(env=env) as running:
        yield running


@pytest.fixture
def visitor(house: Stack) -> Visitor:
    return Visitor(house)


@pytest.fixture(scope="session")
def gathered(house: Stack) -> Team:
    """Not changed for good by any test; `again()` makes one that may be."""
    return Team.gathered(house)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    # Closed after each module: while it is open its thread has an event loop, in which Django
    # refuses queries, and some tests ask them.
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "needs Chromium (Debian: apt-get install chromium)"
    with sync_playwright() as tool:
        opened = tool.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(house: Stack, browser: Browser) -> Iterator[Page]:
    """A page that fails the test when anything on it is refused by the policy or breaks."""
    # Not 127.0.0.1: the clipboard is for secure contexts, and `localhost` is one as well.
    context = browser.new_context(
        base_url=f"http://localhost:{house.port}",
        permissions=["clipboard-read", "clipboard-write"],
    )
    shown = context.new_page()
    faults: list[str] = []
    pages: set[str] = set()

    def asked(sent: Request) -> None:
        if sent.resource_type == "document":
            pages.add(sent.url)

    def said(message: ConsoleMessage) -> None:
        # A page that is answered with a 4xx is told here too: tests ask for those on purpose.
        if message.type == "error" and message.location["url"] not in pages:
            faults.append(message.text)

    shown.on("request", asked)
    shown.on("console", said)
    shown.on("pageerror", lambda error: faults.append(str(error)))
    yield shown
    context.close()
    assert faults == []


@pytest.fixture
def signed_in(page: Page) -> Callable[[Visitor], Page]:
    """The browser, logged in as somebody: their session's cookies are its own."""

    def turn_into(person: Visitor) -> Page:
        page.context.clear_cookies()
        page.context.add_cookies(
            [
                {"name": cookie.name, "value": cookie.value or "", "domain": "localhost",
                 "path": "/"}
                for cookie in person.http.cookies.jar
            ]
        )  # fmt: skip
        return page

    return turn_into


@pytest.fixture
def shots(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a test leaves its screenshots: below KORELY_SHOTS when that is set, which CI keeps."""
    kept = os.environ.get("KORELY_SHOTS")
    if not kept:
        return tmp_path
    folder = Path(kept) / re.sub(r"\W+", "-", request.node.nodeid)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
