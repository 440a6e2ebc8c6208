"""The installation under measurement: a group of its own, and projects filled for it."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass

import httpx
import psycopg
from psycopg import sql

from benchmarks.crowd import crowd
from benchmarks.loading import USERS, Loaded, load, settle
from korely.embedded.stack import Stack

OTHERS, OTHERS_SIZE = 20, 1_000  # tenants around the measured one, memories of each


@dataclass(frozen=True, slots=True)
class Project:
    """A project, what was loaded into it, and its key's HTTP client."""

    id: uuid.UUID
    size: int
    loaded: Loaded
    http: httpx.Client
    load_seconds: float


class Installation:
    """Makes projects in a running group."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.boot = client(stack, stack.key)
        self.owner = psycopg.connect(stack.env["DATABASE_OWNER_URL"], autocommit=True)
        self._projects: dict[tuple[int, int], Project] = {}
        self.crowded = False

    def close(self) -> None:
        self.owner.close()
        for http in (self.boot, *(project.http for project in self._projects.values())):
            http.close()

    def surround(self) -> None:
        """Load the other tenants, so that the planner has a choice."""
        for number in range(OTHERS):
            load(self.owner, self.create(f"other-{number}"), OTHERS_SIZE, seed=1_000 + number)
        settle(self.owner)

    def crowd(self) -> None:
        """Make 1,000 accounts with ten keys each, once."""
        if not self.crowded:
            crowd()
            self.owner.execute("ANALYZE")
            self.crowded = True

    def project(self, size: int, users: int = USERS) -> Project:
        """The project with `size` memories of so many end users, made at first use."""
        if (size, users) not in self._projects:
            self._projects[size, users] = self._filled(size, users)
        return self._projects[size, users]

    def application(self, project: uuid.UUID) -> psycopg.Connection:
        """A bare connection as the application role, for good inside a project's scope."""
        connection = psycopg.connect(self.stack.env["DATABASE_URL"], autocommit=True)
        connection.execute(sql.SQL("SET korely.project_id = {}").format(sql.Literal(str(project))))
        return connection

    def pid(self, part: str) -> int:
        return self.stack.pids()[part]

    def _filled(self, size: int, users: int) -> Project:
        name = f"measured-{size}-{users}"
        project = self.create(name)
        began = time.perf_counter()
        loaded = load(self.owner, project, size, seed=size, users=users)
        settle(self.owner)
        seconds = time.perf_counter() - began
        made = self.boot.post(
            "/admin/keys", json={"name": name, "project_id": f"prj_{project.hex}"}
        )
        http = client(self.stack, made.raise_for_status().json()["key"])
        return Project(project, size, loaded, http, seconds)

    def create(self, name: str) -> uuid.UUID:
        made = self.boot.post("/admin/projects", json={"name": name}).raise_for_status()
        return uuid.UUID(made.json()["id"].removeprefix("prj_"))


def client(stack: Stack, key: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.Client(base_url=stack.base_url, headers=headers, timeout=60)
