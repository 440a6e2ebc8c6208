"""From an empty project to its first request, by what the page offers."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

import pytest

from tests.api_client import Api, ok, refused
from tests.concurrency.at_once import at_once
from tests.dashboard.keys.ring import Ring
from tests.dashboard.overview.start import Start, calls_on, key_in
from tests.dashboard.visitor import Visitor, words


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_click_makes_a_key_and_the_page_turns_when_its_call_arrives(start: Start) -> None:
    owner, ring = start.team.owner, start.ring
    first = start.page(owner)
    assert "To your first request" in first
    assert "Waiting" not in first
    sent = start.make_key(owner)
    assert sent.status_code == 302
    page = owner.get(sent.headers["location"])
    assert ring.names() == ["Default: first key"]
    assert "Copy it now" in words(page)
    assert "Waiting for your first request" in words(page)
    assert 'hx-trigger="every 2s"' in page.text
    assert 'hx-trigger="every 2s"' in start.waiting(owner).text
    calls = calls_on(page)
    made = json.loads(run(["bash", "-c", calls["curl"]]))
    assert (made["user_id"], made["status"]) == ("ines-4812", "processing")
    turned = start.waiting(owner)
    assert "First request received: Default: first key stored a memory" in words(turned)
    assert "hx-" not in turned.text
    after = start.page(owner)
    assert "To your first request" not in after
    assert "Memories 1" in after
    assert run([sys.executable, "-c", calls["python"]]).startswith("mem_")
    # The secret was there once, on the page that followed the click.
    key = key_in(calls["curl"])
    assert key in page.text
    assert key not in owner.get(sent.headers["location"]).text


def test_reloading_shows_the_call_without_the_secret(start: Start) -> None:
    owner = start.team.owner
    where = start.make_key(owner).headers["location"]
    first, again = owner.get(where), owner.get(where)
    assert "$KORELY_API_KEY" not in first.text
    assert "Bearer $KORELY_API_KEY" in calls_on(again)["curl"]
    assert 'os.environ["KORELY_API_KEY"]' in calls_on(again)["python"]
    assert "Copy it now" not in words(again)
    assert start.ring.names() == ["Default: first key"]


def test_a_click_that_is_sent_twice_at_once_makes_one_key(start: Start) -> None:
    owner, ring = start.team.owner, start.ring
    browsers = [Visitor(owner.stack, owner.email) for _ in range(3)]
    for browser in browsers:
        browser.http.cookies.update(owner.http.cookies)
    sent = at_once([partial(start.make_key, one) for one in browsers])
    assert {answer.headers["location"] for answer in sent} == {sent[0].headers["location"]}
    assert len(ring.names()) == 1
    assert "Copy it now" in words(owner.get(sent[0].headers["location"]))
    # Once it was seen, the name is taken: another can be chosen.
    assert start.make_key(owner).headers["location"] == f"{ring.path}new/"
    assert len(ring.names()) == 1


def test_a_secret_waits_for_its_page_whatever_happens_in_between(start: Start) -> None:
    owner, ring = start.team.owner, start.ring
    where = start.make_key(owner).headers["location"]
    ok(ring.api(ring.made(start.team.admin)).get("/v1/ping"))  # a newer key, and a request
    page = owner.get(where)
    assert "Copy it now" in words(page)
    assert "Default: first key" in words(page)
    ok(Api(owner.stack.base_url, key_in(calls_on(page)["curl"])).get("/v1/ping"))
    assert "To your first request" not in words(owner.get(where))
    for query in ("nonsense", ring.project):
        assert owner.get(start.path, params={"key": query}).status_code == 200


@pytest.mark.parametrize(
    ("fields", "answers"),
    [
        ({"preset": "agent"}, '"status"'),
        ({"preset": "reader"}, '"results"'),
        ({"preset": "admin"}, '"projects"'),
        ({"preset": "confined", "users": "o'br\"ien $(id) `id` \\ \u202eé"}, "ien $(id)"),
        ({"preset": "confined", "users": "team-*\nines"}, '"team-1"'),
    ],
)
def test_the_calls_of_a_key_s_own_page_work_as_they_are(
    start: Start, fields: dict[str, str], answers: str
) -> None:
    made = start.ring.made(start.team.owner, **fields)
    calls = calls_on(made.page)
    assert "\u202e" not in "".join(calls.values())
    assert answers in run(["bash", "-c", f"{calls['curl']} --fail-with-body --silent"])
    run([sys.executable, "-c", calls["python"]])


def test_a_first_request_that_is_refused_is_told_as_such(start: Start) -> None:
    owner = start.team.owner
    api = start.ring.api(start.ring.made(owner, preset="reader"))
    assert "Waiting for your first request" in start.page(owner)
    refused(api.post("/v1/memories", {"content": "No."}), 403, "forbidden")
    turned = words(start.waiting(owner))
    assert "First request received, and refused" in turned
    assert "lacks the right" in turned


def test_a_ping_counts_as_a_request(start: Start) -> None:
    owner = start.team.owner
    ok(start.ring.api(start.ring.made(owner)).get("/v1/ping"))
    assert "called, just now" in words(start.waiting(owner)).replace(" ,", ",")
    assert "To your first request" not in start.page(owner)


def test_a_member_is_told_who_makes_keys_and_makes_none(start: Start) -> None:
    member = start.team.member
    page = member.get(start.path)
    assert "Owners and admins make keys" in words(page)
    assert "first-key" not in page.text
    assert start.make_key(member).status_code == 403
    assert start.ring.names() == []
    assert [result for _, result, _ in start.ring.events()] == ["denied"]
    # The secret of an owner's key is not theirs, whatever address they have.
    where = start.make_key(start.team.owner).headers["location"]
    assert "Copy it now" not in words(member.get(where))
    assert "Copy it now" in words(start.team.owner.get(where))


def test_what_another_project_s_key_does_is_no_request_of_this_one(start: Start) -> None:
    other = Ring(start.ring.house, start.ring.organisation, start.ring.another_project("Second"))
    ok(other.api(other.made(start.team.owner)).get("/v1/ping"))
    assert "To your first request" in start.page(start.team.owner)
