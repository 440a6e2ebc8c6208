"""A page narrowed to a key: by a part of its name, its last four characters, or its id."""

from __future__ import annotations

import html
import re
import uuid
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.team import Team
from tests.dashboard.usage.account import Account, account_on
from tests.dashboard.visitor import Visitor, settled, words

NAMES = {"soup": "aaa1", "soup of the day": "aaa2", "Tea & <b>milk</b>": "aaa3", "100% tea": "aaa4"}
SOME = 3  # writes and calls of each of them


@dataclass
class Ring:
    """An account whose keys have each one day of usage and some requests."""

    account: Account
    ids: dict[str, uuid.UUID] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, four in NAMES.items():
            self.ids[name] = self.add(name, four)

    def add(self, name: str, four: str) -> uuid.UUID:
        made, team = uuid.uuid4(), self.account.team
        self.account.execute(
            "INSERT INTO accounts_apikey (id, organisation_id, project_id, name, prefix, lookup,"
            " digest, pepper, last_four, scopes, created_at) VALUES (%s, %s, %s, %s, 'kor_self_',"
            " '00000000', ''::bytea, 1, %s, ARRAY['memories:read'], now())",
            *(made, team.organisation, team.project, name, four),
        )
        self.account.execute(
            "INSERT INTO billing_usageday (id, organisation_id, day, project_id, key_id, writes,"
            " queries) VALUES (%s, %s, date_trunc('month', now())::date, %s, %s, %s, 0)",
            *(uuid.uuid4(), team.organisation, team.project, made, SOME),
        )
        self.account.execute(
            "INSERT INTO billing_requestentry (id, organisation_id, project_id, key_id, at, method,"
            " route, status, ms, request_id, client) SELECT gen_random_uuid(), %s, %s, %s, now(),"
            " 'GET', '/v1/facts', 200, 3, 'r', '' FROM generate_series(1, %s)",
            *(team.organisation, team.project, made, SOME),
        )
        return made

    def page(self, section: str, said: str, by: Visitor | None = None) -> httpx.Response:
        path = self.account.page if section == "usage" else self.account.requests
        page = (by or self.account.team.member).get(f"{path}?key={quote(said, safe='')}")
        assert page.status_code == 200
        return page


@pytest.fixture(scope="module")
def ring(gathered: Team) -> Ring:
    return Ring(account_on(gathered))


sections = pytest.mark.parametrize("section", ["usage", "requests"])


def held(page: httpx.Response) -> str:
    """What the field of the key holds."""
    found = re.search(r'<input[^>]* name="key"[^>]*>', page.text)
    assert found
    value = re.search(r' value="([^"]*)"', found.group(0))
    return html.unescape(value.group(1)) if value else ""


def is_of_one(section: str, page: httpx.Response) -> bool:
    """Whether the page shows what one key did."""
    if section == "usage":
        return f"{SOME} writes and 0 queries in" in words(page)
    return page.text.count('<th scope="row"') == SOME


@sections
@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("the DAY", "soup of the day"),
        ("aaa3", "Tea & <b>milk</b>"),
        ("AAA3", "Tea & <b>milk</b>"),
        ("%", "100% tea"),
        ("soup", "soup"),  # called exactly that, whatever else has it in its name
        ("kor_self_••••aaa1", "soup"),
        ("••••aaa1", "soup"),
        ("soup · kor_self_••••aaa1", "soup"),
        (" day ", "soup of the day"),
    ],
)
def test_what_fits_one_key_chooses_it_and_what_the_field_holds_chooses_it_again(
    ring: Ring, section: str, said: str, name: str
) -> None:
    page = ring.page(section, said)
    assert held(page) == f"{name} · ••••{NAMES[name]}"
    assert is_of_one(section, page)
    again = ring.page(section, held(page))
    assert held(again) == held(page)
    assert is_of_one(section, again)


