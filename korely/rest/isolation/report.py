"""What was tried, a line each, and how it ended."""

from __future__ import annotations

from collections.abc import Callable

from korely.rest.isolation.stopping import check


class NotTried(Exception):
    """An attempt that could not be made as meant, so that it proves nothing. The text says why."""


class Report:
    """Prints attempts as they are made and counts them. Reasons never quote an answer.

    An attempt ends `ok`, as `LEAK`, or as `FAIL` when it could not be made.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self.attempts = 0
        self.leaks = 0
        self.failures = 0

    @property
    def clean(self) -> bool:
        """Whether everything was tried and nothing leaked."""
        return self.attempts > 0 and not self.leaks and not self.failures

    def tell(self, part: str, attempt: str, problem: str | None) -> None:
        """One attempt: `problem` is what leaked, None when nothing did."""
        self.attempts += 1
        self.leaks += problem is not None
        self._line("ok" if problem is None else "LEAK", part, attempt, problem)

    def fail(self, part: str, attempt: str, reason: str) -> None:
        """One attempt that could not be made."""
        self.attempts += 1
        self.failures += 1
        self._line("FAIL", part, attempt, reason)

    def try_out(self, part: str, attempt: str, run: Callable[[], str | None]) -> None:
        """Make one attempt: `run` answers what leaked or None, and raises NotTried."""
        try:
            problem = run()
        except NotTried as reason:
            self.fail(part, attempt, str(reason))
        else:
            self.tell(part, attempt, problem)

    def summary(self) -> str:
        """`N attempts, 0 leaks`."""
        text = f"{self.attempts} attempts, {self.leaks} leaks"
        return f"{text}, {self.failures} could not be made" if self.failures else text

    def _line(self, outcome: str, part: str, attempt: str, note: str | None) -> None:
        text = f"{outcome:5}{part:10}{attempt}"
        self._say(text if note is None else f"{text}: {note}")
        check()
