"""A key is made by a form, and its secret is shown once."""

from __future__ import annotations

import uuid
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api_client import ok, refused, unique
from tests.concurrency.at_once import at_once
from tests.dashboard.keys.ring import Ring, person_id
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

READ, WRITE, ADMIN = "memories:read", "memories:write", "admin"

WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"name": ""}, 422, "This field is required"),
    ({"name": "   "}, 422, "This field is required"),
    ({"name": "n" * 101}, 422, "at most 100 characters"),
    ({"name": "a\x00b"}, 422, "Null characters are not allowed"),
    ({"name": "taken"}, 409, "A live key of that name exists already"),
    ({"preset": "emperor"}, 422, "Select a valid choice"),
    ({"preset": "custom"}, 422, "Choose at least one"),
    ({"preset": "custom", "scopes": ["memories:eat"]}, 422, "Select a valid choice"),
    ({"preset": "confined", "users": " \n "}, 422, "Name at least one end user"),
    ({"preset": "admin", "users": "ines"}, 422, "a confined key cannot have the admin scope"),
    ({"users": "*"}, 422, "'*' may stand only at the end of a pattern"),
    ({"users": "a\x07b"}, 422, "characters without controls"),
    ({"users": "\n".join(f"u{number}" for number in range(101))}, 422, "1 to 100 patterns"),
    ({"expires": "custom"}, 422, "Say after how many days"),
    ({"expires": "custom", "days": "0"}, 422, "greater than or equal to 1"),
    ({"expires": "custom", "days": "3651"}, 422, "less than or equal to 3650"),
    ({"expires": "tomorrow"}, 422, "Select a valid choice"),
    ({"project": uuid.uuid4().hex}, 422, "Select a valid choice"),
    ({"project": "nonsense"}, 422, "Select a valid choice"),
]


def stored(house: Stack) -> str:
    """What the database and the logs hold of keys, sessions and deeds, as text."""
    tables = ("accounts_apikey", "accounts_unseensecret", "django_session", "billing_auditevent")
    parts = [
        found
        for table in tables
        for (found,) in rows(house, f"SELECT coalesce(string_agg(t::text, ''), '') FROM {table} t")
    ]
    parts += [file.read_text() for file in (house.data_dir / "logs").glob("*.log")]
    return "".join(parts)


def test_a_secret_is_shown_once_works_and_is_stored_nowhere(
    house: Stack, team: Team, ring: Ring
) -> None:
    sent = ring.send(team.owner, name="night shift")
    held = stored(house)  # between the form and the page that shows it
    made = ring.shown(team.owner, sent)
    assert made.page.headers["cache-control"] == "no-store"
    assert made.page.text.count(made.key) == 3  # the field, curl, Python
    assert ok(ring.api(made).get("/v1/ping"))["scopes"] == [READ, WRITE]
    again = team.owner.get(str(made.page.url))
    assert again.headers["location"] == f"{ring.path}{made.id}/"
    page = team.owner.get(again.headers["location"])
    assert "A secret is shown once" in words(page)
    for text in (held, stored(house), page.text, team.owner.get(ring.path).text):
        assert made.key not in text
        assert made.key.removeprefix("kor_self_") not in text
    assert ring.names() == ["night shift"]


