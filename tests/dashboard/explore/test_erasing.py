"""An end user erased, an agent purged: counted before, the id typed, a receipt after."""

from __future__ import annotations

from urllib.parse import quote

from tests.api_client import ok, unique
from tests.dashboard.explore.yard import Yard
from tests.dashboard.records import rows
from tests.dashboard.visitor import words


def test_an_erasure_counts_asks_for_the_id_and_gives_a_receipt(yard: Yard) -> None:
    user = unique("Ann & Söhne #")
    yard.api.told("I live in Rome.", user)
    yard.api.told("I moved to Oslo.", user, kind="session")
    gone = yard.api.told("I like tea.", user)
    ok(yard.api.delete(f"/v1/memories/{gone['id']}"))
    name = {"name": unique("Annabel")}
    ok(yard.api.post(f"/v1/users/{quote(user, safe='')}/names", name), 201)
    path = yard.of_user(user, "erase/")
    text = yard.read(path)
    for line in (
        "Memories 2", "Forgotten memories 1", "Sessions among them 1", "Facts 3", "Vectors 2",
        "Declared names 1", "Webhook bodies 0",
    ):  # fmt: skip
        assert line in text, line
    for typed in ("", user.lower(), f"{user} ", "x\x00"):
        wrong = yard.admin.post(path, {"typed": typed})
        assert wrong.status_code == 422
    assert kept(yard, user) == 3

    done = yard.admin.post(path, {"typed": user})
    assert done.status_code == 302
    receipt = yard.read(done.headers["location"], yard.admin)
    assert f"The end user {user} is gone from this project." in receipt
    for line in ("Memories erased 3", "Facts erased 3", "Names erased 1", "Audit event aud_"):
        assert line in receipt, line
    assert kept(yard, user) == 0
    assert "Nothing to erase" in yard.read(path)
    assert "erase" in [event[0] for event in yard.events(user)]
    assert yard.member.get(done.headers["location"]).status_code == 403


def kept(yard: Yard, user: str) -> int:
    ((found,),) = rows(
        yard.house,
        "SELECT count(*) FROM memories_memory WHERE project_id = %s AND user_id = %s",
        yard.project,
        user,
    )
    return int(found)


def test_an_agent_is_purged_with_what_it_wrote_and_nothing_else(yard: Yard) -> None:
    user, agent = unique("ann"), unique("bot #")
    yard.api.told("I live in Rome.", user, agent_id=agent)
    own = yard.api.told("I like tea.", user)
    path = f"{yard.path}agents/purge/?agent={quote(agent, safe='')}"
    assert agent in yard.read(f"{yard.path}agents/")
    text = yard.read(path)
    for line in ("Memories 1", "Facts 1", "Vectors 1"):
        assert line in text, line
    done = yard.owner.post(path, {"typed": agent})
    assert f"The agent {agent} is gone" in yard.read(done.headers["location"])
    assert ok(yard.api.get("/v1/memories", user_id=user))["memories"][0]["id"] == own["id"]
    assert kept(yard, user) == 1
    assert "Nothing to erase" in yard.read(path)
    assert agent not in yard.read(f"{yard.path}agents/")


def test_a_receipt_is_of_an_erasure_of_this_project(yard: Yard, fresh_yard: Yard) -> None:
    user = unique("ann")
    yard.api.told("I live in Rome.", user)
    done = yard.owner.post(yard.of_user(user, "erase/"), {"typed": user})
    audit_id = done.headers["location"].rstrip("/").rpartition("/")[2]
    assert yard.owner.get(f"{yard.path}receipts/{audit_id}/").status_code == 200
    assert yard.owner.get(f"{fresh_yard.path}receipts/{audit_id}/").status_code == 404
    other = rows(
        yard.house,
        "SELECT id FROM billing_auditevent WHERE project_id = %s AND action = 'write' LIMIT 1",
        yard.project,
    )[0][0]
    for wrong in (f"aud_{other.hex}", "aud_x", "aud_" + "0" * 32, "aud_" + "f" * 32):
        assert yard.owner.get(f"{yard.path}receipts/{wrong}/").status_code == 404, wrong


def test_members_do_not_erase_and_nothing_is_changed(yard: Yard) -> None:
    user, agent = unique("ann"), unique("bot")
    yard.api.told("I live in Rome.", user, agent_id=agent)
    before = len(denied(yard))
    erase = yard.of_user(user, "erase/")
    purge = f"{yard.path}agents/purge/?agent={agent}"
    for path, typed in ((erase, user), (purge, agent)):
        assert "Owners and admins do this" in words(yard.member.get(path))
        sent = yard.member.post(path, {"typed": typed}, page=yard.of_user(user))
        assert sent.status_code == 403
    assert kept(yard, user) == 1
    assert len(denied(yard)) == before + 4
    page = yard.member.get(yard.of_user(user)).text
    assert "/explore/erase/" not in page
    assert "/agents/purge/" not in yard.member.get(f"{yard.path}agents/").text


def denied(yard: Yard) -> list[tuple[str, ...]]:
    return rows(
        yard.house,
        "SELECT id FROM billing_auditevent WHERE project_id = %s AND result = 'denied'",
        yard.project,
    )
