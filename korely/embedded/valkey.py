"""The embedded Valkey: Celery's broker (database 0) and the cache (database 1), in memory only."""

import socket
import time
from contextlib import suppress
from pathlib import Path

from korely.embedded.account import Account
from korely.embedded.binaries import Binaries
from korely.embedded.data_directory import DataDirectory
from korely.embedded.errors import StartError
from korely.embedded.process import Part
from korely.embedded.signals import Signals


class Valkey:
    """Starts the server of one data directory. It keeps nothing: work is rows in PostgreSQL."""

    def __init__(self, data: DataDirectory, binaries: Binaries, account: Account | None) -> None:
        self._data = data
        self._binaries = binaries
        self.part = Part(
            name="valkey",
            command=lambda: [str(self._binaries.valkey_server), "-"],
            environment={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
            directory=Path("/"),
            log=data.logs / "valkey.log",
            account=account,
            stdin=self._configuration,
            grace=5.0,
        )

    def start(self, signals: Signals) -> None:
        """Start the server and wait until it answers. StartError says why it does not."""
        self.part.start()
        deadline = time.monotonic() + 20
        while not self.answers():
            if not self.part.running or time.monotonic() > deadline:
                reason = self.part.last_output() or self.part.ending()
                raise StartError(f"Valkey did not start: {reason} (log: {self.part.log})")
            signals.pause(0.05)

    def answers(self) -> bool:
        """Whether the server takes the password and a PING now."""
        values = self._data.secrets
        address = ("127.0.0.1", values.valkey_port)
        with suppress(OSError), socket.create_connection(address, timeout=2) as link:
            link.sendall(f"AUTH {values.valkey_password}\r\nPING\r\n".encode())
            answer = b""
            while answer.count(b"\n") < 2 and (more := link.recv(256)):
                answer += more
            return answer == b"+OK\r\n+PONG\r\n"
        return False

    def url(self, database: int) -> str:
        """The address of one of the two databases."""
        values = self._data.secrets
        return f"redis://:{values.valkey_password}@127.0.0.1:{values.valkey_port}/{database}"

    def _configuration(self) -> bytes:
        """Given through standard input, so that the password is in no file and no process list.

        Only keys with an expiry, the cache's, are given up when memory runs short.
        """
        values = self._data.secrets
        return (
            "bind 127.0.0.1\n"
            f"port {values.valkey_port}\n"
            f"requirepass {values.valkey_password}\n"
            "databases 2\n"
            'save ""\n'
            "appendonly no\n"
            "maxmemory 128mb\n"
            "maxmemory-policy volatile-ttl\n"
            "loglevel notice\n"
        ).encode()