@sections
def test_an_id_is_that_key_in_whatever_spelling(ring: Ring, section: str) -> None:
    key_id = ring.ids["soup of the day"]
    for spelled in (key_id.hex, str(key_id), f"key_{key_id.hex}"):
        page = ring.page(section, spelled)
        assert held(page).startswith("soup of the day · ")
        assert is_of_one(section, page)


@sections
def test_what_fits_several_asks_which_and_each_is_a_link_that_keeps_the_rest(
    ring: Ring, section: str
) -> None:
    path = ring.account.page if section == "usage" else ring.account.requests
    rest = "month=" if section == "usage" else "status=2"
    page = ring.account.team.member.get(f"{path}?{rest}&key=tea")
    assert "Which of these keys?" in words(page)
    assert held(page) == "tea"
    assert "<b>milk" not in page.text
    assert not is_of_one(section, page)
    links = re.findall(r'<a href="(\?[^"]*key=[0-9a-f]{32}[^"]*)">', page.text)
    assert len(links) == 2
    for link in map(html.unescape, links):
        assert rest in link
        assert is_of_one(section, ring.account.team.member.get(f"{path}{link}"))


@sections
def test_of_very_many_that_fit_some_are_told_and_more_is_asked_for(
    gathered: Team, section: str
) -> None:
    ring = Ring(account_on(gathered))
    for number in range(11):
        ring.add(f"many {number}", f"b{number:03}")
    told = words(ring.page(section, "many"))
    assert sum(f"many {number} " in told for number in range(11)) == 10
    assert "type more of the name" in told
    assert "type more of the name" not in words(ring.page(section, "tea"))


@sections
@pytest.mark.parametrize("said", ["nothing", uuid.uuid4().hex, "kor_live_••••aaa1", "x" * 3_000])
def test_what_fits_none_says_so_with_one_next_step(ring: Ring, section: str, said: str) -> None:
    page = ring.page(section, said)
    assert "No key matches" in words(page)
    assert held(page) == said
    assert not is_of_one(section, page)
    assert "Clear the key" in words(page)


@sections
def test_a_key_of_another_organisation_is_not_found(
    ring: Ring, section: str, house: Stack, gathered: Team
) -> None:
    other = Ring(account_on(gathered))
    foreign = other.add("foreign soup", "ffff")
    for said in (foreign.hex, "foreign", "ffff", "foreign soup · ••••ffff"):
        page = ring.page(section, said)
        assert "No key matches" in words(page)
        assert is_of_one(section, other.page(section, said))
    stranger = settled(house, unique("Stranger"))
    path = ring.account.page if section == "usage" else ring.account.requests
    assert stranger.get(f"{path}?key=soup").status_code == 404


@sections
def test_a_whole_key_leaves_the_address_at_once(ring: Ring, section: str) -> None:
    path = ring.account.page if section == "usage" else ring.account.requests
    secret = f"kor_self_{uuid.uuid4().hex}"
    answer = ring.account.team.member.get(f"{path}?status=2&key={secret}")
    assert answer.status_code == 302
    assert answer.headers["location"] == f"{path}?status=2"
    told = ring.account.team.member.text(path)
    assert "look for its last four characters" in told
    assert secret not in told


def test_an_archived_project_and_a_revoked_key_keep_their_names(gathered: Team) -> None:
    ring = Ring(account_on(gathered))
    account, project = ring.account, uuid.uuid4()
    account.execute(
        "INSERT INTO accounts_project (id, organisation_id, name, description, is_default,"
        " created_at, archived_at) VALUES (%s, %s, 'Put away', '', false, now(), now())",
        *(project, account.team.organisation),
    )
    account.execute(
        "UPDATE billing_requestentry SET project_id = %s WHERE key_id = %s",
        *(project, ring.ids["soup"]),
    )
    account.execute("UPDATE accounts_apikey SET revoked_at = now() WHERE id = %s", ring.ids["soup"])
    told = words(ring.page("requests", "soup"))
    assert told.count("Put away") == SOME
    assert "gone" not in told
