"""What belongs to another project is not there, and hostile text is text wherever it is shown."""

from __future__ import annotations

import html

import pytest

from tests.api_client import ok, unique
from tests.dashboard.explore.yard import Yard

HOSTILE = '<img src=x onerror=alert(1)></script><b>{{7*7}}{% now "Y" %}\u202e javascript:alert(1)'


def test_another_organisations_memories_and_users_are_not_there(
    yard: Yard, fresh_yard: Yard
) -> None:
    user = unique("ann")
    made = yard.api.told("I live in Rome.", user)
    stranger = fresh_yard
    for page in ("", "state/", "correct/", "forget/"):
        assert stranger.owner.get(stranger.of_memory(made, page)).status_code == 404, page
    sent = stranger.owner.post(stranger.of_memory(made, "forget/"), page="/account/email/")
    assert sent.status_code == 404
    assert ok(yard.api.get(f"/v1/memories/{made['id']}"))["id"] == made["id"]
    assert user not in stranger.owner.get(stranger.path).text
    assert "Nothing is remembered here" in stranger.read(stranger.of_user(user))
    assert "Nothing to erase" in stranger.read(stranger.of_user(user, "erase/"))


@pytest.fixture(scope="module")
def outsider(house: object) -> object:
    from tests.dashboard.visitor import settled

    return settled(house, unique("Outside"))  # type: ignore[arg-type]


def test_nobody_else_opens_a_projects_pages(yard: Yard, outsider: object) -> None:
    made = yard.api.told("I live in Rome.", unique("ann"))
    paths = [yard.path, f"{yard.path}memories/", f"{yard.path}agents/", f"{yard.path}names/?user=a",
             f"{yard.path}erase/?user=a", yard.of_memory(made)]  # fmt: skip
    for path in paths:
        assert outsider.get(path).status_code == 404, path  # type: ignore[attr-defined]


def test_hostile_text_is_shown_as_text_everywhere(fresh_yard: Yard) -> None:
    yard = fresh_yard
    spoken = HOSTILE.replace("/", "")  # what an id may hold
    fact = {"subject": HOSTILE, "predicate": "likes", "object": HOSTILE, "user_id": spoken}
    made = yard.api.told(
        f"{HOSTILE} I live in Rome.", spoken, agent_id=spoken, run_id=HOSTILE,
        metadata={HOSTILE: HOSTILE},
    )  # fmt: skip
    ok(yard.api.post("/v1/facts", fact), 201)
    declared = yard.owner.post(yard.of_user(spoken, "names/"), {"name": HOSTILE, "agent_id": ""})
    assert declared.status_code == 302
    pages = [
        yard.path, f"{yard.path}agents/", f"{yard.path}memories/", yard.of_user(spoken),
        yard.of_user(spoken, "names/"), yard.of_user(spoken, "erase/"), yard.of_memory(made),
        yard.of_memory(made, "correct/"), yard.of_memory(made, "forget/"),
    ]  # fmt: skip
    texts = {path: yard.owner.get(path) for path in pages}
    texts["search"] = yard.owner.post(f"{yard.path}search/", {"query": HOSTILE}, page=yard.path)
    texts["compare"] = yard.owner.post(
        yard.of_memory(made, "correct/"),
        {"content": f"{HOSTILE} more", "expected_updated_at": made["updated_at"]},
    )
    for path, page in texts.items():
        assert page.status_code == 200, path
        body = page.text
        assert "<img src=x" not in body, path
        assert "<b>" not in body, path
        assert "{{7*7}}" in html.unescape(body), path
        assert 'href="javascript' not in body, path
        assert "unsafe" not in page.headers["content-security-policy"]
    done = yard.owner.post(yard.of_user(spoken, "erase/"), {"typed": spoken})
    assert done.status_code == 302
    receipt = yard.owner.get(done.headers["location"]).text
    assert "<b>" not in receipt
    assert "{{7*7}}" in html.unescape(receipt)
