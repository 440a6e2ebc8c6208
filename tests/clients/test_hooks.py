"""`korely hook`: what coding assistants run at the moments of a session."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, ok, unique, wait_for
from tests.clients.conftest import COMMAND


class Session:
    """A session of one assistant in one repository, with files of its own."""

    def __init__(self, box: Box, repository: Path, home: Path, tool: str) -> None:
        self.box, self.repository, self.home, self.tool = box, repository, home, tool
        self.id = unique("session")
        self.user = f"repo:{repository.name}"

    def hook(self, event: str, *options: str, **data: Any) -> Any:
        """What the assistant is told, None when nothing. A hook fails never."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith("KORELY_")}
        done = subprocess.run(
            [COMMAND, "hook", event, "--tool", self.tool, *options],
            input=json.dumps({"session_id": self.id, "cwd": str(self.repository), **data}),
            env={
                **kept,
                "HOME": str(self.home),
                "KORELY_CONFIG_HOME": str(self.home),
                "KORELY_API_KEY": str(self.box.api.key),
                "KORELY_BASE_URL": self.box.api.base_url,
            },
            cwd=self.repository,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        return json.loads(done.stdout) if done.stdout.strip() else None

    def stored(self, count: int) -> list[dict[str, Any]]:
        """The memories of the repository, newest first, once there are `count`."""

        def look() -> list[dict[str, Any]]:
            page = ok(self.box.api.get("/v1/memories", user_id=self.user))
            return page["memories"] if page["total"] >= count else []

        return wait_for("the session's memories", look)

    def log(self) -> str:
        """What went wrong, by the package's own log."""
        file = self.home / "hook.log"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def begin(box: Box, tmp_path: Path, stack: Stack) -> Callable[..., Session]:
    repository = tmp_path / unique("repository")
    repository.mkdir()

    def make(tool: str = "claude-code", home: str = "home") -> Session:
        place = tmp_path / home
        place.mkdir(exist_ok=True)
        return Session(box, repository, place, tool)

    return make


def told(output: Any) -> str:
    return str(output["hookSpecificOutput"]["additionalContext"])


def test_a_session_is_stored_and_told_to_the_next_one(begin: Callable[..., Session]) -> None:
    first = begin()
    assert first.hook("session-start") is None  # nothing is held of this repository
    assert first.hook("prompt", prompt="Which database do we use?") is None
    assert first.hook("stop", last_assistant_message="We use PostgreSQL 18.") is None
    assert first.hook("session-end") is None
    (memory,) = first.stored(1)
    assert (memory["kind"], memory["client"], memory["run_id"]) == (
        *("session", "claude-code", first.id),
    )
    assert memory["metadata"] == {"source": "claude-code", "repo": first.repository.name}
    assert "Developer: Which database do we use?" in memory["content"]
    assert memory["content"].endswith("Assistant: We use PostgreSQL 18.")
    api = first.box.api
    assert ok(api.get("/v1/memories", user_id=first.user, exclude_sessions="true"))["total"] == 0

    second = begin("codex", "another-home")
    assert "PostgreSQL 18" in told(second.hook("session-start"))
    asked = second.hook("prompt", prompt="Which PostgreSQL do we use?")
    assert "PostgreSQL 18" in told(asked)
    # The context of a prompt comes once a session.
    assert second.hook("prompt", prompt="And which Python?") is None
    assert (first.log(), second.log()) == ("", "")


def test_every_few_answers_and_a_compaction_send_what_was_not_sent(
    begin: Callable[..., Session],
) -> None:
    session = begin()
    every = ("--every", "2")
    session.hook("prompt", prompt="Begin.")
    session.hook("stop", *every, last_assistant_message="Answer one.")
    assert ok(session.box.api.get("/v1/memories", user_id=session.user))["total"] == 0
    session.hook("stop", *every, last_assistant_message="Answer two.")
    (first,) = session.stored(1)
    session.hook("stop", *every, last_assistant_message="Answer three.")
    session.hook("pre-compact")
    second, again = session.stored(2)
    assert again["id"] == first["id"]
    assert "Answer one." in first["content"] and "Answer two." in first["content"]
    assert "Answer three." in second["content"] and "Answer two." not in second["content"]
    session.hook("session-end")  # everything was sent
    assert len(session.stored(2)) == 2
    assert session.log() == ""


def test_a_long_session_fits_and_a_secret_stays_at_home(begin: Callable[..., Session]) -> None:
    session = begin("cursor")
    assert session.hook("prompt", prompt="Use postgres://me:hunter2@db/x") == {"continue": True}
    for number in range(7):
        session.hook("stop", "--every", "50", text=f"{number} " + "long answer " * 300)
    session.hook("session-end")
    (memory,) = session.stored(1)
    assert 10_000 < len(memory["content"]) <= 15_000
    assert "hunter2" not in memory["content"]
    assert session.log() == ""


def test_a_key_that_is_refused_never_breaks_the_assistant(
    begin: Callable[..., Session], box: Box
) -> None:
    session = begin()
    key = box.mint()
    session.hook("prompt", prompt="Kept at home.")
    revoked = Box.__new__(Box)
    revoked.api = type(box.api)(box.api.base_url, key["key"])
    ok(box.boot.post(f"/admin/keys/{key['id']}/revoke"))
    session.box = revoked
    assert session.hook("session-start") is None
    assert "session-start: AuthenticationError" in session.log()
    session.box = box
    session.hook("session-end")
    assert "Kept at home." in session.stored(1)[0]["content"]
