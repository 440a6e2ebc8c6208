"""The official command line: facts written, corrected, forgotten and read on both clocks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from korely_memory import Korely

from tests.api_client import Box, unique
from tests.clients.conftest import Run

Command = Callable[..., str]


@pytest.fixture
def cli(run: Run, box: Box) -> Command:
    """A command with the key of the module's project."""
    return partial(run, key=box.api.key)


def test_a_fact_is_added_superseded_and_read_on_both_clocks(
    cli: Command, korely: Korely, uid: str
) -> None:
    of = ("--user-id", uid)
    said = cli("add-fact", uid, "lives in", "Rome", *of, "--valid-from", "2026-01-10")
    rome = said.split()[1]
    assert said == f"stored  {rome}  {uid} · lives_in · Rome [from 2026-01-10]\n"
    (known,) = korely.get_facts(user_id=uid)
    said = cli("add-fact", uid, "lives_in", "Milan", *of, "--valid-from", "2026-05-20")
    milan = said.split()[1]
    assert said.endswith(f"Milan [from 2026-05-20]\n  superseded: {rome}\n")
    now, before = f"  {milan}  {uid} · lives_in · Milan", f"  {rome}  {uid} · lives_in · Rome"
    assert cli("facts", *of) == f"{now} [from 2026-05-20]\n"
    assert f"{before} [from 2026-01-10] (superseded 2026-05-20)\n" in cli(
        "facts", *of, "--as-of", "2026-03-01"
    )
    assert cli("facts", *of, "--as-of", "2025-03-01").startswith("no facts. (what was true")
    # Before the second one was told, the first had no end.
    then = cli("facts", *of, "--known-as-of", str(known.created_at), "--predicate", "lives in")
    assert then.endswith(f"{before} [from 2026-01-10]\n")
    every = json.loads(
        cli("facts", *of, "--include-invalidated", "--family", "places", "--limit", "1", "--json")
    )
    assert ([fact["id"] for fact in every["facts"]], every["total"]) == ([milan], 2)


def test_a_triple_takes_the_options_of_the_command(cli: Command, uid: str) -> None:
    made = json.loads(
        cli(
            *("add-fact", "the kickoff", "scheduled for", "2027-05-03", "--user-id", uid),
            *("--agent-id", "planner", "--run-id", "r-1", "--subject-type", "event"),
            *("--literal", "--confidence", "0.5", "--tense", "planned", "--json"),
        )
    )
    assert (made["predicate"], made["subject_type"], made["tense"]) == (
        *("scheduled_for", "event", "planned"),
    )
    assert (made["agent_id"], made["confidence"], made["object_is_literal"]) == (
        *("planner", 0.5, True),
    )
    assert made["id"] in cli("facts", "--user-id", uid, "--entity", "The Kickoff")
    assert "no facts." in cli("facts", "--user-id", uid, "--agent-id", "other")


def test_a_correction_supersedes_repeats_confirm_and_history_is_refused(
    cli: Command, korely: Korely, uid: str
) -> None:
    tea = korely.add_fact_triple(uid, "likes", "tea", user_id=uid)
    said = cli("correct-fact", tea.id, "--object", "green tea")
    green = said.split()[3]
    assert said.startswith(f"corrected  {tea.id} -> {green}  {uid} · likes · green tea")
    assert said.endswith(f"\n  superseded: {tea.id}\n")
    assert cli("correct-fact", green, "--object", "green tea").startswith(f"reconfirmed  {green}")
    (kept,) = korely.get_facts(user_id=uid)
    assert (kept.id, kept.observation_count) == (green, 2)
    assert "fact_not_current" in cli("correct-fact", tea.id, "--object", "rum", code=1)
    assert "error" in cli("correct-fact", "fct_" + "0" * 32, "--object", "rum", code=1)
    assert [fact.id for fact in korely.get_facts(user_id=uid)] == [green]


def test_a_fact_is_forgotten_once_and_kept_in_history(
    cli: Command, korely: Korely, uid: str
) -> None:
    fact = korely.add_fact_triple(uid, "owns", "a kayak", user_id=uid, valid_from="2026-01-01")
    assert "error" in cli("forget-fact", fact.id, "--at", "2025-01-01", code=1)
    assert [one.invalid_at for one in korely.get_facts(user_id=uid)] == [None]
    said = cli("forget-fact", fact.id, "--at", "2026-03-01")
    assert said.startswith(f"forgotten  {fact.id}  (kept in history, true until 2026-03-01, audit ")
    assert cli("forget-fact", fact.id).startswith(f"already forgotten  {fact.id}")
    assert cli("facts", "--user-id", uid) == "no facts.\n"
    assert fact.id in cli("facts", "--user-id", uid, "--include-invalidated")


def test_a_profile_is_printed_by_family(cli: Command, korely: Korely, uid: str) -> None:
    korely.add_fact_triple(uid, "works_at", "Hartree", user_id=uid, valid_from="2026-02-01")
    korely.add_fact_triple(uid, "likes", "tea", user_id=uid, valid_from="2026-01-01")
    said = cli("profile", "--user-id", uid)
    assert said.startswith(f"profile of {uid}  (2 fact(s))\n")
    work, preferences = said.index("\nwork:\n"), said.index("\npreferences:\n")
    assert said.index("Hartree") > work and said.index("tea") > preferences
    then = json.loads(cli("profile", "--user-id", uid, "--as-of", "2026-01-15", "--json"))
    assert ([fact["object"] for fact in then["facts"]], then["total"]) == (["tea"], 1)
    unknown = cli("profile", "--user-id", unique("nobody"), "--known-as-of", "2026-01-15")
    assert unknown.endswith("(0 fact(s))\n")


def test_the_history_of_a_memory_tells_what_became_of_its_facts(
    cli: Command, korely: Korely, settle: Callable[[str], None], uid: str
) -> None:
    memory = korely.add("I live in Rome.", user_id=uid, timestamp="2026-01-10")
    settle(uid)
    (fact,) = korely.get_facts(user_id=uid)
    cli("correct-fact", fact.id, "--object", "Oslo")
    lines = cli("history", memory.id).splitlines()
    assert lines[0] == f"{memory.id}  (3 event(s))"
    told = f"{uid} lives_in Rome  ({fact.id})"
    assert [line[23:] for line in lines[1:]] == [
        *("created", f"fact_extracted  {told}", f"fact_invalidated  {told}"),
    ]
    cli("history", "mem_" + "0" * 32, code=1)
