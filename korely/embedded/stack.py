"""A running group as a Python object, for tests and benchmarks.

with Stack.temporary() as stack:
    httpx.get(f"{stack.base_url}/v1/ping", headers={"Authorization": f"Bearer {stack.key}"})
"""

import contextlib
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from korely.embedded.options import ADDRESSES, CHECKOUT, SECRETS
from korely.embedded.ports import pick_port
from korely.embedded.process import tie_to_parent

START_SECONDS = 180.0
STOP_SECONDS = 90.0


class StackError(Exception):
    """The group did not start or stop; the text holds what it printed."""


class Stack:
    """A supervisor in a process of its own, and what it started.

    `services` leaves out web, worker and beat. `env` given here is passed on to all parts.
    `key` is a key with all three scopes, set through KORELY_BOOTSTRAP_KEY. The supervisor stops
    when the thread that started it ends, even by a kill.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        services: bool = False,
        prepare: bool = True,
        port: int | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.data_dir = data_dir
        self.port = port or pick_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        fresh_key = f"kor_self_{secrets.token_hex(16)}"
        self.key = (env or {}).get("KORELY_BOOTSTRAP_KEY", fresh_key)
        self.process: subprocess.Popen[bytes] | None = None
        self._command = [sys.executable, "-m", "korely.embedded"]
        self._command += ["services"] if services else []
        self._command += [] if prepare else ["--no-prepare"]
        # A caller set up for one installation may start another: nothing of the first is inherited.
        others = {*ADDRESSES, *SECRETS, "KORELY_PUBLIC_URL"}
        inherited = {name: text for name, text in os.environ.items() if name not in others}
        self._given = {
            **inherited,
            "PORT": str(self.port),
            "KORELY_BOOTSTRAP_KEY": self.key,
            **(env or {}),
            "KORELY_DATA_DIR": str(data_dir),
        }
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop
        self._own_directory: Path | None = None

    @classmethod
    def temporary(
        cls,
        *,
        services: bool = False,
        prepare: bool = True,
        port: int | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Self:
        """One on a fresh data directory that `stop` removes."""
        directory = Path(tempfile.mkdtemp(prefix="korely-"))
        directory.chmod(0o711)  # the database's user has to pass through
        stack = cls(directory / "data", services=services, prepare=prepare, port=port, env=env)
        stack._own_directory = directory
        return stack

    @property
    def env(self) -> dict[str, str]:
        """The variables of `<data>/env`: database, broker and cache addresses, secrets."""
        text = (self.data_dir / "env").read_text(encoding="utf-8")
        words = shlex.split(text, comments=True)
        return dict(word.split("=", 1) for word in words)

    @property
    def output(self) -> str:
        """What the supervisor printed so far."""
        self._output.seek(0)
        return self._output.read().decode("utf-8", "replace")

    def pids(self) -> dict[str, int]:
        """The process id of each running part: postgres, valkey, web, worker, beat."""
        with contextlib.suppress(FileNotFoundError):
            found: dict[str, int] = json.loads((self.data_dir / "pids.json").read_text())
            return found
        return {}

    def start(self) -> Self:
        """Start and wait until ready. StackError with the output when it does not get there."""
        self.launch()
        deadline = time.monotonic() + START_SECONDS
        while not self.ready:
            if self.process is not None and self.process.poll() is not None:
                code, output = self.process.returncode, self.output
                self.stop()
                raise StackError(f"the start ended with exit code {code}:\n{output}")
            if time.monotonic() > deadline:
                output = self.output
                self.stop()
                raise StackError(f"not ready after {START_SECONDS:.0f} s:\n{output}")
            time.sleep(0.05)
        return self

    @property
    def ready(self) -> bool:
        """Whether the supervisor has said that everything runs."""
        lines = self.output.splitlines()
        return "ready" in lines or "Korely is ready." in lines

    def launch(self) -> None:
        """Start without waiting."""
        self._output.seek(0)
        self._output.truncate()
        self.process = subprocess.Popen(
            self._command,
            cwd=CHECKOUT,
            env=self._given,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=tie_to_parent(signal.SIGTERM),  # noqa: PLW1509 - prctl only
        )

    def hold(self, part: str) -> None:
        """Stop one part and keep it stopped until `release`; returns once it is gone."""
        (self.data_dir / "hold" / part).touch()
        self._wait_until(lambda: part not in self.pids(), f"{part} to stop")

    def release(self, part: str) -> None:
        """Let a held part run again; returns once its process exists."""
        (self.data_dir / "hold" / part).unlink(missing_ok=True)
        self._wait_until(lambda: part in self.pids(), f"{part} to start")

    def stop(self) -> int:
        """Stop all of it in order; returns the supervisor's exit code."""
        code = self._end_process()
        self._output.close()
        if self._own_directory:
            shutil.rmtree(self._own_directory, ignore_errors=True)
        return code

    def restart(self) -> Self:
        """Stop in order and start again on the same data."""
        self._end_process()
        return self.start()

    def __enter__(self) -> Self:
        return self if self.process else self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _end_process(self) -> int:
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            raise StackError(f"not stopped after {STOP_SECONDS:.0f} s:\n{self.output}") from error

    def _wait_until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline:
                raise StackError(f"waited 60 s for {what}:\n{self.output}")
            time.sleep(0.05)
