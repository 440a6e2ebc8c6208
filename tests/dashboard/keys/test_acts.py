"""Keys are rotated, moved and revoked, each on a page that says what will happen."""

from __future__ import annotations

import uuid
from datetime import timedelta
from functools import partial

import pytest

from korely.embedded.stack import Stack
from tests.api_client import ok, refused
from tests.concurrency.at_once import at_once
from tests.dashboard.keys.ring import Ring, person_id
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words


@pytest.mark.parametrize("seconds", [3_600, 604_800])
def test_both_keys_work_while_a_rotation_overlaps(
    house: Stack, team: Team, ring: Ring, seconds: int
) -> None:
    old = ring.made(team.owner, name="worker", preset="confined", users="ines", expires="30")
    before = ring.key(old.id)
    assert "Both work until" in words(team.owner.get(f"{ring.path}{old.id}/rotate/"))
    sent = ring.act(team.admin, old.id, "rotate", overlap=str(seconds))
    new = ring.shown(team.admin, sent)
    assert "works until" in words(new.page)
    assert new.key != old.key
    for made in (old, new):
        ok(ring.api(made).get("/v1/ping"))
    after, made_row = ring.key(old.id), ring.key(new.id)
    kept = ("name", "scopes", "users", "project_id", "expires_at")
    assert [made_row[name] for name in kept] == [before[name] for name in kept]
    person = person_id(house, team.admin)
    assert (after["name"], str(after["replaced_by"])) == ("worker (rotated)", new.id)
    assert made_row["created_by"] == person
    ((lasts,),) = rows(
        house, "SELECT expires_at - now() FROM accounts_apikey WHERE id = %s", old.id
    )
    assert timedelta(seconds=seconds - 60) < lasts <= timedelta(seconds=seconds)
    told = {
        "person": person.hex,
        "overlap_seconds": seconds,
        "replaced_by": f"key_{uuid.UUID(new.id).hex}",
    }
    assert ring.events(old.id)[-1] == ("key_rotate", "ok", told)
    page = words(team.owner.get(f"{ring.path}{new.id}/"))
    assert "Replaces worker (rotated)" in page


def test_without_an_overlap_the_old_key_is_refused_at_once(team: Team, ring: Ring) -> None:
    old = ring.made(team.owner)
    new = ring.shown(team.owner, ring.act(team.owner, old.id, "rotate", overlap="0"))
    assert "works no more" in words(new.page)
    refused(ring.api(old).get("/v1/ping"), 401, "invalid_key")
    ok(ring.api(new).get("/v1/ping"))


def test_a_rotation_that_is_sent_twice_at_once_makes_one_key(team: Team, ring: Ring) -> None:
    old = ring.made(team.owner)
    browsers = [Visitor(team.house, team.owner.email) for _ in range(3)]
    for browser in browsers:
        browser.http.cookies.update(team.owner.http.cookies)
    sent = at_once([partial(ring.act, one, old.id, "rotate", overlap="3600") for one in browsers])
    assert [answer.status_code for answer in sent] == [302] * 3
    assert len({answer.headers["location"] for answer in sent}) == 1
    assert len(ring.names()) == 2
    new = ring.shown(team.owner, sent[0])
    before = ring.everything()
    again = ring.act(team.owner, old.id, "rotate", overlap="3600")
    assert again.status_code == 409
    assert "rotated already" in words(again)
    assert ring.everything() == before
    ok(ring.api(new).get("/v1/ping"))


def test_an_overlap_that_is_not_offered_changes_nothing(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner)
    before = ring.everything()
    for overlap in ("", "1", "-3600", "9999999", "soon"):
        answer = ring.act(team.owner, made.id, "rotate", overlap=overlap)
        assert answer.status_code == 422, overlap
    assert ring.everything() == before


def test_a_moved_key_sees_the_other_project_from_its_next_request_on(
    team: Team, ring: Ring
) -> None:
    made = ring.made(team.owner)
    api = ring.api(made)
    api.add("I live in Oslo.", user_id="ines")
    other = ring.another_project("Second")
    assert "From its next request on" in words(team.owner.get(f"{ring.path}{made.id}/move/"))
    sent = ring.act(team.owner, made.id, "move", project=uuid.UUID(other).hex)
    assert sent.headers["location"] == f"{ring.path}{made.id}/"
    assert str(ring.key(made.id)["project_id"]) == other
    assert ok(api.get("/v1/memories"))["total"] == 0
    assert [action for action, _, _ in ring.events(made.id)] == ["key_create"] + ["key_move"] * 2
    assert all(meta["person"] for _, _, meta in ring.events(made.id))


def test_a_key_goes_to_no_project_that_is_not_in_use_here(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner)
    archived, foreign = ring.another_project("Old", archived=True), team.again().project
    ring.another_project("Second")
    before = ring.everything()
    for project in (archived, foreign, ring.project, str(uuid.uuid4()), "x", ""):
        answer = ring.act(team.owner, made.id, "move", project=project.replace("-", ""))
        assert answer.status_code == 422, project
    assert ring.everything() == before


def test_a_revoked_key_is_refused_at_once_and_its_reason_is_for_the_team_alone(
    house: Stack, team: Team, ring: Ring
) -> None:
    made = ring.made(team.owner)
    api = ring.api(made)
    ok(api.get("/v1/ping"))
    reason = "Left on a train <b>near Bergen</b>"
    assert "cannot be brought back" in words(team.owner.get(f"{ring.path}{made.id}/revoke/"))
    ring.act(team.admin, made.id, "revoke", reason=f"  {reason} ")
    refused(api.get("/v1/ping"), 401, "invalid_key")
    assert ring.key(made.id)["revoked_reason"] == reason
    for path in (ring.path, f"{ring.path}{made.id}/"):
        page = team.owner.get(path)
        assert reason in words(page)
        assert "<b>near" not in page.text
    person = person_id(house, team.admin).hex
    assert ring.events(made.id)[-1] == ("key_revoke", "ok", {"person": person})
    logs = "".join(file.read_text() for file in (house.data_dir / "logs").glob("*.log"))
    assert "train" not in logs
    # Revoking again keeps what was said first.
    first = ring.everything()
    assert ring.act(team.owner, made.id, "revoke", reason="other").status_code == 302
    assert ring.everything() == first


def test_a_reason_that_is_too_long_revokes_nothing(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner)
    before = ring.everything()
    for reason in ("r" * 201, "a\x00b"):
        assert ring.act(team.owner, made.id, "revoke", reason=reason).status_code == 422
    assert ring.everything() == before
    assert ring.act(team.owner, made.id, "revoke", reason="r" * 200).status_code == 302


def test_the_last_admin_key_is_not_revoked_but_can_be_rotated(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner, preset="admin")
    before = ring.everything()
    answer = ring.act(team.owner, made.id, "revoke")
    assert answer.status_code == 409
    assert "last live admin key" in words(answer)
    assert ring.everything() == before
    new = ring.shown(team.owner, ring.act(team.owner, made.id, "rotate", overlap="0"))
    refused(ring.api(made).get("/admin/keys"), 401, "invalid_key")
    ok(ring.api(new).get("/admin/keys"))


def test_what_is_over_can_only_be_looked_at(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner)
    ring.act(team.owner, made.id, "revoke")
    page = team.owner.get(f"{ring.path}{made.id}/").text
    for act in ("rotate", "move", "revoke"):
        assert f"/{act}/" not in page
    before = ring.everything()
    answer = ring.act(team.owner, made.id, "rotate", overlap="0")
    assert answer.status_code == 409
    assert "Only a live key can be rotated" in words(answer)
    assert ring.everything() == before
