"""`manage.py verify_isolation`: clean on a sound install, tidy, awake to walls that fell."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.ports import pick_port
from korely.embedded.stack import Stack
from tests.api_client import wait_for
from tests.faults.rig import answer_of
from tests.matrix.routes import PUBLIC, ROUTES
from tests.operations import run

TOOLS = ("korely_search", "korely_get_context", "korely_get_facts")


def left(stack: Stack) -> int:
    """What runs made and did not remove."""
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {table} WHERE {column} LIKE %s", [name])
            for table, column, name in (
                ("accounts_organisation", "name", "verify-isolation-%"),
                ("billing_plan", "slug", "verify-isolation-%"),
            )
        ]
        return sum(one.fetchone()[0] for one in counts)


def accounts(stack: Stack) -> int:
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        return connection.execute("SELECT count(*) FROM accounts_organisation").fetchone()[0]


@contextmanager
def leaky_web_server(stack: Stack) -> Iterator[str]:
    """The address of tests/db/leaky_web.py, served on the stack's database."""
    port = pick_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", "tests.db.leaky_web:application"),
            *("--port", str(port), "--no-access-log", "--log-level", "warning"),
        ],
        cwd=CHECKOUT,
        env={**os.environ, **stack.env},
        stderr=subprocess.DEVNULL,
    )
    try:
        base = f"http://127.0.0.1:{port}"
        wait_for("the leaky web server", lambda: answer_of(f"{base}/healthz"))
        yield base
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def clean_run(stack: Stack) -> subprocess.CompletedProcess[str]:
    return run(stack, "verify_isolation")


def test_a_sound_install_shows_no_leak(
    stack: Stack, clean_run: subprocess.CompletedProcess[str]
) -> None:
    lines = clean_run.stdout.splitlines()
    assert [line for line in lines[:-1] if not line.startswith("ok   ")] == []
    assert clean_run.returncode == 0, clean_run.stderr
    found = re.fullmatch(r"(\d+) attempts, 0 leaks", lines[-1])
    assert found is not None
    assert int(found[1]) == len(lines) - 1 > 300
    for part in (
        "ids",
        "reads",
        "scopes",
        "confined",
        "dead keys",
        "faces",
        "texts",
        "database",
        "removal",
    ):
        assert any(line.startswith(f"ok   {part:10}") for line in lines), part


def test_every_route_is_attacked(clean_run: subprocess.CompletedProcess[str]) -> None:
    """Dead keys on all of them; foreign ids on each that names an object. What is behind MCP and
    the MemOS dialect is attacked by its tools and calls.
    """
    guarded = [one for one in ROUTES if one.scope != PUBLIC and one.path != "/agent/mcp"]
    by_others = [f"{call} by a key of another {owner}\n" for owner in ("account", "project")
                 for call in (*TOOLS, "search/memory", "get/memory", "get/message",
                              "delete/memory")]  # fmt: skip
    for told in by_others:
        assert f"ok   faces     {told}" in clean_run.stdout
    spelled = {str(route): re.sub(r"<str:(\w+)>", r"{\1}", route.pattern) for route in guarded}
    for route in guarded:
        call = f"{route.method} /{spelled[str(route)]}"
        assert f"ok   dead keys {call} by a revoked key\n" in clean_run.stdout
        if route.names:
            assert f"ok   ids       {call} by a key of another account\n" in clean_run.stdout


