"""Waiting that wakes on a signal: a stop request or the death of a child."""

import os
import select
import signal
import time
from types import FrameType

from korely.embedded.errors import StopRequested

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """The signals of the supervisor, seen from its one thread.

    `stop_requests` counts all of them, `hurries` each further Ctrl-C of an impatient person.
    """

    def __init__(self) -> None:
        self.stop_requests = 0
        self.hurries = 0
        self._last_request = 0.0
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        # SIGHUP is ignored when started by nohup: meant to outlive its terminal.
        outlives = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        for number in STOP_SIGNALS:
            if not (number == signal.SIGHUP and outlives):
                signal.signal(number, self._on_stop)
        self._on_terminal = not outlives and os.isatty(1)
        # A handler, even an empty one, is what makes the wake-up descriptor see the signal.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def _on_stop(self, number: int, _frame: FrameType | None) -> None:
        # A signal to a whole process group can come in twice; a person's second Ctrl-C is later.
        now = time.monotonic()
        if number == signal.SIGINT and self.stop_requests and now - self._last_request > 1:
            self.hurries += 1
        self.stop_requests += 1
        self._last_request = now

    def wait(self, seconds: float) -> None:
        """Sleep up to `seconds`, or until any signal came in."""
        select.select([self._reader], [], [], seconds)
        try:
            while os.read(self._reader, 512):
                pass
        except BlockingIOError:
            pass

    def pause(self, seconds: float) -> None:
        """`wait`, and raise StopRequested once a stop was asked for."""
        if not self.stop_requests:
            self.wait(seconds)
        # A closed terminal tells the program it started, which may be `make`, and no other.
        if self._on_terminal and not os.isatty(1):
            self.stop_requests += 1
        if self.stop_requests:
            raise StopRequested
