"""The unprivileged user that PostgreSQL and Valkey run as when the supervisor is root."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from korely.embedded.errors import StartError

# `initdb` needs a user with an entry in the user database; this one exists everywhere.
DEFAULT_NAME = "nobody"


@dataclass(frozen=True)
class Account:
    """A user to run a program as."""

    name: str
    uid: int
    gid: int

    def can(self, path: Path, mode: int) -> bool:
        """Whether this user may use `path` in the ways of `os.access` (R_OK, W_OK, X_OK)."""
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(self.gid)
                os.setuid(self.uid)
                os._exit(0 if os.access(path, mode) else 1)
            finally:
                os._exit(2)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def database_account(cluster: Path | None) -> Account | None:
    """The user for PostgreSQL and Valkey: None (no change) unless the supervisor is root.

    An existing cluster keeps the user it belongs to, so that a data directory made by a normal
    user still starts when root starts it.
    """
    if os.geteuid() != 0:
        return None
    try:
        if cluster is not None and cluster.exists() and cluster.stat().st_uid != 0:
            entry = pwd.getpwuid(cluster.stat().st_uid)
        else:
            entry = pwd.getpwnam(DEFAULT_NAME)
    except (KeyError, OSError) as error:
        raise StartError(f"no unprivileged user for the database: {error}") from error
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
