"""Every route × every role, another organisation's owner, and nobody."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.every.pages import ELSEWHERE, OF_ORGANISATION, OF_PROJECT, Route, address
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, settled, words

ROUTES = [*OF_PROJECT, *OF_ORGANISATION]
REFUSED = "Owners and admins do this"


def asked(route: Route, by: Visitor, path: str) -> httpx.Response:
    return by.post(path, page="/account/email/") if route.act else by.get(path)


def names_of(entries: list[URLPattern | URLResolver]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, URLResolver):
            yield from names_of(entry.url_patterns)
        else:
            assert entry.name, entry.pattern
            yield entry.name


def test_every_route_is_in_the_list(stack: Stack) -> None:
    (dashboard,) = [one for one in get_resolver().url_patterns if str(one.pattern) == "dashboard/"]
    placed = [one for one in dashboard.url_patterns if isinstance(one, URLResolver)]
    listed = {route.name for route in ROUTES} | ELSEWHERE
    assert set(names_of(placed)) == listed


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_another_organisations_owner_finds_nothing(
    stranger: Visitor, team: Team, objects: dict[str, str], route: Route
) -> None:
    answer = asked(route, stranger, address(route, objects))
    assert answer.status_code == 404
    assert "drawkcab" not in answer.text


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_whoever_is_not_signed_in_is_sent_to_sign_in(
    house: Stack, objects: dict[str, str], route: Route
) -> None:
    with httpx.Client(base_url=house.base_url) as nobody:
        path = address(route, objects)
        answer = nobody.post(path) if route.act else nobody.get(path)
    # A form without its token is refused before anything else.
    assert answer.status_code == (403 if route.act else 302)
    if not route.act:
        assert answer.headers["location"].startswith("/account/login/?next=")


@pytest.mark.parametrize("route", [r for r in ROUTES if r.role != "member"], ids=str)
def test_a_role_that_lacks_the_permission_is_told_so_and_audited(
    house: Stack, team: Team, objects: dict[str, str], route: Route
) -> None:
    for role in ("member", "admin"):
        if route.opens_for(role):
            continue
        before = denials(house, objects)
        answer = asked(route, getattr(team, role), address(route, objects))
        assert answer.status_code == 403
        assert REFUSED in words(answer)
        assert "drawkcab" not in answer.text.partition("<main")[2]
        assert denials(house, objects) == before + 1


@pytest.mark.parametrize("route", [r for r in ROUTES if not r.act], ids=str)
def test_a_role_that_has_it_sees_the_page(
    team: Team, objects: dict[str, str], route: Route
) -> None:
    for role in ("member", "admin", "owner"):
        if not route.opens_for(role):
            continue
        answer = asked(route, getattr(team, role), address(route, objects))
        if route.proves or answer.status_code == 302:
            assert answer.status_code == 302
            continue
        assert answer.status_code == 200, words(answer)[:300]
        assert_only_text(answer)


def denials(house: Stack, objects: dict[str, str]) -> int:
    query = (
        "SELECT count(*) FROM billing_auditevent WHERE project_id = %s AND action = 'dashboard'"
        " AND result = 'denied'"
    )
    ((found,),) = rows(house, query, objects["project_uuid"])
    return int(found)


def assert_only_text(answer: httpx.Response) -> None:
    """What somebody wrote stands there as they wrote it, and as nothing else."""
    assert "<img src=x" not in answer.text
    assert "</script>{{" not in answer.text
    assert 'href="javascript:' not in answer.text
    assert "<a href=javascript:" not in answer.text


@pytest.fixture(scope="module")
def stranger(house: Stack) -> Visitor:
    return settled(house, unique("Stranger"))
