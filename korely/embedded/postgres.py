"""The embedded PostgreSQL: a cluster of its own, one server process, the product's database."""

import os
import secrets
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

from korely.embedded.account import Account
from korely.embedded.binaries import POSTGRES_MAJOR, Binaries
from korely.embedded.data_directory import DataDirectory
from korely.embedded.errors import StartError
from korely.embedded.postgres_settings import SETTINGS
from korely.embedded.process import Part, run_to_end
from korely.embedded.signals import Signals

DATABASE = "korely"
SUPERUSER = "postgres"
ROLES_FILE = Path(__file__).with_name("roles.sql")
# PG_CONTROL_FILE_SIZE of PostgreSQL's catalog/pg_control.h.
CONTROL_FILE_BYTES = 8192

_CREATE_DATABASE = r"""
SELECT 'CREATE DATABASE korely'
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'korely') \gexec
\connect korely
"""
_REMAINS = "pre-existing shared memory block"
_NO_PORT = "could not bind"


class Postgres:
    """Makes, starts and prepares the cluster of one data directory."""

    def __init__(
        self, data: DataDirectory, binaries: Binaries, account: Account | None, cluster: Path
    ) -> None:
        self._data = data
        self._binaries = binaries
        self._account = account
        self.cluster = cluster
        self.part = Part(
            name="postgres",
            command=self._command,
            environment=_environment(),
            directory=Path("/"),
            log=data.logs / "postgres.log",
            account=account,
            stop_signal=signal.SIGINT,  # "fast": end sessions, write everything, leave
            hasten_signal=signal.SIGQUIT,  # "immediate": the next start replays the log
            death_signal=signal.SIGQUIT,  # takes its own children along, SIGKILL does not
            grace=30.0,
        )

    def create(self, signals: Signals) -> None:
        """Make the cluster unless it exists; one that was cut off midway is made anew."""
        if self.cluster.exists():
            return
        draft = self.cluster.with_name("postgres.new")
        password = self.cluster.with_name(f".password.{secrets.token_hex(4)}")
        shutil.rmtree(draft, ignore_errors=True)
        try:
            draft.mkdir(mode=0o700)
            password.touch(mode=0o600)
            password.write_text(f"{self._data.secrets.superuser_password}\n", encoding="ascii")
            if self._account:
                for path in (draft, password):
                    os.chown(path, self._account.uid, self._account.gid)
            initdb = Part(
                name="initdb",
                command=lambda: self._initdb_command(draft, password),
                environment=_environment(),
                directory=Path("/"),
                log=self._data.logs / "initdb.log",
                account=self._account,
            )
            if run_to_end(initdb, signals, seconds=120) != 0:
                reason = initdb.last_output("error", "FATAL", "could not")
                raise StartError(f"the database cannot be created: {reason} (log: {initdb.log})")
            draft.rename(self.cluster)
        except OSError as error:
            raise StartError(f"the database cannot be created at {draft}: {error}") from error
        finally:
            password.unlink(missing_ok=True)
            shutil.rmtree(draft, ignore_errors=True)

    def check(self) -> None:
        """Raise StartError unless the cluster looks like one this PostgreSQL can open."""
        broken = f"broken data directory: {self.cluster}"
        try:
            version = (self.cluster / "PG_VERSION").read_text(encoding="ascii").strip()
            control = (self.cluster / "global" / "pg_control").stat().st_size
        except (OSError, ValueError) as error:
            raise StartError(f"{broken} is no PostgreSQL database ({error})") from error
        if version != POSTGRES_MAJOR:
            raise StartError(
                f"{broken} was made by PostgreSQL {version[:20]!r} and this is {POSTGRES_MAJOR}"
            )
        if control != CONTROL_FILE_BYTES:
            raise StartError(
                f"{broken} is damaged: global/pg_control has {control} of {CONTROL_FILE_BYTES}"
                " bytes; restore a backup"
            )

    def start(self, signals: Signals) -> None:
        """Start the server and wait until it takes connections. StartError says why it does not."""
        self._wait_for_predecessor(signals)
        patience = time.monotonic() + 20
        while True:
            self.part.start()
            if self._becomes_ready(signals):
                return
            reason = self.part.last_output("FATAL:  ", "PANIC:  ")
            reason = reason.partition("]")[2].strip() or reason  # without time and process
            if time.monotonic() < patience and _REMAINS in reason:
                signals.pause(0.5)
            elif time.monotonic() < patience and _NO_PORT in self.part.last_output(_NO_PORT):
                self._data.renew_ports()
            else:
                raise StartError(
                    f"PostgreSQL did not start: {reason or self.part.ending()}"
                    f" (log: {self.part.log})"
                )

    def prepare(self, signals: Signals) -> None:
        """Create the product's database, its roles and their passwords; repeats safely."""
        psql = Part(
            name="psql",
            command=self._psql_command,
            environment={**_environment(), "PGPASSWORD": self._data.secrets.superuser_password},
            directory=Path("/"),
            log=self._data.logs / "psql.log",
            account=self._account,
            stdin=self._preparation,
        )
        if run_to_end(psql, signals, seconds=120) != 0:
            reason = psql.last_output("ERROR:", "FATAL:", "error:")
            raise StartError(f"the database roles cannot be set up: {reason} (log: {psql.log})")

    def url(self, role: str, password: str) -> str:
        """The address of the product's database for one of its roles."""
        port = self._data.secrets.postgres_port
        return f"postgres://{role}:{password}@127.0.0.1:{port}/{DATABASE}"

    def _preparation(self) -> bytes:
        """What psql reads: roles.sql in the product's database, then the passwords."""
        values = self._data.secrets
        passwords = {
            "korely_owner": values.owner_password,
            "korely_app": values.app_password,
            "korely_ops": values.ops_password,
            "korely_backup": values.backup_password,
        }
        rows = (
            f"ALTER ROLE {role} PASSWORD '{password}';\n" for role, password in passwords.items()
        )
        return "".join((_CREATE_DATABASE, ROLES_FILE.read_text(encoding="utf-8"), *rows)).encode()

    def _psql_command(self) -> list[str]:
        return [
            str(self._binaries.psql),
            *("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--no-password"),
            *("--host=127.0.0.1", f"--port={self._data.secrets.postgres_port}"),
            *(f"--username={SUPERUSER}", f"--dbname={SUPERUSER}"),
        ]

    def _command(self) -> list[str]:
        self._drop_stale_pid_file()
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        port = str(self._data.secrets.postgres_port)
        return [str(self._binaries.postgres), "-D", str(self.cluster), "-p", port, *options]

    def _initdb_command(self, directory: Path, password_file: Path) -> list[str]:
        return [
            str(self._binaries.initdb),
            f"--pgdata={directory}",
            f"--username={SUPERUSER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--sync-method=syncfs",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ]

    def _becomes_ready(self, signals: Signals) -> bool:
        """True once the server says so in its pid file, False when it ended before."""
        deadline = time.monotonic() + 300  # replaying the log after a crash takes its time
        while self.part.running:
            with suppress(OSError):
                lines = (self.cluster / "postmaster.pid").read_text(errors="replace").splitlines()
                if len(lines) > 7 and lines[0] == str(self.part.pid) and "ready" in lines[7]:
                    return True
            if time.monotonic() > deadline:
                raise StartError(f"PostgreSQL is not ready after 300 s (log: {self.part.log})")
            signals.pause(0.05)
        return False

    def _running_server(self) -> int | None:
        """The process id of a server that really works on this cluster, ours or not."""
        try:
            pid = int((self.cluster / "postmaster.pid").read_text(errors="replace").split()[0])
            # A server changes into its cluster, so an unrelated process that was given the same
            # id (a container's first start after a crash) is told apart.
            if Path(f"/proc/{pid}/cwd").resolve(strict=True) == self.cluster.resolve():
                return pid
        except (OSError, ValueError, IndexError):
            pass
        return None

    def _drop_stale_pid_file(self) -> None:
        if self._running_server() is None:
            with suppress(OSError):
                (self.cluster / "postmaster.pid").unlink(missing_ok=True)

    def _wait_for_predecessor(self, signals: Signals) -> None:
        """After the supervisor was killed its server may still be on its way out."""
        deadline = time.monotonic() + 20
        while (pid := self._running_server()) is not None:
            if time.monotonic() > deadline:
                raise StartError(
                    f"another PostgreSQL (process {pid}) works on {self.cluster}; stop it first"
                )
            signals.pause(0.1)


def _environment() -> dict[str, str]:
    """Nothing of the caller's: PG* variables would change what the programs do."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
