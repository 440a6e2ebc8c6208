"""/admin/webhooks: registered, listed, changed, deleted (contract, section 18).

Deliveries to a receiver are in `tests/webhooks`; this server delivers to the internet alone.
"""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique, wait_for
from tests.webhooks.hostile import HOSTILE
from tests.webhooks.receiver import receiving

WEBHOOKS = "/admin/webhooks"
QUIET = ["quota.warning"]  # an event that nothing here makes
ZERO = "0" * 32


def register(box: WatchedBox, **body: Any) -> dict[str, Any]:
    fields = {"url": "https://example.com/hook", "events": QUIET, "project_id": box.project["id"]}
    return ok(box.boot.post(WEBHOOKS, {**fields, **body}), 201)


def listed(box: WatchedBox) -> list[dict[str, Any]]:
    """The webhooks of the project."""
    rows = ok(box.boot.get(WEBHOOKS))["webhooks"]
    return [row for row in rows if row["project_id"] == box.project["id"]]


def audited(box: WatchedBox, action: str) -> list[dict[str, Any]]:
    return ok(box.api.get("/v1/audit", action=action))["events"]


def test_a_webhook_is_registered_with_a_secret_that_is_shown_once(fresh: WatchedBox) -> None:
    made = register(fresh, description="Chat")
    assert re.fullmatch(r"whk_[0-9a-f]{32}", made["id"])
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made["secret"])
    assert (made["url"], made["events"]) == ("https://example.com/hook", QUIET)
    assert (made["state"], made["disabled_reason"]) == ("enabled", None)
    assert (made["last_success_at"], made["last_failure_at"]) == (None, None)
    listing = fresh.boot.get(WEBHOOKS)
    assert made["secret"] not in listing.text
    assert listed(fresh) == [{name: text for name, text in made.items() if name != "secret"}]
    assert ok(fresh.boot.get(f"{WEBHOOKS}/{made['id']}/deliveries")) == {
        "deliveries": [],
        "total": 0,
    }


def test_events_left_out_are_all_and_a_project_left_out_is_the_whole_account(
    stranger_admin: Api,
) -> None:
    made = ok(stranger_admin.post(WEBHOOKS, {"url": "https://example.com/"}), 201)
    assert (made["events"], made["project_id"], made["description"]) == (["*"], None, "")
    rows = ok(stranger_admin.get(WEBHOOKS))["webhooks"]
    assert [row["id"] for row in rows] == [made["id"]]
    assert ok(stranger_admin.delete(f"{WEBHOOKS}/{made['id']}")) == {
        "id": made["id"],
        "deleted": True,
    }


@pytest.fixture
def stranger_admin(stack: Stack, fresh: WatchedBox) -> Api:
    """An admin key of another account."""
    from accounts import services

    organisation, project = services.create_organisation(name=unique("a"), plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id,
        project_id=project.id,
        name="admin",
        scopes=("memories:read", "memories:write", "admin"),
    )
    return fresh.oracle.watch(Api(stack.base_url, made.key))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": 5}, "url"),
        ({"url": "https://example.com/" + "x" * 2029}, "url"),
        ({"url": "https://example.com/", "events": []}, "events"),
        ({"url": "https://example.com/", "events": ["memory.deleted"]}, "events"),
        ({"url": "https://example.com/", "events": ["*", "memory.created"]}, "events"),
        ({"url": "https://example.com/", "events": "memory.created"}, "events"),
        ({"url": "https://example.com/", "secret": "x"}, "secret"),
        ({"url": "https://example.com/", "description": "x" * 2001}, "description"),
    ],
)
def test_a_bad_webhook_is_422(fresh: WatchedBox, body: dict[str, Any], field: str) -> None:
    refused(fresh.boot.post(WEBHOOKS, body), 422, "invalid_request", field)
    assert listed(fresh) == []


def test_hostile_urls_are_refused_at_registration_and_at_a_change(fresh: WatchedBox) -> None:
    kept = register(fresh)
    for url in HOSTILE:
        body = {"url": url, "project_id": fresh.project["id"], "events": QUIET}
        answer = refused(fresh.boot.post(WEBHOOKS, body), 422, "invalid_request", "url")
        assert answer["detail"][0]["loc"] == ["body", "url"], url
        changed = fresh.boot.patch(f"{WEBHOOKS}/{kept['id']}", {"url": url})
        refused(changed, 422, "invalid_request", "url")
    assert [row["url"] for row in listed(fresh)] == [kept["url"]]


