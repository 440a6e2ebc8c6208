"""Who sees keys, who acts on them, and whose they are."""

from __future__ import annotations

import uuid

from korely.embedded.stack import Stack
from tests.api_client import ok, unique
from tests.dashboard.keys.ring import Ring
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, settled, words

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "{{7*7}}{% now 'Y' %}",
    "javascript:alert(1)",
    "\u202egnp.exe",
]


def test_a_member_sees_keys_masked_and_acts_on_none(team: Team, ring: Ring) -> None:
    made = ring.made(team.owner, name="of the team")
    second = ring.another_project("Second")
    before = ring.everything()
    page = team.member.get(ring.path)
    assert page.status_code == 200
    assert "of the team" in words(page)
    assert f"kor_self_••••{made.key[-4:]}" in words(page)
    assert made.key not in page.text
    for path in (made.id, "/rotate/", "/revoke/", "/move/", "/new/"):
        assert path not in page.text, path
    pages = ["new/", *(f"{made.id}/{tail}" for tail in ("", "secret/", "rotate/", "move/"))]
    answers = [team.member.get(f"{ring.path}{path}") for path in [*pages, f"{made.id}/revoke/"]]
    answers += [
        ring.send(team.member),
        ring.act(team.member, made.id, "rotate", overlap="0"),
        ring.act(team.member, made.id, "move", project=uuid.UUID(second).hex),
        ring.act(team.member, made.id, "revoke", reason="mine"),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert ring.everything() == before
    ok(ring.api(made).get("/v1/ping"))
    denied = [meta["permission"] for _, result, meta in ring.events() if result == "denied"]
    assert denied == ["manage_keys"] * len(answers)


def test_keys_of_another_organisation_are_404_whoever_asks(
    house: Stack, team: Team, ring: Ring
) -> None:
    made = ring.made(team.owner, name=unique("theirs"))
    stranger = settled(house, unique("Stranger"))
    own = stranger.get("/dashboard/", follow_redirects=True).text
    path = own.partition('/keys/"')[0].rpartition('"')[2] + "/keys/"
    mine = Ring(house, path.split("/")[3], ring.project)
    before = ring.everything()
    pages = [ring.path, f"{ring.path}new/"]
    for where in (ring.path, mine.path):
        pages += [f"{where}{made.id}/{tail}" for tail in ("", "secret/", "rotate/", "revoke/")]
    for path in pages:
        page = stranger.get(path)
        assert page.status_code == 404, path
        assert made.key[-4:] not in page.text
    for one in (ring, mine):
        for act, fields in (("rotate", {"overlap": "0"}), ("revoke", {}), ("move", {})):
            assert one.act(stranger, made.id, act, **fields).status_code == 404
    assert ring.send(stranger).status_code == 404
    assert stranger.get(f"{mine.path}{uuid.uuid4()}/").status_code == 404
    assert stranger.get(f"{mine.path}nonsense/").status_code == 404
    assert ring.everything() == before
    assert mine.names() == []
    ok(ring.api(made).get("/v1/ping"))


def test_who_is_not_signed_in_is_sent_to_sign_in(house: Stack, ring: Ring) -> None:
    nobody = Visitor(house)
    for path in (ring.path, f"{ring.path}new/", f"{ring.path}{uuid.uuid4()}/secret/"):
        answer = nobody.get(path)
        assert answer.status_code == 302
        assert answer.headers["location"].startswith("/account/login/?next=")


def test_names_end_users_and_reasons_are_shown_as_text_everywhere(team: Team, ring: Ring) -> None:
    for text in HOSTILE:
        user = text.replace("*", "x")  # which only a prefix may have, at its end
        made = ring.made(team.owner, name=text, users=user, preset="confined")
        ring.change("UPDATE accounts_project SET name = %s WHERE id = %s", text, ring.project)
        tails = ("", "rotate/", "revoke/")
        pages = [made.page, *(team.owner.get(f"{ring.path}{made.id}/{tail}") for tail in tails)]
        ring.act(team.owner, made.id, "revoke", reason=text)
        pages += [team.owner.get(ring.path), team.owner.get(f"{ring.path}{made.id}/")]
        pages += [team.owner.get(ring.path, params={"text": text})]
        pages += [ring.send(team.owner, name=text, users=user, preset="custom")]
        for page in pages:
            assert text in words(page) or user in words(page), (text, page.url)
            assert "<img src=x" not in page.text
            assert "<script>alert" not in page.text
            assert 'href="javascript' not in page.text
