"""Webhooks made, shown, changed, given another secret, turned off and on, and deleted."""

from __future__ import annotations

import html
import re
import uuid

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import settled, words
from tests.dashboard.webhooks.conftest import Desk
from tests.webhooks.receiver import receiving

SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


def secret_in(page: httpx.Response) -> str:
    (found,) = set(SECRET.findall(html.unescape(page.text)))
    return str(found)


def endpoints(house: Stack, desk: Desk) -> list[tuple[str, list[str], str, bool]]:
    found = rows(
        house,
        "SELECT url, events, description, enabled FROM webhooks_endpoint"
        " WHERE organisation_id = %s ORDER BY created_at",
        desk.organisation,
    )
    return [(url, events, description, on) for url, events, description, on in found]


def audited(house: Stack, desk: Desk) -> list[tuple[str, str, bool]]:
    """Action, result and whether a person is named, oldest first."""
    found = rows(
        house,
        "SELECT action, result, meta::jsonb ? 'person' FROM billing_auditevent"
        " WHERE project_id IN (SELECT id FROM accounts_project WHERE organisation_id = %s)"
        " AND action NOT LIKE 'member%%' ORDER BY ts, id",
        desk.organisation,
    )
    return [(action, result, named) for action, result, named in found]


def test_a_webhook_is_made_and_its_secret_shown_once(
    house: Stack, desk: Desk, another_project: str
) -> None:
    assert "No webhooks yet" in desk.person.text(desk.path)
    page = desk.add(
        "https://hooks.example.com/very/private",
        events=["memory.created", "memory.ready"],
        project=another_project,
        description="Staging",
    )
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    secret = secret_in(page)
    assert endpoints(house, desk) == [
        ("https://hooks.example.com/very/private", ["memory.created", "memory.ready"],
         "Staging", True)
    ]  # fmt: skip
    listed = desk.person.get(desk.path)
    said = words(listed)
    assert "hooks.example.com" in said
    assert "Not used yet" in said
    assert "Second" in said
    assert "/very/private" not in listed.text
    ((webhook,),) = rows(
        house, "SELECT id FROM webhooks_endpoint WHERE organisation_id = %s", desk.organisation
    )
    for path in (desk.path, f"{desk.path}{webhook}/", f"{desk.path}{webhook}/edit/"):
        assert secret not in html.unescape(desk.person.get(path).text)
    ((stored,),) = rows(house, "SELECT string_agg(session_data, '') FROM django_session")
    assert secret not in stored
    assert audited(house, desk) == [("webhook_create", "ok", True)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"url": "ftp://hooks.example.com/"}, "must begin with https://"),
        ({"url": "javascript:alert(1)"}, "must begin with https://"),
        ({"url": "https://me:secret@hooks.example.com/"}, "user name or password"),
        ({"url": ""}, "required"),
        ({"url": "https://x.example/" + "x" * 2048}, "at most 2048 characters"),
        ({"events": []}, "Choose at least one event"),
        ({"events": ["everything"]}, "not one of the available choices"),
        ({"project": str(uuid.uuid4())}, "not one of the available choices"),
        ({"project": "nonsense"}, "not one of the available choices"),
        ({"description": "x" * 2001}, "at most 2000 characters"),
        ({"description": "a\0b"}, "Null characters are not allowed"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_made(
    house: Stack, desk_of_errors: Desk, wrong: dict[str, object], said: str
) -> None:
    page = desk_of_errors.add(str(wrong.pop("url", "https://hooks.example.com/")), **wrong)
    assert page.status_code == 422
    assert said in words(page)
    assert 'aria-invalid="true"' in page.text
    assert endpoints(house, desk_of_errors) == []


@pytest.fixture(scope="module")
def desk_of_errors(gathered: Team) -> Desk:
    team = gathered.again()
    return Desk(team.owner, team.organisation, team.project)


def test_a_webhook_is_changed_and_hostile_text_shows_as_text(house: Stack, desk: Desk) -> None:
    webhook = desk.added("https://hooks.example.com/one")
    hostile = "</script><img src=x onerror=alert(1)>{{7*7}}\u202e"
    body = {"url": "https://other.example.com/two", "events": ["*", "quota.warning"]}
    sent = desk.person.post(f"{webhook}edit/", {**body, "description": hostile})
    assert sent.headers["location"] == webhook
    ((url, events, description, on),) = endpoints(house, desk)
    assert (url, events, description, on) == (body["url"], ["*"], hostile, True)
    for path in (desk.path, webhook, f"{webhook}edit/"):
        page = desk.person.get(path)
        assert "<img src=x" not in page.text, path
        assert "{{7*7}}" in html.unescape(page.text), path
    wrongs: list[dict[str, object]] = [{"url": "nonsense"}, {"events": []}]
    for wrong in wrongs:
        page = desk.person.post(f"{webhook}edit/", {**body, **wrong})
        assert page.status_code == 422
    assert endpoints(house, desk) == [(url, events, description, on)]


def test_another_secret_signs_and_the_former_one_signs_on_for_a_day(desk: Desk) -> None:
    with receiving() as receiver:
        page = desk.add(receiver.url)
        first = secret_in(page)
        found = re.search(rf'href="({desk.path}[0-9a-f-]+/)"', page.text)
        assert found
        webhook = found.group(1)
        asked = desk.person.text(f"{webhook}secret/")
        assert "24 hours" in asked
        answer = desk.person.post(f"{webhook}secret/")
        second = secret_in(answer)
        assert second != first
        assert "24 hours" in words(answer)
        desk.became(desk.tested(webhook), "Delivered")
        (sent,) = receiver.got
        from standardwebhooks.webhooks import Webhook

        for secret in (first, second):
            assert Webhook(secret).verify(sent.body, sent.headers)
        assert len(sent.headers["webhook-signature"].split()) == 2


def test_a_webhook_is_turned_off_and_on_and_deleted(house: Stack, desk: Desk) -> None:
    webhook = desk.added("https://hooks.example.com/")
    off = desk.person.post(f"{webhook}turn/", {"to": "off"}, page=webhook)
    assert off.headers["location"] == webhook
    assert not endpoints(house, desk)[0][3]
    page = desk.person.get(webhook)
    assert "Nothing is sent" in words(page)
    assert "/test/" not in page.text
    refused = desk.person.post(f"{webhook}test/", page=webhook, follow_redirects=True)
    assert "The webhook is disabled: enable it first" in words(refused)
    desk.person.post(f"{webhook}turn/", {"to": "on"}, page=webhook)
    assert endpoints(house, desk)[0][3]
    assert "Its deliveries and its secret are deleted" in desk.person.text(f"{webhook}delete/")
    gone = desk.person.post(f"{webhook}delete/")
    assert gone.headers["location"] == desk.path
    assert endpoints(house, desk) == []
    assert desk.person.get(webhook).status_code == 404
    assert [action for action, _, _ in audited(house, desk)] == [
        *("webhook_create", "webhook_update", "webhook_update", "webhook_delete"),
    ]  # fmt: skip


def test_members_and_strangers_see_no_webhook_and_change_none(house: Stack, gathered: Team) -> None:
    team = gathered.again()
    desk = Desk(team.owner, team.organisation, team.project)
    webhook = desk.added("https://hooks.example.com/")
    before = endpoints(house, desk)
    stranger = settled(house, unique("Stranger"))
    token = "/account/email/"
    reads = [desk.path, webhook, f"{webhook}edit/", f"{webhook}secret/", f"{webhook}delete/"]
    acts = [f"{webhook}{act}/" for act in ("edit", "turn", "secret", "delete", "test", "redeliver")]
    acts.append(f"{desk.path}new/")
    for path in reads:
        assert team.member.get(path).status_code == 403, path
        assert stranger.get(path).status_code == 404, path
    for path in acts:
        assert team.member.post(path, page=token).status_code == 403, path
        assert stranger.post(path, page=token).status_code == 404, path
    assert endpoints(house, desk) == before
    denied = [event for event in audited(house, desk) if event[1] == "denied"]
    assert len(denied) == len(reads) + len(acts)
    # Naming one's own organisation does not open another's rows.
    own = Desk(stranger, *ground(house, stranger.email))
    foreign = webhook.replace(team.organisation, own.organisation)
    assert stranger.get(foreign).status_code == 404
    for act in ("edit", "turn", "secret", "delete", "test", "redeliver"):
        assert stranger.post(f"{foreign}{act}/", page=token).status_code == 404, act
    assert endpoints(house, desk) == before
    assert "Webhooks" not in words(team.member.get(f"/dashboard/o/{team.organisation}/team/"))
    assert "Webhooks" in words(team.admin.get(f"/dashboard/o/{team.organisation}/team/"))
    assert team.admin.get(webhook).status_code == 200


def ground(house: Stack, email: str) -> tuple[str, str]:
    """The organisation and default project of somebody."""
    ((organisation, project),) = rows(
        house,
        "SELECT m.organisation_id, p.id FROM accounts_membership m"
        " JOIN accounts_person a ON a.id = m.person_id"
        " JOIN accounts_project p ON p.organisation_id = m.organisation_id WHERE a.email = %s",
        email,
    )
    return str(organisation), str(project)