def test_an_address_that_turned_private_is_not_delivered_to(
    fresh: WatchedBox, stack: Stack
) -> None:
    made = register(fresh)
    path = f"{WEBHOOKS}/{made['id']}"
    with receiving() as receiver, psycopg.connect(stack.env["DATABASE_URL"]) as database:
        port = receiver.url.rpartition(":")[2]
        for url in (receiver.url, f"https://127.0.0.1:{port}", f"https://localhost:{port}"):
            database.execute(
                "UPDATE webhooks_endpoint SET url = %s WHERE id = %s", [url, made["id"][4:]]
            )
            database.commit()
            sent = ok(fresh.boot.post(f"{path}/test"), 202)

            def tried(sent: dict[str, Any] = sent) -> dict[str, Any] | None:
                newest = ok(fresh.boot.get(f"{path}/deliveries"))["deliveries"][0]
                assert newest["message_id"] == sent["message_id"]
                return newest if newest["attempts"] else None

            delivery = wait_for("the try", tried)
            assert delivery["error"] == "the address is not public"
            assert (delivery["state"], delivery["response_status"]) == ("pending", None)
        assert receiver.got == []
    assert listed(fresh)[0]["last_failure_at"] is not None
    ok(fresh.boot.delete(path))


def test_a_webhook_is_changed_field_by_field(fresh: WatchedBox) -> None:
    made = register(fresh)
    path = f"{WEBHOOKS}/{made['id']}"
    refused(fresh.boot.patch(path, {}), 422, "invalid_request", "url")
    events = ["memory.created", "fact.invalidated"]
    body = {"url": "https://example.org/", "events": events, "description": "Other"}
    changed = ok(fresh.boot.patch(path, body))
    assert {name: changed[name] for name in body} == body
    off = ok(fresh.boot.patch(path, {"enabled": False}))
    assert (off["state"], off["disabled_reason"]) == ("disabled", None)
    assert ok(fresh.boot.patch(path, {"enabled": True}))["state"] == "enabled"
    assert {**changed, "state": "enabled"} == listed(fresh)[0]


def test_another_account_finds_no_webhook(fresh: WatchedBox, stranger_admin: Api) -> None:
    made = register(fresh)
    for webhook in (made["id"], f"whk_{ZERO}", "nonsense"):
        path = f"{WEBHOOKS}/{webhook}"
        for answer in (
            stranger_admin.patch(path, {"enabled": False}),
            stranger_admin.delete(path),
            stranger_admin.post(f"{path}/test"),
            stranger_admin.post(f"{path}/rotate-secret"),
            stranger_admin.get(f"{path}/deliveries"),
        ):
            refused(answer, 404, "not_found")
    body = {"url": "https://example.com/", "project_id": fresh.project["id"]}
    refused(stranger_admin.post(WEBHOOKS, body), 404, "not_found")
    assert ok(stranger_admin.get(WEBHOOKS))["webhooks"] == []
    assert [row["state"] for row in listed(fresh)] == ["enabled"]


def test_acts_on_webhooks_are_audited_in_their_project_without_secret_or_url(
    fresh: WatchedBox,
) -> None:
    made = register(fresh, url="https://example.com/quite-secret-path")
    path = f"{WEBHOOKS}/{made['id']}"
    ok(fresh.boot.patch(path, {"enabled": False}))
    rotated = ok(fresh.boot.post(f"{path}/rotate-secret"))
    ok(fresh.boot.delete(path))
    (created,) = audited(fresh, "webhook_create")
    changes = audited(fresh, "webhook_update")
    (deleted,) = audited(fresh, "webhook_delete")
    assert {one["target_id"] for one in (created, *changes, deleted)} == {made["id"]}
    assert [one["meta"]["changed"] for one in changes] == [["secret"], ["enabled"]]
    log = fresh.api.get("/v1/audit").text
    for hidden in ("quite-secret-path", made["secret"], rotated["secret"]):
        assert hidden not in log


def test_the_secret_is_sealed_in_the_database(fresh: WatchedBox, stack: Stack) -> None:
    from korely.webhooks import secrets

    made = register(fresh)
    with psycopg.connect(stack.env["DATABASE_URL"]) as database:
        row = database.execute(
            "SELECT e::text, secret FROM webhooks_endpoint e WHERE id = %s", [made["id"][4:]]
        ).fetchone()
    assert row is not None
    assert made["secret"].removeprefix("whsec_") not in row[0]
    assert secrets.unseal(row[1]) == made["secret"]


def test_a_project_has_at_most_100_webhooks(fresh: WatchedBox) -> None:
    from korely.kernel.ids import parse
    from korely.webhooks import services
    from tests.accounts import organisation_of

    project = parse("prj", fresh.project["id"])
    for _ in range(99):
        services.create_endpoint(
            organisation_id=organisation_of(fresh.api),
            project_id=project,
            url="https://example.com/",
            words=QUIET,
            description="",
        )
    register(fresh)
    body = {"url": "https://example.com/", "project_id": fresh.project["id"]}
    refused(fresh.boot.post(WEBHOOKS, body), 409, "conflict")
    assert len(listed(fresh)) == 100
    ok(fresh.boot.delete(f"/admin/projects/{fresh.project['id']}", erase="true"))
    assert listed(fresh) == []
