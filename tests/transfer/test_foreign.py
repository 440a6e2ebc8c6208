"""Exports of mem0, Zep and Graphiti, stored as a project's own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack
from tests.api.lines import exported, of_kind
from tests.api_client import Api, Box, ok, refused
from tests.transfer.commands import DATA, Told, bring_in, call


def stored(api: Api, kind: str = "memory") -> dict[str, dict[str, Any]]:
    """What a project holds, by the text of a memory or the object of a fact."""
    names = {"memory": "content", "fact": "object", "name": "name"}
    return {line[names[kind]]: line for line in of_kind(exported(api), kind)}


@pytest.fixture
def brought(fresh: Box, tmp_path: Path) -> Any:
    def bring(name: str, origin: str, *options: str) -> tuple[dict[str, Any], Told]:
        file = tmp_path / name
        shutil.copy(DATA / name, file)
        return bring_in(fresh.project["id"], file, "--from", origin, *options)

    return bring


def test_memories_of_mem0_keep_their_dates_owners_and_metadata(fresh: Box, brought: Any) -> None:
    report, told = brought("mem0.json", "mem0")
    assert (report["memories"], report["facts"], report["records"]) == (3, 0, 10)
    found = stored(fresh.api)
    one = found["I live in Lisbon."]
    names = ("user_id", "agent_id", "run_id", "kind", "timestamp", "created_at", "updated_at")
    assert [one[name] for name in names] == [
        "ines", "coach", "r-1", "note", None,
        "2025-03-01T16:30:00.250000+00:00", "2025-03-02T09:30:00+00:00",
    ]  # fmt: skip
    kept = {"id": "5f0c2d1e-0001", "app_id": "trainer", "categories": ["personal_details"]}
    whole = {"topic": "home", "deep": {"list": [1, 2.5, None]}}
    assert one["metadata"] == {**whole, "mem0": kept}
    name = uuid.uuid5(uuid.UUID(fresh.project["id"][4:]), "mem0:5f0c2d1e-0001")
    own = uuid.UUID(one["id"][4:])
    assert (own.version, own.variant) == (8, uuid.RFC_4122)
    assert own.int >> 80 == 1_740_846_600_250  # created_at in milliseconds
    assert own.hex[-12:] == name.hex[-12:]
    later = found["Booked a table for two."]
    assert later["updated_at"] == later["created_at"] == "2025-04-01T08:00:00+00:00"
    assert later["metadata"]["mem0"]["expiration_date"] == "2999-12-31"
    assert fresh.api.search("a home in Portugal", user_id="ines", metadata={"topic": "home"})
    assert told.code == 2


def test_what_mem0_has_and_is_not_stored_is_told_by_reason_and_record(brought: Any) -> None:
    report, told = brought("mem0.json", "mem0", "--dry-run")
    assert report["skipped"] == {
        "bad_date": 1, "expired": 1, "invalid": 1, "no_counterpart": 1, "no_date": 1,
        "no_text": 1, "unknown_kind": 1,
    }  # fmt: skip
    reasons = {one["record"]: one["reason"] for one in report["details"]}
    assert reasons == {
        4: "no_text", 5: "no_date", 6: "bad_date", 7: "expired", 8: "invalid",
        9: "unknown_kind", 10: "no_counterpart",
    }  # fmt: skip
    assert "record 6: created_at is not an ISO 8601 date or datetime" in told.err
    assert "skipped, bad_date: 1" in told.out
    assert "last spring" not in told.err + told.out + json.dumps(report)


def test_imported_memories_are_mined_but_not_what_an_assistant_said(
    fresh: Box, brought: Any
) -> None:
    brought("mem0.json", "mem0")
    fresh.api.settle()
    facts = {fact["object"]: fact for fact in fresh.api.facts(user_id="ines")}
    assert facts["Lisbon"]["predicate"] == "lives_in"
    assert facts["Lisbon"]["valid_from"].startswith("2025-03-02")  # when its text was written
    assert "Acme" not in facts
    assert {one["status"] for one in stored(fresh.api).values()} == {"ready"}


def test_no_extract_leaves_memories_without_facts(fresh: Box, brought: Any) -> None:
    brought("mem0.json", "mem0", "--no-extract")
    assert ok(fresh.api.get("/v1/events"))["processing"] == 0
    assert fresh.api.facts(user_id="ines") == []


def test_field_names_of_the_typescript_client_and_records_without_id(
    fresh: Box, brought: Any
) -> None:
    report, _ = brought("mem0_typescript.json", "mem0")
    assert (report["memories"], report["skipped"]) == (2, {"unknown_kind": 1})
    found = stored(fresh.api)
    assert [found["I like figs."][name] for name in ("user_id", "run_id")] == ["rui", "run"]
    assert found["I like figs."]["updated_at"] == "2025-05-01T10:00:00.004000+00:00"
    again, _ = brought("mem0_typescript.json", "mem0")
    assert (again["memories"], again["known"]) == (0, 2)


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("mem0.json", "mem0"),
        ("zep_threads.json", "zep"),
        ("zep_graph.json", "zep"),
        ("graphiti.json", "graphiti"),
        ("graphiti_neo4j.jsonl", "graphiti"),
    ],
)
def test_a_dry_run_foretells_and_importing_twice_stores_nothing_more(
    fresh: Box, brought: Any, name: str, origin: str
) -> None:
    dry, _ = brought(name, origin, "--no-extract", "--dry-run")
    assert len(exported(fresh.api)) == 2
    real, _ = brought(name, origin, "--no-extract")
    assert real == {**dry, "dry_run": False}
    before = exported(fresh.api)
    again, _ = brought(name, origin, "--no-extract")
    assert again["known"] == dry["memories"] + dry["facts"] + dry["names"] > 0
    assert (again["memories"], again["facts"], again["names"]) == (0, 0, 0)
    assert exported(fresh.api)[1:] == before[1:]


def test_messages_of_zep_threads_are_memories_of_their_user_and_run(
    fresh: Box, brought: Any
) -> None:
    report, _ = brought("zep_threads.json", "zep")
    assert (report["memories"], report["skipped"]) == (2, {"no_counterpart": 1, "no_text": 1})
    fresh.api.settle()
    one = stored(fresh.api)["I moved to Oslo."]
    assert (one["user_id"], one["run_id"]) == ("emil", "t-1")
    assert one["created_at"] == "2025-02-01T10:00:00+00:00"
    kept = {"uuid": "aa000000-0000-4000-8000-000000000001", "role": "user", "name": "Emil"}
    assert one["metadata"] == {"mood": "calm", "zep": kept}
    assert [fact["object"] for fact in fresh.api.facts(user_id="emil")] == ["Oslo"]


def test_edges_of_zep_are_facts_with_both_clocks(fresh: Box, brought: Any) -> None:
    report, _ = brought("zep_graph.json", "zep")
    assert report["skipped"] == {"bad_date": 1, "no_counterpart": 1, "unknown_node": 1}
    assert (report["memories"], report["facts"], report["names"]) == (5, 3, 1)
    assert (report["records"], report["nodes"]) == (15, 4)
    api = fresh.api
    api.settle()
    first = stored(api, "fact")["Nordlys"]
    assert {name: first[name] for name in ("subject", "subject_type", "predicate", "user_id")} == {
        "subject": "Emil Berg", "subject_type": "person", "predicate": "works_at",
        "user_id": "emil",
    }  # fmt: skip
    assert [first[name] for name in ("valid_from", "invalid_at", "created_at")] == [
        "2025-02-01T00:00:00+00:00", "2025-06-01T00:00:00+00:00", "2025-03-01T12:00:00+00:00",
    ]  # fmt: skip
    assert first["closed_known_at"] == "2025-07-01T00:00:00+00:00"
    assert first["closed_reason"] == "superseded"

    def works_at(**query: str) -> list[str]:
        found = api.facts(user_id="emil", predicate="works_at", **query)
        return [fact["object"] for fact in found]

    assert works_at() == ["Fjellheim"]
    assert works_at(as_of="2025-03-01") == ["Nordlys"]
    assert works_at(known_as_of="2025-02-15") == []
    assert works_at(known_as_of="2025-06-15") == ["Nordlys"]
    assert works_at(known_as_of="2025-07-02") == ["Fjellheim"]
    past = stored(api, "fact")["NTNU"]
    assert past["valid_from"] == past["invalid_at"] == "2017-06-30T00:00:00+00:00"
    assert past["closed_reason"] == "stated"


def test_episodes_whose_facts_come_along_are_their_sources_and_are_not_mined(
    fresh: Box, brought: Any
) -> None:
    brought("zep_graph.json", "zep")
    fresh.api.settle()
    found, facts = stored(fresh.api), stored(fresh.api, "fact")
    assert facts["Nordlys"]["source_memory_ids"] == [found["Nordlys hired me."]["id"]]
    older, newer = found["Who is at Fjellheim?"], found["And what of Fjellheim now?"]
    assert facts["Fjellheim"]["source_memory_ids"] == [older["id"], newer["id"]]  # by age
    assert facts["NTNU"]["source_memory_ids"] == []
    assert found["Nordlys hired me."]["run_id"] == "t-9"
    assert "Bergen" in facts
    assert "Paris" not in facts


def test_the_node_of_a_zep_user_names_the_end_user(fresh: Box, brought: Any) -> None:
    brought("zep_graph.json", "zep")
    assert stored(fresh.api, "name")["Emil Berg"]["user_id"] == "emil"
    (fact,) = fresh.api.facts(user_id="emil", predicate="works_at")
    assert (fact["subject"], fact["subject_canonical"]) == ("Emil Berg", "emil")
    profile = ok(fresh.api.get("/v1/profile", user_id="emil"))
    assert "Fjellheim" in json.dumps(profile)


def test_facts_of_zep_sessions_name_their_entities_and_each_bad_line_is_told(
    fresh: Box, brought: Any
) -> None:
    report, _ = brought("zep_facts.jsonl", "zep", "--user-id", "emil")
    assert (report["facts"], report["memories"]) == (1, 0)
    reasons = {one["record"]: one["reason"] for one in report["details"]}
    assert reasons == {3: "unknown_node", 4: "unreadable"}
    (fact,) = fresh.api.facts(user_id="emil")
    assert (fact["subject"], fact["object"]) == ("Emil", "a boat")
    assert fact["valid_from"] == "2025-01-04T00:00:00+00:00"


def test_a_graph_of_graphiti_is_memories_and_facts_of_its_groups(fresh: Box, brought: Any) -> None:
    report, _ = brought("graphiti.json", "graphiti")
    assert (report["memories"], report["facts"], report["nodes"]) == (2, 1, 2)
    assert report["skipped"] == {"no_counterpart": 2}
    fresh.api.settle()
    one = stored(fresh.api)["Kira grew up in Vienna, she said."]
    assert (one["user_id"], one["timestamp"], one["created_at"]) == (
        "kira", "2025-02-01T20:00:00+00:00", "2025-02-02T08:00:00+00:00",
    )  # fmt: skip
    facts = stored(fresh.api, "fact")
    assert facts["Vienna"]["source_memory_ids"] == [one["id"]]
    assert (facts["Vienna"]["user_id"], facts["Vienna"]["subject_type"]) == ("kira", "person")
    assert facts["Graz"]["user_id"] is None
    assert facts["Graz"]["valid_from"].startswith("2025-02-03")


def test_a_neo4j_export_of_graphiti_names_ends_by_its_own_ids(fresh: Box, brought: Any) -> None:
    report, _ = brought("graphiti_neo4j.jsonl", "graphiti")
    assert (report["memories"], report["facts"]) == (1, 1)
    assert report["skipped"] == {"no_counterpart": 2, "unknown_kind": 1}
    (fact,) = fresh.api.facts(user_id="kira")
    assert [fact[name] for name in ("subject", "object", "valid_from", "created_at")] == [
        "Kira", "Vienna", "2024-01-01T00:00:00+00:00", "2025-01-02T00:00:00.500000+00:00",
    ]  # fmt: skip
    assert fact["source_memory_id"] == stored(fresh.api)["Why Vienna?"]["id"]


def test_a_file_cut_short_is_refused_before_anything_is_stored(fresh: Box, tmp_path: Path) -> None:
    for name, origin in (("mem0.json", "mem0"), ("zep_graph.json", "zep")):
        whole = (DATA / name).read_bytes()
        for text in (whole[: len(whole) // 2], whole + b"]", b"", b"7", b'{"x": [{}]}\n  '):
            file = tmp_path / name
            file.write_bytes(text)
            told = call("import_project", fresh.project["id"], str(file), "--from", origin)
            assert told.code in (1, 2)
            assert "Lisbon" not in (told.error or "") + told.err
    assert len(exported(fresh.api)) == 2


def test_a_foreign_export_is_read_from_standard_input(fresh: Box, stack: Stack) -> None:
    import os

    done = subprocess.run(
        [sys.executable, "manage.py", "import_project", fresh.project["id"], "-",
         "--from", "graphiti", "--dry-run"],
        cwd=CHECKOUT, input=(DATA / "graphiti.json").read_bytes(), capture_output=True, check=False,
        env={**os.environ, **stack.env, "KORELY_DATA_DIR": str(stack.data_dir)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"2 memories, 1 facts and 0 names would be stored" in done.stdout
    assert len(exported(fresh.api)) == 2


def test_names_that_are_another_users_are_refused_and_told(fresh: Box, brought: Any) -> None:
    ok(fresh.api.post("/v1/users/olaf/names", {"name": "Emil Berg"}), 201)
    report, told = brought("zep_graph.json", "zep", "--no-extract")
    assert (report["names"], report["skipped"]["refused"]) == (0, 1)
    assert "another end user" in told.err
    assert stored(fresh.api, "name")["Emil Berg"]["user_id"] == "olaf"
    refused(fresh.api.post("/v1/users/emil/names", {"name": "Emil Berg"}), 409, "conflict")
