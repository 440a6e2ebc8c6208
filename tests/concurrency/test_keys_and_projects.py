"""What is taken away while it is in use."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from datetime import timedelta

import httpx
import psycopg
import pytest

from korely.kernel.clock import now
from tests.api_client import Api, ok, refused, wait_for
from tests.concurrency.at_once import at_once, clients, statuses
from tests.faults.rig import Writers
from tests.faults.second_server import second_web_server


class Hammer:
    """Eight clients on two servers that use one key over and over; what each call was answered."""

    def __init__(self, bases: list[str], key: str, path: str) -> None:
        self.answered: list[tuple[float, httpx.Response]] = []  # when a request began
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._use, args=[Api(base, key), path]) for base in bases * 4
        ]

    def __enter__(self) -> Hammer:
        for thread in self._threads:
            thread.start()
        self.await_more()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _use(self, api: Api, path: str) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            self.answered.append((began, api.get(path)))

    def await_more(self, count: int = 40) -> float:
        """Returns once so many requests that start from now on are answered; when `now` was."""
        now = time.monotonic()
        wait_for("more answers", lambda: len(self.since(now)) >= count)
        return now

    def since(self, moment: float) -> list[httpx.Response]:
        return [response for began, response in self.answered if began > moment]

    def before(self, moment: float) -> list[httpx.Response]:
        return [response for began, response in self.answered if began <= moment]


@pytest.fixture(scope="module")
def servers(stack) -> Iterator[list[str]]:
    """Two web processes on one database."""
    with second_web_server(os.environ | stack.env) as other:
        yield [stack.base_url, other]


def test_no_request_that_starts_after_a_revocation_is_answered(servers, boot, fresh):
    made = fresh.mint()
    with Hammer(servers, made["key"], "/v1/ping") as hammer:
        ok(boot.post(f"/admin/keys/{made['id']}/revoke"))
        revoked = hammer.await_more()
    assert set(statuses(hammer.since(revoked))) == {401}
    assert set(statuses(hammer.before(revoked))) == {200, 401}


def test_no_request_that_starts_after_a_move_sees_the_old_project(servers, boot, box, fresh):
    made = box.mint()
    old, new = (one.api.add("Here.")["id"] for one in (box, fresh))
    with Hammer(servers, made["key"], "/v1/memories") as hammer:
        target = {"project_id": fresh.project["id"]}
        ok(boot.post(f"/admin/keys/{made['id']}/move", target))
        moved = hammer.await_more()
    assert all(ok(response)["total"] == 1 for _, response in hammer.answered)
    assert not [one for one in hammer.since(moved) if new not in one.text]
    assert [one for one in hammer.before(moved) if old in one.text]


def test_a_key_is_refused_from_the_second_it_expires(servers, box):
    """The clock decides, whatever a server saw before; both spellings of the key end."""
    from accounts.models import ApiKey

    made = box.mint()
    end = now() + timedelta(seconds=1.5)
    ApiKey.objects.filter(pk=made["id"][4:]).update(expires_at=end)
    with Hammer(servers, made["key"], "/v1/ping") as hammer:
        wait_for("the end", lambda: now() >= end)
        ended = hammer.await_more()
    assert set(statuses(hammer.since(ended))) == {401}
    assert 200 in statuses(hammer.before(ended))
    for base in servers:
        for spelling in ("kor_self_", "kor_live_"):
            key = spelling + made["key"].removeprefix("kor_self_")
            refused(Api(base, key).get("/v1/ping"), 401, "invalid_key")


def test_the_last_of_two_admins_stays_when_each_revokes_the_other(boot):
    from accounts import services

    for _ in range(5):
        organisation, project = services.create_organisation(name="Duel", plan="self_hosted")
        place = {"organisation_id": organisation.id, "project_id": project.id}
        made = [services.mint_key(**place, name=n, scopes=("admin",)) for n in "ab"]
        one, two = (Api(boot.base_url, new.key) for new in made)
        first, second = (f"/admin/keys/{new.row.id.hex}/revoke" for new in made)
        at_once([lambda c=one, p=second: c.post(p), lambda c=two, p=first: c.post(p)])
        left = [api for api in (one, two) if api.get("/admin/keys").status_code == 200]
        assert len(left) == 1
        keys = ok(left[0].get("/admin/keys"))["keys"]
        assert sorted(key["state"] for key in keys) == ["live", "revoked"]


def test_a_key_that_many_rotate_at_once_is_replaced_once(boot, fresh):
    made = fresh.mint()
    path = f"/admin/keys/{made['id']}/rotate"
    answers = at_once([lambda c=c: c.post(path) for c in clients(boot, 8)])
    assert statuses(answers) == [201] + [409] * 7
    keys = ok(boot.get("/admin/keys"))["keys"]
    mine = [one["name"] for one in keys if one["name"].startswith(made["name"])]
    assert sorted(mine) == [made["name"], f"{made['name']} (rotated)"]


def test_moves_revocations_and_rotations_of_one_key_meet_without_a_failure(boot, box, fresh):
    """Whatever comes first: no deadlock, no 5xx, and the key ends revoked."""
    made = box.mint()
    path = f"/admin/keys/{made['id']}"
    calls = [
        lambda c=c, p=place: c.post(f"{path}/move", {"project_id": p.project["id"]})
        for c, place in zip(clients(boot, 8), [box, fresh] * 4, strict=True)
    ]
    calls += [lambda c=c: c.post(f"{path}/rotate") for c in clients(boot, 2)]
    calls += [lambda c=c: c.post(f"{path}/revoke") for c in clients(boot, 2)]
    assert set(statuses(at_once(calls))) <= {200, 201, 409}
    keys = ok(boot.get("/admin/keys"))["keys"]
    assert next(one for one in keys if one["id"] == made["id"])["state"] == "revoked"


def left_of(url: str, project: str) -> dict[str, int]:
    """Rows of every table with a `project_id`, as the backup role sees them, by table.

    Seals of the audit log outlive what they sealed, and so does what was used of a month and asked
    of the API: counts, hashes and routes, nothing of the content.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        tables = [
            name
            for (name,) in connection.execute(
                "SELECT table_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND column_name = 'project_id'"
                " AND table_name NOT IN"
                " ('billing_auditseal', 'billing_usageday', 'billing_requestentry')"
            )
        ]
        assert {"memories_memory", "facts_fact", "billing_auditevent", "work_work"} <= set(tables)
        counts = {
            name: connection.execute(
                f"SELECT count(*) FROM {name} WHERE project_id = %s",
                [project.removeprefix("prj_")],
            ).fetchone()[0]
            for name in tables
        }
    return {name: count for name, count in counts.items() if count}


def test_a_project_erased_under_writes_leaves_nothing_and_fails_no_request(stack, boot, fresh):
    project, every = fresh.project["id"], stack.env["DATABASE_BACKUP_URL"]
    with Writers(fresh.api, "thing", threads=6) as writers:
        while len(writers.acknowledged) < 20:
            time.sleep(0.01)
        assert left_of(every, project)["memories_memory"] > 0
        erased = ok(boot.delete(f"/admin/projects/{project}", erase="true"))
    assert erased["memories_deleted"] > 0
    assert not writers.cut_off
    for response in writers.other:
        refused(response, 503, "unavailable")
    assert left_of(every, project) == {}
    boot.settle()
    assert left_of(every, project) == {}
    refused(boot.delete(f"/admin/projects/{project}", erase="true"), 404, "not_found")


def test_one_name_asked_for_by_many_at_once_is_given_once(boot, uid):
    made = at_once([lambda c=c: c.post("/admin/projects", {"name": uid}) for c in clients(boot, 8)])
    assert statuses(made) == [201] + [409] * 7
    keys = at_once([lambda c=c: c.post("/admin/keys", {"name": uid}) for c in clients(boot, 8)])
    assert statuses(keys) == [201] + [409] * 7
