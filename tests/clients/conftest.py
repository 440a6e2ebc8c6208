"""The official Python client against the live server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from korely_memory import AsyncKorely, Korely

from korely.embedded.stack import Stack
from tests.api_client import Box, unique, wait_for

Connect = Callable[..., Korely]
Run = Callable[..., str]
COMMAND = Path(sys.executable).parent / "korely"


@pytest.fixture(scope="session")
def connect(stack: Stack) -> Connect:
    """A client for a key."""

    def make(key: str | None, **options: Any) -> Korely:
        return Korely(api_key=key, base_url=stack.base_url, **options)

    return make


@pytest.fixture(scope="module")
def korely(box: Box, connect: Connect) -> Korely:
    """A client with a read-write key of the module's project."""
    return connect(box.api.key, client="a-tool/1.0")


@pytest.fixture(scope="module")
def aio(box: Box, stack: Stack) -> AsyncKorely:
    return AsyncKorely(api_key=box.api.key, base_url=stack.base_url)


@pytest.fixture(scope="session")
def admin(stack: Stack, connect: Connect) -> Korely:
    """A client with the bootstrap key."""
    return connect(stack.key)


@pytest.fixture(scope="session")
def on_plan(stack: Stack, connect: Connect) -> Callable[..., Korely]:
    """A client of a new account on a plan of its own, with the limits given."""
    from accounts import services
    from billing.models import Plan

    def make(**limits: Any) -> Korely:
        plan = Plan.objects.create(slug=unique("plan"), **limits)
        organisation, project = services.create_organisation(name=plan.slug, plan=plan.slug)
        made = services.mint_key(
            organisation_id=organisation.id, project_id=project.id, name="only"
        )
        return connect(made.key)

    return make


@pytest.fixture
def settle(korely: Korely) -> Callable[[str], None]:
    """Waits until nothing of an end user is being extracted, as the package's docs say to."""

    def wait(user_id: str) -> None:
        wait_for("extraction", lambda: korely.events(user_id=user_id).processing == 0)

    return wait


@pytest.fixture
def run(stack: Stack, tmp_path: Path) -> Run:
    """One command with the bootstrap key, or another; what it prints (of a failure: its errors)."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("KORELY_")}

    def call(*words: str, key: str = stack.key, code: int = 0) -> str:
        home = {"HOME": str(tmp_path), "KORELY_CONFIG_HOME": str(tmp_path)}
        done = subprocess.run(
            [COMMAND, *words],
            env={**kept, **home, "KORELY_API_KEY": key, "KORELY_BASE_URL": stack.base_url},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout if code == 0 else done.stderr

    return call
