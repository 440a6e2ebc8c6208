"""A whole group of its own that tests may damage, and what they need to see and to break."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, wait_for


class Rig:
    """A running group: its API, its processes, and its tables as the operator's role sees them."""

    def __init__(self, stack: Stack, model: Path) -> None:
        self.stack = stack
        self._tokenizer = model / "tokenizer.json"
        self._intact = self._tokenizer.read_bytes()

    @property
    def boot(self) -> Api:
        return Api(self.stack.base_url, self.stack.key)

    def box(self) -> Box:
        """A project nobody else writes to."""
        return Box(self.boot)

    # --- seeing ------------------------------------------------------------------------------

    def answer(self, path: str) -> httpx.Response | None:
        """A GET without a key over a connection of its own; None when nobody answers."""
        return answer_of(self.stack.base_url + path)

    def checks(self) -> dict[str, str]:
        """The checks of `/readyz`, {} when nobody answers."""
        response = self.answer("/readyz")
        return response.json()["checks"] if response is not None else {}

    def is_ready(self) -> bool:
        response = self.answer("/readyz")
        return response is not None and response.status_code == 200

    def await_ready(self, seconds: float = 60) -> None:
        wait_for("the group to be ready", self.is_ready, seconds)

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query of the backup role finds, over all tenants."""
        return self._run("DATABASE_BACKUP_URL", statement, *values).fetchall()

    def change(self, statement: str, *values: Any) -> None:
        """Rows of control tables changed, as the serving role may."""
        self._run("DATABASE_URL", statement, *values)

    def alter(self, statement: str) -> None:
        """The shape of the database changed, as its owner."""
        self._run("DATABASE_OWNER_URL", statement)

    def _run(self, url: str, statement: str, *values: Any) -> psycopg.Cursor[Any]:
        address = self.stack.env[url]
        with psycopg.connect(address, connect_timeout=5, autocommit=True) as connection:
            return connection.execute(statement, values or None)

    def spent(self) -> tuple[int, int]:
        """Writes and queries counted so far, over all accounts."""
        totals = "SELECT coalesce(sum(writes), 0), coalesce(sum(queries), 0) FROM billing_usage"
        writes, queries = self.rows(totals)[0]
        return int(writes), int(queries)

    def count(self, table: str, project: str | None = None) -> int:
        """Rows of a table, of one project (its wire id) or of all."""
        if project is None:
            return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])
        where = f"SELECT count(*) FROM {table} WHERE project_id = %s"
        return int(self.rows(where, project.removeprefix("prj_"))[0][0])

    def statuses(self, project: str) -> dict[str, int]:
        """How many memories of a project there are in each status."""
        found = self.rows(
            "SELECT status, count(*) FROM memories_memory WHERE project_id = %s GROUP BY status",
            project.removeprefix("prj_"),
        )
        return dict(found)

    def process(self, part: str) -> psutil.Process:
        return psutil.Process(self.stack.pids()[part])

    def all_processes(self) -> set[psutil.Process]:
        """The supervisor and everything below it."""
        assert self.stack.process is not None
        supervisor = psutil.Process(self.stack.process.pid)
        return {supervisor, *supervisor.children(recursive=True)}

    # --- breaking ----------------------------------------------------------------------------

    def kill(self, part: str) -> None:
        """SIGKILL to all of a part's process group; returns once another process took its place."""
        old = self.stack.pids()[part]
        os.killpg(old, signal.SIGKILL)
        wait_for(f"another {part}", lambda: self.stack.pids().get(part, old) != old)

    @contextmanager
    def frozen(self, part: str) -> Iterator[None]:
        """A part and its children stopped in their tracks, as on a machine that hangs."""
        top = self.process(part)
        stopped = [top]
        top.suspend()
        for child in top.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.suspend()
                stopped.append(child)
        try:
            yield
        finally:
            for process in stopped:
                with suppress(psutil.NoSuchProcess):
                    process.resume()

    @contextmanager
    def without(self, part: str) -> Iterator[None]:
        """A part stopped and kept stopped; a start of the whole group ends that too."""
        self.stack.hold(part)
        try:
            yield
        finally:
            if sys.exc_info()[0] is None:  # else `restore` does it, and the failure is seen
                self.stack.release(part)

    @contextmanager
    def broken_model(self, part: str) -> Iterator[None]:
        """The embedding model's file cut short, seen by a part that has to load it anew."""
        self._tokenizer.write_bytes(self._intact[:1000])
        try:
            self.kill(part)
            yield
        finally:
            self._tokenizer.write_bytes(self._intact)

    def environment(self) -> dict[str, str]:
        """What a program of ours needs to work beside the group."""
        return {**os.environ, **self.stack.env, "KORELY_DATA_DIR": str(self.stack.data_dir)}

    def manage(self, *command: str) -> str:
        """What a management command prints, run by an operator beside the group."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=CHECKOUT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def restore(self) -> None:
        """Whatever a test left behind: everything runs, nothing is held, the group is ready."""
        if self.stack.process is None or self.stack.process.poll() is not None:
            self.stack.start()
        self._tokenizer.write_bytes(self._intact)
        for process in self.all_processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()
        for hold in (self.stack.data_dir / "hold").iterdir():
            self.stack.release(hold.name)
        self.await_ready()


def answer_of(url: str) -> httpx.Response | None:
    """A GET without a key over a connection of its own; None when nobody answers."""
    with suppress(httpx.HTTPError):
        return httpx.get(url, timeout=10)
    return None


def is_gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def add_all(api: Api, memories: Iterable[dict[str, Any]], threads: int = 8) -> list[dict[str, Any]]:
    """Add memories over several connections at once; each of them is answered 201."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda body: ok(api.post("/v1/memories", body), 201), memories))


def all_facts(api: Api) -> list[dict[str, Any]]:
    """Every fact of a project, ended ones included, over all pages."""
    found: list[dict[str, Any]] = []
    while True:
        page = ok(api.get("/v1/facts", limit=200, offset=len(found), include_invalidated="true"))
        found += page["facts"]
        if len(found) >= page["total"]:
            return found


def all_memories(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = ok(api.get("/v1/memories", limit=200, offset=len(found)))
        found += page["memories"]
        if len(found) >= page["total"]:
            return found


class Writers:
    """Threads that add memories one after the other until told to stop, or cut off.

    `acknowledged` is text by id of every 201 that came in whole; `other` every other answer;
    `cut_off` counts the calls that got none.
    """

    def __init__(self, api: Api, name: str, threads: int = 6) -> None:
        self.acknowledged: dict[str, str] = {}
        self.other: list[httpx.Response] = []
        self.cut_off = 0
        self._api, self._name = api, name
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=[n]) for n in range(threads)]

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _write(self, number: int) -> None:
        api = Api(self._api.base_url, self._api.key)
        count = 0
        while not self._stop.is_set():
            count += 1
            text = f"I like {self._name}{number}x{count}."
            try:
                response = api.post("/v1/memories", {"content": text, "user_id": f"w{number}"})
            except httpx.HTTPError:
                self.cut_off += 1
                return
            if response.status_code == 201:
                self.acknowledged[response.json()["id"]] = text
            else:
                self.other.append(response)


def seconds_of(call: Any) -> tuple[float, Any]:
    began = time.monotonic()
    result = call()
    return time.monotonic() - began, result
