from __future__ import annotations

import os
import subprocess
import sys

from korely.embedded.demo import CONVERSATIONS
from korely.embedded.options import CHECKOUT


def demo(**variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "korely.embedded.demo"],
        cwd=CHECKOUT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_demonstration_shows_facts_and_a_context_for_each_person(stack):
    outcome = demo(KORELY_BASE_URL=stack.base_url, KORELY_API_KEY=stack.key)
    assert outcome.returncode == 0, outcome.stderr
    told, *shown = outcome.stdout.split("what is true of ")
    assert len(shown) == len(CONVERSATIONS) == 3
    for (name, (lines, question)), part in zip(CONVERSATIONS.items(), shown, strict=True):
        assert part.startswith(f"{name}-")
        assert f"context for the question “{question}”" in part
        assert "## Known facts" in part
        assert "## Relevant memories" in part
        assert all(text in told for _, text in lines)
    assert "· lives_in · Utrecht" in shown[0]
    assert "· lives_in · Porto" not in shown[0]


def test_half_an_address_is_refused(stack):
    outcome = demo(KORELY_BASE_URL=stack.base_url, KORELY_API_KEY="")
    assert outcome.returncode == 1
    assert "set both" in outcome.stderr


def test_a_refused_key_is_said_in_one_line(stack):
    outcome = demo(KORELY_BASE_URL=stack.base_url, KORELY_API_KEY="kor_self_" + "0" * 32)
    assert outcome.returncode == 1
    assert outcome.stderr.splitlines()[-1].startswith("POST /v1/memories: 401 ")
