"""End users, agents, projects and the account through the official SDK and command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from korely_memory import (
    APIError,
    AuthenticationError,
    ConflictError,
    Korely,
    KorelyError,
    NotFoundError,
)

from tests.api_client import Box, unique, wait_for
from tests.clients.conftest import Connect, Run

Settle = Callable[[str], None]


def named(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_users_are_pages_with_counts(korely: Korely, settle: Settle) -> None:
    user = unique("user")
    korely.add("I live in Rome.", user_id=user, agent_id="helper")
    settle(user)
    page = korely.users(limit=1)
    assert page.total >= 1
    assert (page[0].user_id, page[0].memories, page[0].facts) == (user, 1, 1)
    assert page[0].last_active
    assert korely.users(agent_id="helper")[0].user_id == user
    with pytest.raises(APIError, match="limit"):
        korely.users(limit=201)


def test_delete_all_erases_and_counts_under_both_names(korely: Korely, settle: Settle) -> None:
    user = unique("maria@example.com/x").replace("/", "#")
    made = korely.add("I live in Rome.", user_id=user)
    settle(user)
    receipt = korely.delete_all(user_id=user)
    assert (receipt.user_id, receipt.erasure) == (user, "permanent")
    assert (receipt.memories_deleted, receipt.facts_deleted) == (1, 1)
    assert (receipt.memories_forgotten, receipt.facts_invalidated) == (1, 1)
    assert receipt.audit_id is not None and receipt.audit_id.startswith("aud_")
    with pytest.raises(NotFoundError):
        korely.get(made.id)
    with pytest.raises(APIError) as refused:
        korely.delete_all(user_id="a/b")
    assert (refused.value.status, refused.value.code) == (422, "invalid_request")
    with pytest.raises(KorelyError, match="empty"):
        korely.delete_all(user_id="")


def test_agents_are_listed_and_deleted_by_their_whole_name(korely: Korely) -> None:
    bot = unique("bot")
    kept = korely.add("Kept.", agent_id=bot)
    korely.add("Gone.", agent_id=f"{bot}#1")
    page = korely.list_agents(limit=200)
    assert {bot, f"{bot}#1"} <= {one.agent_id for one in page}
    assert (page.cap, page.used >= page.total) == (0, True)
    receipt = korely.delete_agent(f"{bot}#1")
    assert (receipt.agent_id, receipt.memories_deleted) == (f"{bot}#1", 1)
    assert receipt.slot_freed is None
    assert korely.get(kept.id).content == "Kept."
    with pytest.raises(NotFoundError) as missing:
        korely.delete_agent(f"{bot}#1")
    assert missing.value.message == f"No agent namespace '{bot}#1' in this project."


def test_a_slot_is_freed_by_deleting_its_agent(on_plan: Callable[..., Korely]) -> None:
    small = on_plan(agents=1)
    small.add("A note.", agent_id="one")
    page = small.list_agents()
    assert (page.total, page.used, page.cap) == (1, 1, 1)
    with pytest.raises(APIError) as full:
        small.add("A note.", agent_id="two")
    assert full.value.code == "agent_cap_exceeded"
    assert small.delete_agent("one").slot_freed is True
    assert small.add("A note.", agent_id="two").agent_id == "two"


def test_projects_are_made_changed_archived_and_deleted(admin: Korely, connect: Connect) -> None:
    name = unique("Sdk")
    project = admin.create_project(name, region="eu", description="d")
    changed = admin.update_project(project["id"], name=f"{name}-2")
    assert (changed["name"], changed["description"], changed["region"]) == (f"{name}-2", "d", "eu")
    with pytest.raises(ConflictError):
        admin.create_project(f"{name}-2".upper())
    key = admin.create_key(unique("key"), project_id=project["id"])
    with pytest.raises(ConflictError, match="live keys"):
        admin.archive_project(project["id"])
    user = unique("user")
    made = connect(key["key"]).add("I live in Rome.", user_id=user)
    moved = admin.delete_project(project["id"])
    assert (moved["deleted"], moved["memories_moved"], moved["keys_moved"]) == (True, 1, 1)
    assert admin.get(made.id).content == "I live in Rome."
    assert connect(key["key"]).get(made.id).user_id == user
    wait_for("extraction", lambda: admin.events(user_id=user).processing == 0)
    assert [one.object for one in admin.get_facts(user_id=user)] == ["Rome"]
    admin.delete_all(user_id=user)


def test_an_archived_project_is_listed_only_when_asked_for(admin: Korely) -> None:
    project = admin.create_project(unique("Sdk"))
    assert admin.archive_project(project["id"])["archived_at"] is not None
    assert project["name"] not in named(admin.projects())
    assert project["name"] in named(admin.projects(include_archived=True))
    assert admin.unarchive_project(project["id"])["archived_at"] is None
    assert project["name"] in named(admin.projects())
    assert admin.delete_project(project["id"], erase=True)["deleted"] is True
    with pytest.raises(NotFoundError):
        admin.delete_project(project["id"])


def test_delete_account_wants_a_confirmation_and_kills_the_key(
    on_plan: Callable[..., Korely], admin: Korely
) -> None:
    lone = on_plan()
    lone.add("A note.")
    with pytest.raises(KorelyError) as unconfirmed:
        lone.delete_account()
    assert unconfirmed.value.code == "confirmation_required"
    receipt = lone.delete_account(confirm=True)
    assert receipt.deleted is True
    assert receipt.removed is not None and receipt.removed["memories"] == 1
    with pytest.raises(AuthenticationError):
        lone.ping()
    with pytest.raises(ConflictError) as kept:
        admin.delete_account(confirm=True)
    assert kept.value.code == "account_has_login"


def test_the_command_line_lists_and_erases(run: Run, box: Box) -> None:
    key, user, bot = box.api.key, unique("user"), unique("bot")
    made = box.api.told("I live in Rome.", user, agent_id=bot)
    line = next(one for one in run("users", key=key).splitlines() if user in one)
    assert "1 mem" in line and "1 facts" in line
    assert "no agent cap" in run("agents", key=key)
    assert bot in run("agents", key=key)
    assert "--yes" in run("delete-all", "--user-id", user, key=key, code=2)
    box.api.add("Kept.", user_id=unique("other"), agent_id=bot)
    said = run("delete-all", "--user-id", user, "--yes", key=key)
    assert said.startswith(f"forgot user {user}  (1 memory(ies), 1 fact(s) erased")
    assert "--yes" in run("delete-agent", "--agent-id", bot, key=key, code=2)
    said = run("delete-agent", "--agent-id", bot, "--yes", key=key)
    assert said.startswith(f"deleted agent {bot}  (1 memory(ies), 0 fact(s) erased")
    problem = json.loads(run("get", made["id"], "--json", key=key, code=1))
    assert (problem["code"], problem["status"]) == ("not_found", 404)


def test_the_command_line_finds_projects_by_name_in_any_case(run: Run) -> None:
    name, later = unique("Cli"), unique("Later")
    assert f"create: {name}" in run("projects", "create", name, "--region", "eu")
    assert f"rename: {later}" in run("projects", "rename", name.upper(), later)
    run("projects", "archive", later.lower())
    assert later not in run("projects")
    (line,) = [one for one in run("projects", "list", "--archived").splitlines() if later in one]
    assert line.rstrip().endswith("archived") and "region eu" in line
    run("projects", "unarchive", later)
    assert "--yes" in run("projects", "delete", later, code=2)
    assert later in run("projects")
    run("projects", "delete", later, "--yes")
    assert later not in run("projects", "list", "--archived")


def test_the_command_line_deletes_an_account(run: Run, on_plan: Callable[..., Korely]) -> None:
    key = on_plan().api_key
    assert "--yes" in run("delete-account", key=key, code=2)
    assert run("ping", key=key).startswith("ok  tier")
    assert "1 keys" in run("delete-account", "--yes", key=key)
    run("ping", key=key, code=1)
