"""Whether a page can be used by everybody: axe-core's rules of WCAG 2.2, levels A and AA."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is shown, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    # Fetching style sheets anew, for one rule about turned screens, trips over the page's policy.
    options = {"runOnly": {"type": "tag", "values": LEVELS}, "preload": False}
    found = Axe().run(page, options=options)
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


def accessible(page: Page) -> None:
    """Fail with what is wrong, in the light theme, the dark one, and on a narrow screen."""
    size = page.viewport_size
    assert size is not None
    try:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = violations(page)
            assert found == [], (page.url, scheme, found)
        page.set_viewport_size({"width": 320, "height": 700})
        found = violations(page)
        assert found == [], (page.url, "narrow", found)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url
    finally:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")
