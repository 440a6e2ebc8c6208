"""Passwords, keys and ports of one installation: made once, kept in its data directory."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from korely.embedded.errors import StartError
from korely.embedded.ports import pick_port, port_is_free


@dataclass(frozen=True)
class SecretValues:
    """What `secrets.json` holds. The two ports are here so that addresses outlive a restart.

    `peppers` are numbered, `1:<hex>,2:<hex>`, as in KORELY_PEPPERS.
    """

    secret_key: str
    peppers: str
    superuser_password: str
    owner_password: str
    app_password: str
    ops_password: str
    backup_password: str
    valkey_password: str
    postgres_port: int
    valkey_port: int


def make_secret_values() -> SecretValues:
    """Fresh random values and two free ports."""
    postgres_port = pick_port()
    return SecretValues(
        secret_key=secrets.token_hex(32),
        peppers=f"1:{secrets.token_hex(32)}",
        superuser_password=secrets.token_hex(24),
        owner_password=secrets.token_hex(24),
        app_password=secrets.token_hex(24),
        ops_password=secrets.token_hex(24),
        backup_password=secrets.token_hex(24),
        valkey_password=secrets.token_hex(24),
        postgres_port=postgres_port,
        valkey_port=pick_port(avoid=(postgres_port,)),
    )


def read_secret_values(path: Path) -> SecretValues:
    """The stored values; StartError when the file is missing, damaged or incomplete."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(stored, dict) and "pepper" in stored:  # from when there was only one
            stored.setdefault("peppers", f"1:{stored['pepper']}")
        for field in fields(SecretValues):
            if not isinstance(stored[field.name], field.type):  # type: ignore[arg-type]
                raise ValueError(f"{field.name} is of another kind")
        return SecretValues(**{field.name: stored[field.name] for field in fields(SecretValues)})
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        reason = "it is missing" if isinstance(error, FileNotFoundError) else reason
        raise StartError(
            f"broken data directory: {path} cannot be used ({reason}); put it back from a backup,"
            " since the database cannot be opened and no key be checked without it"
        ) from error


def write_secret_values(path: Path, values: SecretValues) -> None:
    """Store the values for the owner's eyes only, whole or not at all."""
    write_private_file(path, json.dumps(asdict(values), indent=1) + "\n")


def with_free_ports(values: SecretValues) -> SecretValues:
    """The same values, each port that something else has taken replaced by a free one."""
    if not port_is_free(values.postgres_port):
        values = replace(values, postgres_port=pick_port(avoid=(values.valkey_port,)))
    if not port_is_free(values.valkey_port):
        values = replace(values, valkey_port=pick_port(avoid=(values.postgres_port,)))
    return values


@contextmanager
def changing(path: Path) -> Iterator[SecretValues]:
    """The stored values, which nobody else changes until the block ends. StartError as reading.

    The lock is on the directory: the file itself is another one after each change.
    """
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield read_secret_values(path)
    finally:
        os.close(directory)


def write_private_file(path: Path, text: str) -> None:
    """Write a file of mode 0600 durably: a reader sees the old content or the new one.

    Its owner stays who it was, also when root writes it.
    """
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
        file.flush()
        if os.geteuid() == 0 and path.exists():
            os.fchown(descriptor, path.stat().st_uid, path.stat().st_gid)
        os.fsync(file.fileno())
    draft.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
