"""Memory of a process while it works."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from benchmarks.processes import memory


@dataclass(slots=True)
class Watch:
    """Memory of a process tree, looked at four times a second until the `with` ends."""

    pid: int
    rss: list[float] = field(default_factory=list)
    pss: list[float] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        self._look()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self._look()

    def figures(self) -> dict[str, float]:
        """Megabytes before, at most and after, and how much the peak was above the first."""
        found: dict[str, float] = {}
        for name, seen in (("rss", self.rss), ("pss", self.pss)):
            found |= {
                f"{name}_before_mb": seen[0],
                f"{name}_peak_mb": max(seen),
                f"{name}_after_mb": seen[-1],
                f"{name}_growth_mb": round(max(seen) - seen[0], 1),
            }
        return found

    def _run(self) -> None:
        while not self._over.wait(0.25):
            self._look()

    def _look(self) -> None:
        found = memory([self.pid])
        self.rss.append(found.rss)
        self.pss.append(found.pss)
