"""One child process: born in its own session, tied to the life of the supervisor."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from korely.embedded.account import Account
from korely.embedded.errors import StartError
from korely.embedded.signals import Signals

PR_SET_PDEATHSIG = 1
# Loaded here and not between fork and exec, where only little is safe.
_prctl = ctypes.CDLL(None, use_errno=True).prctl


def tie_to_parent(death_signal: int) -> Callable[[], None]:
    """What a child runs before exec so that it gets `death_signal` when its parent dies.

    It has to run after the user was changed, since that clears the setting; `subprocess` calls it
    there.
    """
    parent = os.getpid()

    def tie() -> None:
        _prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return tie


@dataclass(kw_only=True)
class Part:
    """A long-running program of the group and how to start and stop it.

    `stop_signal` asks for an orderly end and `hasten_signal` follows after `grace` seconds;
    SIGKILL follows that. `death_signal` is what the kernel sends when the supervisor dies.
    """

    name: str
    command: Callable[[], list[str]]
    environment: Mapping[str, str]
    directory: Path
    log: Path
    account: Account | None = None
    stdin: Callable[[], bytes] | None = None
    keep_output: bool = False  # standard output stays out of the log; for a few lines at most
    stop_signal: int = signal.SIGTERM
    hasten_signal: int = signal.SIGKILL
    death_signal: int = signal.SIGKILL
    grace: float = 12.0
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    started_at: float = field(default=0.0, init=False)
    log_offset: int = field(default=0, init=False)

    @property
    def pid(self) -> int | None:
        """The process id while the part runs, else None."""
        return self.process.pid if self.running else None  # type: ignore[union-attr]

    @property
    def running(self) -> bool:
        """True while the process lives; reaps it when it does not."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the program; its output is appended to the log. StartError when it cannot."""
        account = self.account
        with _open_log(self.log) as log:
            self.log_offset = log.tell()
            try:
                self.process = subprocess.Popen(
                    self.command(),
                    cwd=self.directory,
                    env=dict(self.environment),
                    stdin=subprocess.PIPE if self.stdin else subprocess.DEVNULL,
                    stdout=subprocess.PIPE if self.keep_output else log,
                    stderr=log,
                    start_new_session=True,
                    user=account.uid if account else None,
                    group=account.gid if account else None,
                    extra_groups=[] if account else None,
                    preexec_fn=tie_to_parent(self.death_signal),  # noqa: PLW1509 - one thread
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise StartError(f"{self.name} cannot be started: {error}") from error
        self.started_at = time.monotonic()
        if self.stdin and self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(self.stdin())
                self.process.stdin.close()

    def ending(self) -> str:
        """How the process ended, in words: "exit code 1" or "signal 9"."""
        code = self.process.returncode if self.process else None
        if code is None:
            return "still running"
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def last_output(self, *marks: str) -> str:
        """The last line of this run's output, or the last that holds one of `marks`."""
        try:
            with self.log.open("rb") as log:
                log.seek(self.log_offset)
                lines = log.read(1_000_000).decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        lines = [line.strip() for line in lines if line.strip()]
        marked = [line for line in lines if any(mark in line for mark in marks)]
        return (marked or lines or [""])[-1]

    def kept_output(self) -> str:
        """What a part with `keep_output` printed; to be called once, after its end."""
        if self.process is None or self.process.stdout is None:
            return ""
        with self.process.stdout as output:
            return output.read().decode("utf-8", "replace")

    def stop(self, signals: Signals) -> None:
        """End the process and whatever it left in its session; returns when it is gone.

        Another Ctrl-C meanwhile cuts the waiting for this part short.
        """
        process = self.process
        if process is None:
            return
        hurries = signals.hurries
        for number, patience in (
            (self.stop_signal, self.grace),
            (self.hasten_signal, 5.0),
            (signal.SIGKILL, 5.0),
        ):
            if not self.running:
                break
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            deadline = time.monotonic() + patience
            while self.running and time.monotonic() < deadline:
                signals.wait(0.05)
                if signals.hurries > hurries and number == self.stop_signal:
                    break
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
            deadline = time.monotonic() + 5.0
            while _group_lives(process.pid) and time.monotonic() < deadline:
                time.sleep(0.01)


def run_to_end(part: Part, signals: Signals, *, seconds: float, output: Path | None = None) -> int:
    """Run a part that ends by itself and return its exit code; StartError after `seconds`."""
    part.start()
    deadline = time.monotonic() + seconds
    try:
        while part.running:
            if time.monotonic() > deadline:
                raise StartError(f"{part.name} did not finish within {seconds:.0f} s")
            signals.pause(0.2)
    finally:
        part.stop(signals)
    return part.process.returncode if part.process else 1


def _group_lives(group: int) -> bool:
    """Whether a process of the group is more than a zombie that nobody has reaped yet."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # "pid (name) state parent group …"; the name may hold anything.
            state, _, its_group = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                return True
    return False


def _open_log(path: Path) -> BinaryIO:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    log = os.fdopen(descriptor, "ab")
    log.seek(0, os.SEEK_END)
    return log
