"""Connections to PostgreSQL that end when the server falls silent."""

from __future__ import annotations

from typing import Any

from psycopg import Connection, OperationalError
from psycopg.pq import TransactionStatus

STATEMENT_SECONDS = 60  # the server's own limit for one statement
CHECK_SECONDS = 1.5  # for the empty statement a pool checks a connection with


class PatientConnection(Connection[Any]):
    """A connection that waits for an answer a bounded time, then closes and says so.

    The kernel of a machine whose PostgreSQL is frozen still acknowledges what it receives, so
    that no TCP time-out ever sees it. A statement has a little more than the server's own limit,
    the pool's check before a connection is handed out `CHECK_SECONDS`.

    Raises:
        OperationalError: the server did not answer in time. What it does with a statement that
            it has received already is not known then.
    """

    _patience: float = STATEMENT_SECONDS + 5

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, self._patience if timeout is None else timeout)
        except OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # an answer to a question given up on must not meet the next one
            raise

    def execute(self, *args: Any, **kwargs: Any) -> Any:
        """The pool's check comes this way; all other statements through cursors."""
        self._patience = CHECK_SECONDS
        try:
            return super().execute(*args, **kwargs)
        finally:
            del self._patience
