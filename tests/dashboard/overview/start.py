"""A project before its first request."""

from __future__ import annotations

import html
import re

import httpx

from korely.embedded.stack import Stack
from tests.dashboard.keys.ring import Ring
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

_CODE = re.compile(r'<pre id="(curl|python)"[^>]*>(.*?)</pre>', re.S)


class Start:
    """`path` is the overview's address; `ring` are the organisation's keys."""

    def __init__(self, house: Stack, team: Team) -> None:
        self.team = team
        self.ring = Ring(house, team.organisation, team.project)
        self.path = f"/dashboard/p/{team.project}/"

    def make_key(self, by: Visitor) -> httpx.Response:
        return by.post(f"{self.path}first-key/", page="/account/email/")

    def page(self, by: Visitor) -> str:
        answer = by.get(self.path)
        assert answer.status_code == 200
        return words(answer)

    def waiting(self, by: Visitor) -> httpx.Response:
        """The part of the page that asks again by itself."""
        answer = by.get(f"{self.path}waiting/", headers={"HX-Request": "true"})
        assert answer.status_code == 200
        return answer


def calls_on(page: httpx.Response) -> dict[str, str]:
    """The calls to copy, for `curl` and for `python`, as they would be copied."""
    return {name: html.unescape(text) for name, text in _CODE.findall(page.text)}


def key_in(call: str) -> str:
    """The key that a copied call has in it."""
    return call.partition("Bearer ")[2].partition('"')[0]
