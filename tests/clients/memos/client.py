"""A MemoryOS client in a process of its own: it sets up logging for the whole process."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.py")


class Raised(Exception):
    """What the client raised: the name of the exception, and the answer behind it."""

    def __init__(self, name: str, status: int | None, body: str) -> None:
        super().__init__(f"{name} {status}: {body[:400]}")
        self.name, self.status, self.body = name, status, body

    @property
    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class Memos:
    """`client.add_message(…)` calls the method of that name over there; it returns what the
    client made of the answer, as plain values, and keeps the class's name in `kind`.
    """

    def __init__(self, python: Path, home: Path) -> None:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("MEMOS_")}
        own = {"HOME": str(home), "MEMOS_BASE_PATH": str(home)}
        self.kind = ""
        self._errors = (home / "errors").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [python, DRIVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=home,
            env={**kept, **own},
        )

    def connect(self, base_url: str, key: str) -> Memos:
        """From here on a client with this key."""
        self._ask(new={"base_url": f"{base_url}/api/openmem/v1", "api_key": key})
        return self

    def __getattr__(self, method: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            told = self._ask(call=method, args=args, kwargs=kwargs)
            if "error" in told:
                raise Raised(told["error"], told["status"], told["body"])
            self.kind = told["type"]
            return told["answer"]

        return call

    def _ask(self, **line: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            self._errors.seek(0)
            raise AssertionError(f"the client's process ended: {self._errors.read()[-2000:]}")
        told: dict[str, Any] = json.loads(answer)
        return told

    def close(self) -> None:
        self._process.communicate(timeout=30)
        self._errors.close()
