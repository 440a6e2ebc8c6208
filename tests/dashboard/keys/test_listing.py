"""Keys are found by what the address says; some ask for something on top."""

from __future__ import annotations

import re
import uuid

import pytest

from tests.dashboard.keys.ring import Made, Ring
from tests.dashboard.team import Team
from tests.dashboard.visitor import words

_NAME = re.compile(r'<th scope="row"><a href="[^"]*"><bdi>([^<]*)</bdi>')


def found(team: Team, ring: Ring, **query: str) -> list[str]:
    page = team.owner.get(ring.path, params=query)
    assert page.status_code == 200
    return _NAME.findall(page.text)


@pytest.fixture
def keys(team: Team, ring: Ring) -> dict[str, Made]:
    """One key in each state, newest first: revoked, expired, unused, expiring, live."""
    second = uuid.UUID(ring.another_project("Second")).hex
    made = {
        "live": ring.made(team.owner, name="Alpha live", preset="reader"),
        "expiring": ring.made(team.owner, name="alpha expiring", expires="7"),
        "unused": ring.made(team.owner, name="beta unused", project=second),
        "expired": ring.made(team.owner, name="beta expired"),
        "revoked": ring.made(team.owner, name="gamma revoked"),
    }
    old = "UPDATE accounts_apikey SET created_at = created_at - interval '15 days' WHERE id = %s"
    over = "UPDATE accounts_apikey SET expires_at = now() WHERE id = %s"
    for key in made.values():
        ring.change(
            "UPDATE accounts_apikey SET last_used_at = now() - interval '89 days' WHERE id = %s",
            key.id,
        )
    ring.change("UPDATE accounts_apikey SET last_used_at = NULL WHERE id = %s", made["unused"].id)
    ring.change(old, made["unused"].id)
    ring.change(over, made["expired"].id)
    ring.act(team.owner, made["revoked"].id, "revoke", reason="")
    return made


def test_each_filter_finds_what_it_says_and_they_narrow_together(
    team: Team, ring: Ring, keys: dict[str, Made]
) -> None:
    names = ["gamma revoked", "beta expired", "alpha expiring", "Alpha live", "beta unused"]
    assert found(team, ring) == names
    assert found(team, ring, text="ALPHA") == ["alpha expiring", "Alpha live"]
    last = keys["unused"].key[-4:]
    assert found(team, ring, text=last.upper()) == ["beta unused"]
    assert found(team, ring, state="live") == ["alpha expiring", "Alpha live", "beta unused"]
    assert found(team, ring, state="expiring") == ["alpha expiring"]
    assert found(team, ring, state="unused") == ["beta unused"]
    assert found(team, ring, state="expired") == ["beta expired"]
    assert found(team, ring, state="revoked") == ["gamma revoked"]
    project = uuid.UUID(ring.project).hex
    assert found(team, ring, project=project) == names[:4]
    assert found(team, ring, scope="memories:write", text="alpha") == ["alpha expiring"]
    assert found(team, ring, scope="admin") == []
    nothing = team.owner.text(f"{ring.path}?scope=admin")
    assert "No key matches" in nothing
    assert "Show all keys" in nothing


def test_a_filter_that_is_none_is_told_and_finds_nothing(
    team: Team, ring: Ring, keys: dict[str, Made]
) -> None:
    foreign = uuid.UUID(team.again().project).hex
    for query in ({"state": "dead"}, {"scope": "eat"}, {"project": foreign}, {"project": "x"}):
        page = team.owner.get(ring.path, params=query)
        assert page.status_code == 422
        assert "Select a valid choice" in words(page)
        assert _NAME.findall(page.text) == []
    for query in ({"after": "nonsense"}, {"before": "MTIz"}):
        assert team.owner.get(ring.path, params=query).status_code == 404


def test_a_whole_key_does_not_stay_in_the_address(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner)
    for text in (made.key, f" {made.key.upper()} ", made.key.removeprefix("kor_self_")):
        answer = team.owner.get(ring.path, params={"text": text})
        assert answer.status_code == 302
        assert answer.headers["location"] == ring.path
        page = team.owner.get(ring.path)
        assert "look for its last four characters" in words(page)
        assert text.strip() not in page.text


def test_keys_that_expire_soon_or_lie_unused_are_told_with_what_to_do(
    team: Team, ring: Ring, keys: dict[str, Made]
) -> None:
    page = team.owner.get(ring.path)
    text = words(page)
    assert re.search(r"Expires within 14 days alpha expiring \S+ ,\s+in 6 days : Rotate", text)
    assert re.search(r"beta unused \S+ ,\s+made 15 days ago and never used: Revoke", text)
    assert f"{ring.path}{keys['expiring'].id}/rotate/" in page.text
    assert f"{ring.path}{keys['unused'].id}/revoke/" in page.text
    assert "Expires within" not in team.member.text(ring.path)
    # A key that was rotated is meant to end.
    ring.act(team.owner, keys["expiring"].id, "rotate", overlap="86400")
    ring.act(team.owner, keys["unused"].id, "revoke", reason="")
    ring.change(
        "UPDATE accounts_apikey SET last_used_at = now() - interval '91 days' WHERE id = %s",
        keys["live"].id,
    )
    text = team.owner.text(ring.path)
    assert re.search(r"Expires within 14 days alpha expiring \S+ ,\s+in 6 days : Rotate", text)
    assert "alpha expiring (rotated)" not in text.partition("Name or last four")[0]
    assert re.search(r"Alpha live \S+ ,\s+last used 3 months ago : Revoke", text)


def test_an_organisation_without_keys_says_what_to_do(team: Team, ring: Ring) -> None:
    owner, member = team.owner.text(ring.path), team.member.text(ring.path)
    assert "No keys yet" in owner
    assert f'href="{ring.path}new/"' in team.owner.get(ring.path).text
    assert "Owners and admins make keys" in member
    assert "Create a key" not in member
