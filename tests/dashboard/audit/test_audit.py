"""The audit log over HTTP: what it tells, filters, pages, who may look."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from korely.embedded.stack import Stack
from tests.api_client import ok, unique
from tests.dashboard.audit.log import (
    answered,
    exported,
    follow,
    link,
    listed,
    look,
    path_of,
    written,
)
from tests.dashboard.playground.ground import Ground
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import settled, words

LONG_AGO = datetime(2026, 1, 5, 12, tzinfo=UTC)


def wire(memory_id: str) -> str:
    return f"mem_{uuid.UUID(memory_id).hex}"


def test_the_log_tells_who_did_what_to_what(ground: Ground, uid: str) -> None:
    memory = wire(ground.added("I live in Rome.", user_id=uid))
    ground.api.settle(uid)
    ground.send("search", query="Where?", user_id=uid)
    ok(ground.api.get(f"/v1/memories/{memory}"))
    page = look(ground)
    text = words(page)
    assert listed(page) == [event["id"] for event in answered(ground)]
    assert ground.owner.email in text
    name, masked = rows(
        ground.house,
        "SELECT name, prefix || '••••' || last_four FROM accounts_apikey WHERE project_id = %s",
        ground.project,
    )[0]
    assert name in text
    assert masked in text
    assert "Memory written" in text
    assert "1 memory, 1 fact" in text
    assert "call search" in text
    assert "Korely itself" in text
    before = ground.events()
    look(ground)
    assert ground.events() == before  # looking at the log is no event
    event = follow(ground, look(ground, action="read"), r"<time[^>]*>[^<]*</time>")
    assert re.search(r"aud_[0-9a-f]{32}", event.text)
    assert memory in event.text
    shown = [href for href in re.findall(r'href="([^"]+)"', event.text) if memory in href]
    assert shown
    assert ground.owner.get(shown[0]).status_code == 200
    ok(ground.api.delete(f"/v1/memories/{memory}"))
    gone = look(ground, action="write")
    assert memory in gone.text
    assert f'{memory}/"' not in gone.text


def test_each_filter_shows_what_it_names_and_stands_in_the_address(
    ground: Ground, uid: str
) -> None:
    memory = wire(ground.added("I live in Rome.", user_id=uid))
    ground.api.settle(uid)
    ground.api.search("Where?", user_id=uid)
    ok(ground.api.post("/v1/facts", {"subject": "x", "predicate": "is", "object": "y"}), 201)
    every = answered(ground)
    key, name, person = rows(
        ground.house,
        "SELECT k.id, k.name, p.id FROM accounts_apikey k, accounts_person p"
        " WHERE k.project_id = %s AND p.email = %s",
        ground.project,
        ground.owner.email,
    )[0]
    middle = every[2]["ts"]

    def having(**parts: object) -> list[str]:
        return [e["id"] for e in every if all(e[k] == v for k, v in parts.items())]

    by_key = [e["id"] for e in every if e["actor"] == "rest"]
    assert by_key
    expected = {
        ("user_id", uid): having(user_id=uid),
        ("action", "write"): having(action="write"),
        ("action", "unheard_of"): [],
        ("actor", "worker"): having(actor="worker"),
        ("result", "denied"): [],
        ("target", memory): having(target_id=memory),
        ("key", f"key_{key.hex}"): by_key,
        ("key", name): by_key,
        ("person", person.hex): having(actor="dashboard"),
        ("since", middle): [e["id"] for e in every[:3]],
        ("until", middle): [e["id"] for e in every[2:]],
        ("until", "2026-01-01"): [],
        ("since", f"{datetime.now(UTC):%Y-%m-%d}"): [e["id"] for e in every],
        ("until", f"{datetime.now(UTC):%Y-%m-%d}"): [e["id"] for e in every],
    }
    for (field, value), found in expected.items():
        page = look(ground, **{field: value})
        assert listed(page) == found, (field, value)
        form = page.text.partition("</form>")[0]
        assert f'value="{value}"' in form, (field, value)
    both = look(ground, user_id=uid, action="write")
    assert listed(both) == having(user_id=uid, action="write")
    assert "No event matches" in words(look(ground, action="unheard_of"))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("since", "soon", "is not an ISO 8601"),
        ("until", "2026-02-30", "is not an ISO 8601"),
        ("person", "somebody", "is nobody of this account"),
        ("key", "no such key", "No key of this account is called so"),
        ("user_id", "a\x00b", "Null characters"),
        ("key", "a\x00b", "Null characters"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_beside_its_field(
    ground: Ground, field: str, value: str, said: str
) -> None:
    page = look(ground, **{field: value})
    assert page.status_code == 422
    assert said in words(page)
    assert 'aria-invalid="true"' in page.text
    assert ground.owner.get(f"{path_of(ground)}?after=nonsense").status_code == 404


def test_pages_stay_as_they_are_while_others_write(ground: Ground, uid: str) -> None:
    written(ground, 130, newest=LONG_AGO, user=uid)
    expected = [e["id"] for e in answered(ground)]
    page, found = look(ground), []
    newest = listed(page)
    for _ in range(3):
        found += listed(page)
        ground.api.add("More.", user_id=uid)
        older = link(page, "Older")
        if older is None:
            break
        page = follow(ground, page, "Older")
    assert found == expected
    assert len(found) == 131  # and the owner has joined
    back = follow(ground, follow(ground, page, "Newer"), "Newer")
    assert listed(back) == newest
    ground.api.settle()
    top = follow(ground, back, "Newer")
    since = [e["id"] for e in answered(ground) if e["id"] not in expected]
    assert len(since) >= 3
    assert listed(top) == since
    assert link(top, "Newer") is None


def test_a_filter_without_an_index_says_how_far_it_looked(ground: Ground) -> None:
    written(ground, 1, newest=LONG_AGO - timedelta(days=1), result="error")
    written(ground, 20_010, newest=LONG_AGO)
    page = look(ground, result="error")
    assert listed(page) == []
    assert "20,000 events were looked at" in words(page)
    further = follow(ground, page, "Look further back")
    assert len(listed(further)) == 1
    assert link(further, "Look further back") is None
    assert len(exported(ground, "ndjson", result="error").text.splitlines()) == 1


def test_a_member_sees_no_audit_and_being_refused_is_audited(gathered: Team) -> None:
    team = gathered.again()
    path = f"/dashboard/p/{team.project}/audit/"
    for person in (team.owner, team.admin):
        assert person.get(path).status_code == 200
    assert team.member.get(f"/dashboard/p/{team.project}/playground/").status_code == 200
    assert path not in team.member.get(f"/dashboard/p/{team.project}/playground/").text

    def events() -> list[tuple[str, str]]:
        query = "SELECT action, result FROM billing_auditevent WHERE project_id = %s ORDER BY ts"
        return [(action, result) for action, result in rows(team.house, query, team.project)]

    before = events()
    event = f"{path}events/1/{uuid.uuid4()}/"
    answers = [
        team.member.get(path),
        team.member.get(event),
        team.member.post(f"{path}export/", {"format": "csv"}, page="/account/email/"),
    ]
    assert [answer.status_code for answer in answers] == [403] * 3
    assert all("Memory written" not in answer.text for answer in answers)
    assert events() == [*before, *[("dashboard", "denied")] * 3]


def test_another_organisation_finds_no_log_and_no_event(house: Stack, ground: Ground) -> None:
    ground.added("I live in Rome.")
    stranger = settled(house, unique("Stranger"))
    event = re.findall(r'href="([^"]+/audit/events/[^"]+)"', look(ground).text)[0]
    assert look(ground, by=stranger).status_code == 404
    assert stranger.get(event).status_code == 404
    sent = stranger.post(f"{path_of(ground)}export/", {"format": "csv"}, page="/account/email/")
    assert sent.status_code == 404
    other = Ground(house)
    moved = event.replace(ground.project, other.project)
    assert other.owner.get(moved).status_code == 404
    broken = re.sub(r"/events/\d+/", f"/events/{10**30}/", event)
    assert ground.owner.get(broken).status_code == 404
    assert all(action != "export" for _, action, *_ in ground.events())


def test_hostile_names_show_as_text_and_can_be_filtered_by(ground: Ground) -> None:
    name = "\"><img src=x onerror=alert(1)>{{7*7}}\u202e&user_id=other'#?"
    ground.api.add("I live in Rome.", user_id=name)
    ground.api.settle(name)
    page = look(ground)
    assert "<img src=x" not in page.text
    assert "49" not in re.findall(r"<bdi>([^<]*)</bdi>", page.text)
    narrowed = follow(ground, page, r"<bdi>&quot;&gt;&lt;img[^<]*</bdi>")
    assert listed(narrowed) == [e["id"] for e in answered(ground, user_id=name)]
    assert "<img src=x" not in narrowed.text
    event = follow(ground, page, r"<time[^>]*>[^<]*</time>")
    assert "<img src=x" not in event.text
    assert link(event, r"<bdi>&quot;&gt;&lt;img[^<]*</bdi>")
