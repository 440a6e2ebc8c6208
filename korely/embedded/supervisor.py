"""Starts the group in order, keeps it alive, and takes it down in order."""

import time
from contextlib import suppress

from korely.embedded.console import say
from korely.embedded.data_directory import DataDirectory
from korely.embedded.errors import StartError
from korely.embedded.log_files import trim_logs
from korely.embedded.process import Part
from korely.embedded.signals import Signals

SLOWEST_RETRY = 15.0
STEADY_AFTER = 30.0
TRIM_EVERY = 10.0


class Supervisor:
    """The running parts, in the order of their start."""

    def __init__(self, data: DataDirectory, signals: Signals) -> None:
        self._data = data
        self._signals = signals
        self._parts: list[Part] = []
        self._retry_at: dict[str, float] = {}
        self._delay: dict[str, float] = {}
        self._held: set[str] = set()
        self._recorded: dict[str, int] = {}

    def adopt(self, *parts: Part) -> None:
        """Take over parts that have been started."""
        self._parts.extend(parts)
        self.record_pids()

    def watch(self) -> None:
        """Bring back what ends, until a stop is asked for; raises StopRequested then."""
        next_trim = time.monotonic()
        while True:
            now = time.monotonic()
            if now >= next_trim:
                trim_logs(self._data.logs)
                next_trim = now + TRIM_EVERY
            for part in self._parts:
                self._tend(part)
            self.record_pids()
            waiting = [due - time.monotonic() for due in self._retry_at.values()]
            self._signals.pause(max(0.01, min([0.5, *waiting])))

    def stop(self) -> None:
        """End every part: the serving ones first, the database last."""
        for part in reversed(self._parts):
            part.stop(self._signals)
        self._parts.clear()

    def _tend(self, part: Part) -> None:
        name = part.name
        if (self._data.holds / name).exists():
            if name not in self._held:
                self._held.add(name)
                self._retry_at.pop(name, None)
                part.stop(self._signals)
                say(f"{name} is stopped until it is released")
        elif name in self._held:
            self._held.discard(name)
            self._start_again(part)
        elif part.running:
            if time.monotonic() - part.started_at > STEADY_AFTER:
                self._delay.pop(name, None)
        elif name not in self._retry_at:
            delay = self._delay.get(name, 0.25)
            self._delay[name] = min(delay * 2, SLOWEST_RETRY)
            self._retry_at[name] = time.monotonic() + delay
            say(f"{name} ended ({part.ending()}) and is started again in {delay:g} s")
        elif time.monotonic() >= self._retry_at[name]:
            self._start_again(part)

    def _start_again(self, part: Part) -> None:
        self._retry_at.pop(part.name, None)
        try:
            part.start()
        except StartError as failure:
            say(str(failure))
        else:
            say(f"{part.name} runs again (process {part.pid})")

    def record_pids(self) -> None:
        """Keep `pids.json` in step with the processes that run."""
        pids = {part.name: pid for part in self._parts if (pid := part.pid) is not None}
        if pids != self._recorded:
            with suppress(OSError):  # a full disk must not end the group
                self._data.write_pids(pids)
                self._recorded = pids