def test_who_made_a_key_is_told_by_the_list_and_by_the_audit_log(
    house: Stack, team: Team, ring: Ring
) -> None:
    made = ring.made(team.admin, name=unique("named"))
    person = person_id(house, team.admin)
    assert ring.key(made.id)["created_by"] == person
    assert ring.events(made.id) == [("key_create", "ok", {"person": person.hex})]
    assert f"by {team.admin.email}" in team.owner.text(ring.path)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"preset": "agent"}, ([READ, WRITE], None, None)),
        ({"preset": "reader", "expires": "7"}, ([READ], None, 7)),
        (
            {"preset": "confined", "users": " ines \r\nteam-*\r\n\r\nines\r\n", "expires": "365"},
            ([READ, WRITE], ["ines", "team-*"], 365),
        ),
        ({"preset": "admin", "expires": "custom", "days": "3650"}, ([ADMIN], None, 3650)),
        ({"preset": "custom", "scopes": [READ, ADMIN]}, ([READ, ADMIN], None, None)),
        ({"preset": "custom", "scopes": [WRITE], "users": "a*"}, ([WRITE], ["a*"], None)),
        # Left from a choice that was taken back: the card that is chosen counts.
        ({"preset": "reader", "scopes": [ADMIN], "days": "3"}, ([READ], None, None)),
    ],
)
def test_what_is_chosen_is_what_the_key_may_do(
    team: Team,
    ring: Ring,
    fields: dict[str, str],
    expected: tuple[list[str], list[str] | None, int | None],
) -> None:
    scopes, users, days = expected
    made = ring.made(team.owner, **fields)
    row = ring.key(made.id)
    assert (row["scopes"], row["users"]) == (scopes, users)
    assert str(row["project_id"]) == ring.project
    assert ok(ring.api(made).get("/v1/ping"))["scopes"] == scopes
    ((lasts,),) = rows(
        ring.house, "SELECT expires_at - created_at FROM accounts_apikey WHERE id = %s", made.id
    )
    assert lasts == (None if days is None else timedelta(days=days))


def test_a_confined_key_reaches_only_its_end_users(team: Team, ring: Ring) -> None:
    api = ring.api(ring.made(team.owner, preset="confined", users="ines\nteam-*"))
    for user in ("ines", "team-7"):
        api.add("I live in Oslo.", user_id=user)
    refused(api.post("/v1/memories", {"content": "No.", "user_id": "marco"}), 403, "forbidden")
    refused(api.get("/v1/memories", user_id="inesa"), 403, "forbidden")


def test_a_field_that_is_wrong_is_told_beside_it_and_nothing_is_made(
    team: Team, ring: Ring
) -> None:
    ring.made(team.owner, name="taken")
    before, events = ring.everything(), ring.events()
    for fields, status, said in WRONG:
        page = ring.send(team.owner, **fields)
        assert page.status_code == status, fields
        assert said in words(page), fields
        assert page.text.count('class="errorlist') == 1, fields
    assert (ring.everything(), ring.events()) == (before, events)


def test_a_project_of_another_organisation_cannot_be_chosen(team: Team, ring: Ring) -> None:
    other = team.again()
    page = ring.send(team.owner, project=uuid.UUID(other.project).hex)
    assert page.status_code == 422
    assert ring.names() == []


def test_a_form_that_is_sent_twice_at_once_makes_one_key_and_shows_its_secret(
    team: Team, ring: Ring
) -> None:
    browsers = [Visitor(team.house, team.owner.email) for _ in range(3)]
    for browser in browsers:
        browser.http.cookies.update(team.owner.http.cookies)
    sent = at_once([partial(ring.send, one, name="twice") for one in browsers])
    assert [answer.status_code for answer in sent] == [302] * 3
    assert len({answer.headers["location"] for answer in sent}) == 1
    assert ring.names() == ["twice"]
    shown = at_once([partial(one.get, sent[0].headers["location"]) for one in browsers])
    assert sorted(answer.status_code for answer in shown) == [200, 302, 302]
    # Once it was seen, the same name is only taken.
    assert ring.send(team.owner, name="twice").status_code == 409


def test_a_secret_is_shown_to_nobody_but_who_made_the_key(team: Team, ring: Ring) -> None:
    sent = ring.send(team.owner)
    where = sent.headers["location"]
    assert team.admin.get(where).headers["location"] == where.removesuffix("secret/")
    assert team.member.get(where).status_code == 403
    assert team.owner.http.head(where).status_code == 405
    assert ring.shown(team.owner, sent).key


def test_a_secret_that_nobody_comes_for_is_gone_after_ten_minutes(team: Team, ring: Ring) -> None:
    sent = ring.send(team.owner)
    where = sent.headers["location"]
    key_id = where.removesuffix("/secret/").rpartition("/")[2]
    waiting = "SELECT expires_at - now() FROM accounts_unseensecret WHERE key_id = %s"
    ((left,),) = rows(team.house, waiting, key_id)
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)
    ring.change("UPDATE accounts_unseensecret SET expires_at = now() WHERE key_id = %s", key_id)
    assert team.owner.get(where).status_code == 302
    ring.made(team.owner)  # whoever makes the next one clears up
    assert rows(team.house, waiting, key_id) == []