def test_nothing_of_a_run_stays_and_no_key_is_shown(
    stack: Stack, clean_run: subprocess.CompletedProcess[str]
) -> None:
    assert left(stack) == 0
    assert "kor_" not in clean_run.stdout + clean_run.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_cleans_up(stack: Stack, number: signal.Signals) -> None:
    before = accounts(stack)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "verify_isolation"],
        cwd=CHECKOUT,
        env={**os.environ, **stack.env, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("ok ")
    assert accounts(stack) > before
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "what was made is removed" in errors
    assert "Traceback" not in errors
    assert left(stack) == 0


def test_a_server_of_another_install_is_told(stack: Stack) -> None:
    done = run(stack, "verify_isolation", "--url", f"http://127.0.0.1:{pick_port()}")
    assert done.returncode == 1
    assert "ConnectionRefusedError" in done.stderr
    assert left(stack) == 0


def test_a_route_whose_objects_are_not_known_is_no_success(stack: Stack) -> None:
    from dataclasses import replace

    from korely.rest.isolation.evidence import require_kinds
    from korely.rest.isolation.report import Report
    from korely.rest.isolation.surface import calls

    lines: list[str] = []
    report = Report(lines.append)
    call = replace(calls()[0], method="GET", pattern="v1/widgets/<str:widget_id>")
    report.try_out("ids", str(call), lambda: require_kinds(call, {"memory": "mem_1"}))
    reason = "no widget is made to be attacked"
    assert lines == [f"FAIL ids       GET /v1/widgets/{{widget_id}}: {reason}"]
    assert report.summary() == "1 attempts, 0 leaks, 1 could not be made"
    assert not report.clean


WALLS_TAKEN_DOWN = """
    CREATE POLICY open ON memories_memory USING (true);
    ALTER TABLE facts_fact NO FORCE ROW LEVEL SECURITY;
    DROP POLICY operator ON facts_factvector;
    CREATE FUNCTION every_memory() RETURNS bigint LANGUAGE sql SECURITY DEFINER
        AS 'SELECT count(*) FROM memories_memory';
"""


@pytest.fixture(scope="module")
def leaks() -> Iterator[list[str]]:
    """What a run finds on an install of its own whose walls have fallen, in web and database."""
    with Stack.temporary() as broken, leaky_web_server(broken) as url:
        with psycopg.connect(broken.env["DATABASE_OWNER_URL"], autocommit=True) as owner:
            owner.execute(WALLS_TAKEN_DOWN)
        done = run(broken, "verify_isolation", "--url", url)
        assert done.returncode == 1, done.stdout
        assert left(broken) == 0
        lines = done.stdout.splitlines()
        assert re.fullmatch(r"\d+ attempts, \d+ leaks", lines[-1]), lines[-1]
        yield [line for line in lines if line.startswith("LEAK")]


@pytest.mark.parametrize(
    "found",
    [
        "LEAK reads     GET /admin/keys by a key of another account: the answer holds an id",
        "LEAK ids       POST /admin/keys/{key_id}/revoke by a key of another account: 200, and 404",
        "LEAK scopes    POST /v1/memories by a read-only key: 201 instead of 403",
        "LEAK confined  POST /v1/memories naming another end user by a key confined",
        "LEAK dead keys GET /v1/memories with a live key in the query string: 200 instead of 401",
        "LEAK texts     GET /v1/memories with a project and an account beside what it takes: the",
        "LEAK database  memories_memory: policies: a policy that is not the service's own: open",
        "LEAK database  memories_memory: read without a project: it shows rows",
        "LEAK database  memories_memory: insert into another project: only a constraint",
        "LEAK database  memories_memory: delete from another project: the database did it",
        "LEAK database  facts_fact: policies: row-level security is not forced",
        "LEAK database  facts_factvector: policies: no policy operator",
        "LEAK database  function every_memory() of its owner's rights: its search_path",
    ],
)
def test_a_wall_that_fell_is_found(leaks: list[str], found: str) -> None:
    assert any(line.startswith(found) for line in leaks), leaks


def test_walls_that_stand_are_not_blamed(leaks: list[str]) -> None:
    assert not any("GET /v1/facts" in line and line.startswith("LEAK reads") for line in leaks)
    assert not any(line.startswith("LEAK database  facts_declaredname") for line in leaks)
    assert not any(line.startswith("LEAK removal") for line in leaks)
