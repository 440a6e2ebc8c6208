"""A service that fails on and on is left alone, then tried by one text."""

import threading
import time


class Breaker:
    """Of one endpoint, for all threads of a process. Each process learns by itself."""

    def __init__(self, *, failures: int, seconds: float) -> None:
        self._most, self._rest = failures, seconds
        self._lock = threading.Lock()
        self._failed = 0
        self._until = 0.0

    def wait(self) -> float:
        """0.0 when the service may be called now, else the seconds it is still left alone.

        After a rest one caller is let through, and the others wait for what it finds.
        """
        with self._lock:
            if self._failed < self._most:
                return 0.0
            moment = time.monotonic()
            if moment < self._until:
                return self._until - moment
            self._until = moment + self._rest
            return 0.0

    @property
    def rest(self) -> float:
        """For how many seconds the service is left alone from now on."""
        with self._lock:
            return max(0.0, self._until - time.monotonic()) if self._failed >= self._most else 0.0

    def tell(self, *, good: bool) -> None:
        """How a call ended. The last of a row of failures begins the rest anew."""
        with self._lock:
            self._failed = 0 if good else self._failed + 1
            if self._failed >= self._most:
                self._until = time.monotonic() + self._rest
