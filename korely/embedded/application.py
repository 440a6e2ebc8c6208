"""The Python programs of the group: preparation, web server, workers and the periodic sweep."""

import http.client
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress

from korely.embedded.data_directory import DataDirectory
from korely.embedded.errors import StartError
from korely.embedded.options import ADDRESSES, CHECKOUT, Options
from korely.embedded.postgres import Postgres
from korely.embedded.process import Part, run_to_end
from korely.embedded.signals import Signals
from korely.embedded.valkey import Valkey

# Only what changes the database's shape or dumps it needs these; no serving process gets them.
_PREPARATION_ONLY = ("DATABASE_OWNER_URL", "DATABASE_BACKUP_URL", "KORELY_BOOTSTRAP_KEY")
_WEB_ONLY = ("DATABASE_OPS_URL",)  # the operators' site's


class Application:
    """Builds the parts that run the product's own code."""

    def __init__(
        self,
        options: Options,
        data: DataDirectory,
        postgres: Postgres,
        valkey: Valkey,
        environment: Mapping[str, str],
    ) -> None:
        self._options = options
        self._data = data
        self._given = environment
        values = data.secrets
        self.variables = {
            "DATABASE_URL": postgres.url("korely_app", values.app_password),
            "DATABASE_OWNER_URL": postgres.url("korely_owner", values.owner_password),
            "DATABASE_OPS_URL": postgres.url("korely_ops", values.ops_password),
            "DATABASE_BACKUP_URL": postgres.url("korely_backup", values.backup_password),
            "BROKER_URL": valkey.url(0),
            "CACHE_URL": valkey.url(1),
            "SECRET_KEY": environment.get("SECRET_KEY") or values.secret_key,
            "KORELY_PEPPERS": environment.get("KORELY_PEPPERS") or values.peppers,
            "KORELY_PUBLIC_URL": options.public_url,
        }

    def ignored_variables(self) -> list[str]:
        """Addresses in the caller's environment that the embedded servers take the place of."""
        return [
            name
            for name in ADDRESSES
            if self._given.get(name) not in (None, "", self.variables[name])
        ]

    def prepare(self, signals: Signals) -> str | None:
        """Migrate and make the first key; returns the key when it was made just now."""
        part = self._part("prepare", [sys.executable, "manage.py", "prepare"], serving=False)
        part.keep_output = True  # a key is to be in no file
        if run_to_end(part, signals, seconds=600) != 0:
            reason = part.last_output() or part.ending()
            raise StartError(f"the database cannot be prepared: {reason} (log: {part.log})")
        for line in part.kept_output().splitlines():
            if line.startswith("KEY "):
                return line.removeprefix("KEY ").strip()
        return None

    def web(self) -> Part:
        """The HTTP server. Body size and time are the application's own rules."""
        host, port = self._options.host, str(self._options.port)
        command = ["-m", "uvicorn", "korely.asgi:application", "--host", host, "--port", port]
        command += ["--no-server-header", "--no-access-log", "--log-level", "warning"]
        # Whose X-Forwarded-For counts is the application's own rule (KORELY_TRUSTED_PROXIES).
        command += ["--no-proxy-headers"]
        command += ["--http", "korely.front.connection:Connection"]
        command += ["--ws", "none", "--timeout-keep-alive", "30"]
        # Longer than a request may wait for the model's turn (20 s).
        command += ["--timeout-graceful-shutdown", "25"]
        part = self._part("web", [sys.executable, *command])
        part.grace = 30.0
        return part

    def workers(self) -> list[Part]:
        """One process each: with no children of its own, none can outlive it."""
        names = ["worker"]
        names += [f"worker-{number}" for number in range(2, self._options.worker_processes + 1)]
        command = ["-m", "celery", "-A", "korely.celery", "worker", "--pool", "solo"]
        command += ["--loglevel", "INFO"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return [
            self._part(name, [sys.executable, *command, "--hostname", f"{name}@%h"])
            for name in names
        ]

    def beat(self) -> Part:
        """The clock of the periodic sweep."""
        command = ["-m", "celery", "-A", "korely.beat", "beat", "--pidfile", ""]
        command += ["--loglevel", "WARNING", "--schedule", str(self._data.beat / "schedule")]
        part = self._part("beat", [sys.executable, *command])
        part.grace = 5.0
        return part

    def await_ready(self, parts: list[Part], signals: Signals, *, seconds: float = 90) -> None:
        """Return once `GET /readyz` is 200; StartError when a part ends or time runs out."""
        deadline = time.monotonic() + seconds
        while True:
            for part in parts:
                if not part.running:
                    raise StartError(
                        f"{part.name} ended at its start ({part.ending()}):"
                        f" {part.last_output()} (log: {part.log})"
                    )
            status, body = self._readiness()
            if status == 200:
                return
            if time.monotonic() > deadline:
                raise StartError(
                    f"not ready after {seconds:.0f} s: {body} (logs: {self._data.logs})"
                )
            signals.pause(0.1)

    def _readiness(self) -> tuple[int, str]:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(  # noqa: S104
            self._options.host, self._options.host
        )
        connection = http.client.HTTPConnection(host, self._options.port, timeout=5)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/readyz")
            response = connection.getresponse()
            body = response.read(4_096).decode("utf-8", "replace")
            with suppress(ValueError, AttributeError):
                checks = json.loads(body).get("checks", {})
                failed = [name for name, state in checks.items() if state != "ok"]
                body = f"{', '.join(failed)} failed"
            return response.status, body
        return 0, "the web server does not answer"

    def _part(self, name: str, command: list[str], *, serving: bool = True) -> Part:
        environment = {**self._given, **self.variables, "PYTHONUNBUFFERED": "1"}
        environment["KORELY_DATA_DIR"] = str(self._data.path)
        # Fewer memory arenas: threads of one process share them instead of growing their own.
        environment.setdefault("MALLOC_ARENA_MAX", "2")
        if serving:
            environment["PROMETHEUS_MULTIPROC_DIR"] = str(self._data.metrics)
            for variable in (*_PREPARATION_ONLY, *(() if name == "web" else _WEB_ONLY)):
                environment.pop(variable, None)
        return Part(
            name=name,
            command=lambda: command,
            environment=environment,
            directory=CHECKOUT,
            log=self._data.logs / f"{name}.log",
        )


def caller_environment() -> dict[str, str]:
    """The caller's variables without those that would redirect the PostgreSQL client library."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}
