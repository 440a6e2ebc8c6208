"""What is taken away while it is in use."""

from __future__ import annotations

import os
import threading
import time

import psycopg

from tests.api_client import Api, ok, refused
from tests.concurrency.at_once import at_once, clients, statuses
from tests.faults.rig import Writers
from tests.faults.second_server import second_web_server


def test_no_request_that_starts_after_a_revocation_is_answered(stack, boot, fresh):
    made = fresh.mint()
    answered: list[tuple[float, int]] = []  # when a request began, and its status
    stop = threading.Event()

    def hammer(base: str) -> None:
        api = Api(base, made["key"])
        while not stop.is_set():
            began = time.monotonic()
            answered.append((began, api.get("/v1/ping").status_code))

    with second_web_server(os.environ | stack.env) as other:
        threads = [threading.Thread(target=hammer, args=[b]) for b in [stack.base_url, other] * 4]
        for thread in threads:
            thread.start()
        try:
            while len(answered) < 40:
                stop.wait(0.01)
            ok(boot.post(f"/admin/keys/{made['id']}/revoke"))
            revoked = time.monotonic()
            while sum(began > revoked for began, _ in answered) < 40:
                stop.wait(0.01)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert {status for began, status in answered if began > revoked} == {401}
    assert {status for began, status in answered} == {200, 401}


def left_of(ops_url: str, project: str) -> dict[str, int]:
    """Rows of every table with a `project_id`, as the operator's role sees them, by table."""
    with psycopg.connect(ops_url, autocommit=True) as connection:
        tables = [
            name
            for (name,) in connection.execute(
                "SELECT table_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND column_name = 'project_id'"
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
    project, ops = fresh.project["id"], stack.env["DATABASE_OPS_URL"]
    with Writers(fresh.api, "thing", threads=6) as writers:
        while len(writers.acknowledged) < 20:
            time.sleep(0.01)
        assert left_of(ops, project)["memories_memory"] > 0
        erased = ok(boot.delete(f"/admin/projects/{project}", erase="true"))
    assert erased["memories_deleted"] > 0
    assert not writers.cut_off
    for response in writers.other:
        refused(response, 503, "unavailable")
    assert left_of(ops, project) == {}
    boot.settle()
    assert left_of(ops, project) == {}
    refused(boot.delete(f"/admin/projects/{project}", erase="true"), 404, "not_found")


def test_one_name_asked_for_by_many_at_once_is_given_once(boot, uid):
    made = at_once([lambda c=c: c.post("/admin/projects", {"name": uid}) for c in clients(boot, 8)])
    assert statuses(made) == [201] + [409] * 7
    keys = at_once([lambda c=c: c.post("/admin/keys", {"name": uid}) for c in clients(boot, 8)])
    assert statuses(keys) == [201] + [409] * 7
