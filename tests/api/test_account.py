"""DELETE /v1/account."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.accounts import organisation_of
from tests.api.oracle import Oracle, WatchedBox
from tests.api.rows import left_in
from tests.api_client import Api, ok, refused, unique

PATH = "/v1/account"


@pytest.fixture
def whole(stack: Stack, oracle: Oracle) -> WatchedBox:
    """An account of its own with a second project; `boot` is its key with all scopes."""
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Alone", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="first", scopes=SCOPES
    )
    return WatchedBox(oracle.watch(Api(stack.base_url, made.key)), oracle)


def rows_of(stack: Stack, organisation: Any) -> dict[str, int]:
    """Rows that name the account, in whatever table."""
    found = {}
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"], autocommit=True) as connection:
        tables = connection.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relkind = 'r' AND a.attname = 'organisation_id'"
            " AND c.relnamespace = 'public'::regnamespace"
        ).fetchall()
        assert {"accounts_project", "accounts_apikey", "billing_usage"} <= {
            one for (one,) in tables
        }
        for table, column in [*((one, "organisation_id") for (one,) in tables),
                              ("accounts_organisation", "id")]:  # fmt: skip
            row = connection.execute(
                f"SELECT count(*) FROM {table} WHERE {column} = %s", [organisation]
            ).fetchone()
            if row is not None and row[0]:
                found[table] = row[0]
    return found


def test_everything_of_the_account_goes_and_its_keys_are_dead(
    whole: WatchedBox, stack: Stack, api: Api
) -> None:
    from billing.models import TopUp
    from billing.services.quotas import month_of
    from korely.kernel.clock import now

    kept = api.add("Somebody else's.", user_id="u")
    organisation = organisation_of(whole.boot)
    TopUp.objects.create(organisation_id=organisation, month=month_of(now()), writes=5)
    for one in (whole.boot, whole.api):
        one.told("I live in Rome.", "u", agent_id="bot")
    ok(whole.api.post("/v1/users/u/names", {"name": "Ursula"}), 201)
    whole.api.add("Still to be extracted.", user_id="v")
    default = ok(whole.boot.get("/admin/projects"))["projects"][0]["id"]
    answer = ok(whole.api.delete(PATH, confirm=True))
    assert answer["deleted"] is True
    removed = answer["removed"]
    assert removed.pop("audit_events") >= 5
    assert removed == {
        "projects": 2,
        "keys": 2,
        "memories": 3,
        "facts": 2,
        "names": 1,
        "agents": 1,
    }
    assert rows_of(stack, organisation) == {}
    for project in (default, whole.project["id"]):
        assert left_in(stack, project, kept=()) == {}
    for one in (whole.boot, whole.api):
        for response in (one.get("/v1/ping"), one.delete(PATH, confirm=True)):
            refused(response, 401, "invalid_key")
    ok(api.get(f"/v1/memories/{kept['id']}"))


def test_an_account_with_nothing_tells_only_the_kinds_that_it_had(on_plan: Any) -> None:
    lone = on_plan()
    assert ok(lone.delete(PATH, confirm="yes"))["removed"] == {"projects": 1, "keys": 1}


@pytest.mark.parametrize("query", [{}, {"confirm": "false"}, {"confirm": "0"}])
def test_without_confirm_nothing_is_deleted(on_plan: Any, query: dict[str, str]) -> None:
    lone = on_plan()
    lone.add("Kept.")
    refused(lone.delete(PATH, **query), 400, "confirmation_required", "confirm=true")
    refused(lone.delete(PATH, confirm="sure"), 422, "invalid_request", "confirm")
    assert ok(lone.get("/v1/memories"))["total"] == 1


def test_the_first_account_of_an_install_is_never_deleted_by_a_key(boot: Api) -> None:
    refused(boot.delete(PATH, confirm=True), 409, "account_has_login")
    refused(boot.delete(PATH), 400, "confirmation_required")
    ok(boot.get("/v1/ping"))
    assert ok(boot.get("/admin/projects"))["projects"]


def test_an_account_that_people_sign_in_to_is_not_deleted_by_a_key(on_plan: Any) -> None:
    from accounts.models import Membership, Person, Role

    lone = on_plan()
    lone.add("Kept.")
    person = Person.objects.create(email=f"{unique('p')}@example.com")
    row = Membership.objects.create(
        organisation_id=organisation_of(lone), person=person, role=Role.MEMBER
    )
    refused(lone.delete(PATH, confirm=True), 409, "account_has_login")
    assert ok(lone.get("/v1/memories"))["total"] == 1
    row.delete()
    assert ok(lone.delete(PATH, confirm=True))["removed"]["memories"] == 1


def test_a_confined_key_and_one_that_only_reads_are_refused(whole: WatchedBox) -> None:
    confined = whole.key(users=["u*"])
    refused(confined.delete(PATH, confirm=True), 403, "forbidden", "confined")
    refused(confined.delete(PATH), 403, "forbidden", "confined")
    reader = whole.key("memories:read", "admin")
    refused(reader.delete(PATH, confirm=True), 403, "forbidden", "memories:write")
    assert len(ok(whole.boot.get("/admin/projects"))["projects"]) == 2


def test_other_methods_of_the_account_are_405(api: Api) -> None:
    for method in ("GET", "POST", "PATCH"):
        refused(api.request(method, PATH), 405, "method_not_allowed")


def test_of_two_deletions_at_once_one_deletes_and_writers_are_told(
    whole: WatchedBox, stack: Stack
) -> None:
    """Memories are written, keys made, agents named meanwhile: nothing stays, nobody fails."""
    organisation = organisation_of(whole.boot)
    projects = [one["id"] for one in ok(whole.boot.get("/admin/projects"))["projects"]]
    stop = threading.Event()
    seen: set[int] = set()

    def hammer(call: Any) -> None:
        while not stop.is_set():
            response = call()
            seen.add(response.status_code)
            if response.status_code == 401:
                return
            if response.status_code != 201:
                refused(response, 503, "unavailable")

    def copy(one: Api) -> Api:
        return Api(one.base_url, one.key)

    one, two, three = copy(whole.boot), copy(whole.api), copy(whole.boot)
    calls = [
        lambda: one.post("/v1/memories", {"content": "I like tea.", "agent_id": unique("a")}),
        lambda: two.post("/v1/memories", {"content": "I like tea.", "user_id": "u"}),
        lambda: three.post("/admin/keys", {"name": unique("k")}),
    ]
    with ThreadPoolExecutor(5) as pool:
        running = [pool.submit(hammer, call) for call in calls]
        threading.Event().wait(0.3)
        deleted = [pool.submit(copy(whole.boot).delete, PATH, confirm=True) for _ in range(2)]
        statuses = sorted(one.result().status_code for one in deleted)
        stop.set()
        for one_of_them in running:
            one_of_them.result()
    assert statuses == [200, 401]
    assert seen <= {201, 401, 503}
    assert rows_of(stack, organisation) == {}
    for project in projects:
        assert left_in(stack, project, kept=()) == {}
