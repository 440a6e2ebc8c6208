"""The directory one installation lives in: its lock, its files, and where its database is."""

import fcntl
import hashlib
import itertools
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from korely.embedded.account import Account
from korely.embedded.binaries import SYSTEM_DIRECTORY, make_system_directory
from korely.embedded.errors import StartError
from korely.embedded.secret_values import (
    SecretValues,
    changing,
    make_secret_values,
    read_secret_values,
    with_free_ports,
    write_private_file,
    write_secret_values,
)

# Names of ours: some exist only after the secrets do, some before (a start that was cut off).
_WITHOUT_SECRETS = {"lock", "logs", "lost+found", "mail", ".secrets.json.new"}
_AFTER_SECRETS = {"postgres", "database-path", "env", "beat", "hold", "metrics", "pids.json"}


class DataDirectory:
    """Opened by at most one supervisor at a time; `close` gives it free."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self.beat = path / "beat"
        self.holds = path / "hold"
        self.metrics = path / "metrics"
        self.env_file = path / "env"
        self.pid_file = path / "pids.json"
        self._secrets_file = path / "secrets.json"
        self._pointer = path / "database-path"
        self._lock = -1
        self.secrets: SecretValues

    def open(self) -> None:
        """Create what is missing, take the lock, read or make the secrets, or raise StartError."""
        try:
            self._create()
            self._refuse_foreign()
            self._take_lock()
            self._load_secrets()
            for folder in (self.logs, self.beat, self.holds, self.metrics):
                folder.mkdir(mode=0o700, exist_ok=True)
            for folder in (self.holds, self.metrics):
                for leftover in folder.iterdir():
                    leftover.unlink()
            self.pid_file.unlink(missing_ok=True)
        except OSError as error:
            raise StartError(
                f"the data directory {self.path} is not writable: {error.strerror or error}"
                " (KORELY_DATA_DIR chooses another one)"
            ) from error

    def close(self) -> None:
        """Forget the process ids and give the lock back."""
        if self._lock >= 0:
            self.pid_file.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1

    def existing_cluster(self) -> Path | None:
        """The directory of the database when there is one; StartError when it went missing."""
        here = self.path / "postgres"
        if here.exists():
            return here
        if self._pointer.exists():
            there = Path(os.fsdecode(self._pointer.read_bytes()).rstrip("\n"))
        elif self.env_file.exists():
            there = here  # it was written once the database existed
        else:
            return None
        if not there.exists() and self.env_file.exists():
            raise StartError(
                f"broken data directory: its database {there} is gone; put it back from a backup,"
                f" or remove {self.path} to begin anew"
            )
        return there

    def place_for_cluster(self, account: Account | None) -> Path:
        """Where a new database goes: here, or below /var/lib/korely when its user cannot come here.

        The permissions of the folders above stay as they are. A database left there by a data
        directory that was removed since is not touched.
        """
        if account is None or account.can(self.path, os.X_OK):
            return self.path / "postgres"
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        names = itertools.chain([digest], (f"{digest}-{number}" for number in itertools.count(2)))
        homes = (SYSTEM_DIRECTORY / name for name in names)
        home = next(home for home in homes if not (home / "postgres").exists())
        try:
            make_system_directory()
            home.mkdir(exist_ok=True)
            home.chmod(0o711)
            write_private_file(self._pointer, f"{home / 'postgres'}\n")
        except OSError as error:
            raise StartError(f"the database cannot be placed at {home}: {error}") from error
        return home / "postgres"

    def write_env(self, variables: Mapping[str, str]) -> None:
        """Write the variables that let `manage.py` work on this installation."""
        lines = [f"{name}={shlex.quote(value)}\n" for name, value in variables.items()]
        header = "# Written at every start; edits are lost.\n"
        write_private_file(self.env_file, header + "".join(lines))

    def write_pids(self, pids: Mapping[str, int]) -> None:
        """Write the process id of each running part, as one JSON object."""
        write_private_file(self.pid_file, json.dumps(pids) + "\n")

    def renew_ports(self) -> None:
        """Replace the ports that others have taken since, and remember the new ones."""
        with changing(self._secrets_file) as values:
            renewed = with_free_ports(values)
            if renewed != values:
                write_secret_values(self._secrets_file, renewed)
        self.secrets = renewed

    def _create(self) -> None:
        if self.path.is_dir():
            return
        self.path.mkdir(parents=True)
        # As root, the database's own user has to pass through, and may not look around.
        self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)

    def _refuse_foreign(self) -> None:
        if self._secrets_file.exists():
            return
        names = {entry.name for entry in self.path.iterdir()} - _WITHOUT_SECRETS
        if names & _AFTER_SECRETS:
            read_secret_values(self._secrets_file)  # says that the file is missing
        if names:
            raise StartError(
                f"{self.path} holds other files ({min(names)}) and is no data directory of"
                " Korely; choose an empty one with KORELY_DATA_DIR"
            )

    def _take_lock(self) -> None:
        self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.pread(self._lock, 20, 0).decode("ascii", "replace").strip()
            os.close(self._lock)
            self._lock = -1
            raise StartError(
                f"already running on {self.path} (process {owner or 'unknown'});"
                " KORELY_DATA_DIR and PORT make a second one"
            ) from error
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)

    def _load_secrets(self) -> None:
        if self._secrets_file.exists():
            self.secrets = read_secret_values(self._secrets_file)
            return
        self.secrets = make_secret_values()
        write_secret_values(self._secrets_file, self.secrets)
