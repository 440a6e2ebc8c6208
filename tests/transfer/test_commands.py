"""manage.py export_project and import_project."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack
from tests.api.lines import exported, of_kind, text_of
from tests.api.test_import import HEADER, THEN, asked, fact, memory
from tests.api_client import Api, Box, ok, refused, unique
from tests.transfer.commands import bring_in, call


@pytest.fixture
def told(fresh: Box) -> Box:
    """A project with the history of one end user: two towns, a name, a session, a plan."""
    api = fresh.api
    api.told("I live in Rome.", "anna", timestamp="2026-01-10", metadata={"a": [1, 1e-7]})
    api.told("I moved to Milan.", "anna", timestamp="2026-05-20", agent_id="bot")
    api.told("I work at Acme.", "anna", kind="session")
    ok(api.post("/v1/users/anna/names", {"name": "Annie"}), 201)
    stated = {"subject": "anna", "predicate": "has_goal", "object": "a marathon"}
    ok(api.post("/v1/facts", {**stated, "user_id": "anna", "tense": "planned"}), 201)
    api.add("Of nobody?")
    api.settle()
    return fresh


def events(api: Api, action: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ok(api.get("/v1/audit", action=action))["events"]
    return found


def test_a_project_exported_erased_and_imported_answers_the_same_on_both_clocks(
    told: Box, tmp_path: Path
) -> None:
    api, project, file = told.api, told.project["id"], tmp_path / "whole.jsonl"
    done = call("export_project", project, "--output", str(file))
    assert (done.error, done.out) == (None, "")
    assert "4 memories" in done.err
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[1:] == exported(api)[1:]
    assert call("export_project", project).out.splitlines()[1:] == file.read_text().splitlines()[1:]
    learned = [line["created_at"] for line in of_kind(lines, "fact")]
    moments = ["2026-01-01", "2026-03-01", "2026-06-01", *learned]
    before = asked(api, moments)
    assert len({str(answer) for answer in before}) > 5
    ok(api.delete("/v1/users/anna/memories"))
    assert asked(api, moments) != before
    report, done = bring_in(project, file)
    assert (done.error, report["skipped"], report["complete"]) == (None, {}, True)
    assert (report["memories"], report["known"], report["names"]) == (3, 1, 1)
    assert asked(api, moments) == before
    assert exported(api)[1:] == lines[1:]
    again, done = bring_in(project, file)
    assert (done.error, again["memories"], again["facts"], again["names"]) == (None, 0, 0, 0)
    assert again["known"] == sum(lines[-1][kind] for kind in ("memories", "facts", "names"))
    assert exported(api)[1:] == lines[1:]


def test_a_dry_run_counts_as_the_import_does_and_stores_nothing(told: Box, tmp_path: Path) -> None:
    lines = [*exported(told.api)[:-1], memory(content=" ")]
    file = tmp_path / "lines.jsonl"
    file.write_bytes(text_of(lines))
    other = Box(told.boot)
    dry, done = bring_in(other.project["id"], file, "--dry-run")
    assert len(exported(other.api)) == 2
    assert events(other.api, "import") == []
    assert (dry["dry_run"], done.code) == (True, 2)
    assert "would be stored" in done.out
    real, _ = bring_in(other.project["id"], file)
    assert real == {**dry, "dry_run": False}
    known, _ = bring_in(other.project["id"], file, "--dry-run")
    assert (known["memories"], known["facts"], known["names"]) == (0, 0, 0)
    assert known["known"] == dry["memories"] + dry["facts"] + dry["names"]


def test_what_an_operator_does_is_audited_and_counted_nowhere(told: Box, tmp_path: Path) -> None:
    from accounts import services
    from billing.models import Plan

    file = tmp_path / "whole.jsonl"
    plan = Plan.objects.create(slug=unique("plan"), writes_per_month=1, queries_per_month=4)
    account, small = services.create_organisation(name=plan.slug, plan=plan.slug)
    made = services.mint_key(organisation_id=account.id, project_id=small.id, name="only")
    limited = Api(told.boot.base_url, made.key)
    call("export_project", told.project["id"], "--output", str(file), "--user-id", "anna")
    report, _ = bring_in(f"prj_{small.id.hex}", file)
    assert (report["memories"], report["skipped"]) == (3, {})
    assert call("export_project", f"prj_{small.id.hex}").error is None
    (event,) = events(told.api, "export")
    assert (event["actor"], event["user_id"]) == ("manage", "anna")
    assert event["meta"] == {"memories": 3, "facts": 4, "names": 1}
    (event,) = events(limited, "import")
    assert (event["actor"], event["meta"]) == ("manage", {"memories": 3, "facts": 4, "names": 1})
    assert [line["user_id"] for line in exported(limited)[1:-1]] == ["anna"] * 8
    limited.add("The month's one write.")
    refused(limited.post("/v1/memories", {"content": "No more?"}), 429, "quota_exceeded")


def test_bad_lines_are_told_by_number_and_field_and_never_quoted(
    fresh: Box, tmp_path: Path
) -> None:
    secret = "Zanzibar"
    bad = [
        memory(content=secret, kind=secret),
        memory(content=secret + "x" * 16_000),
        fact(secret, source_memory_ids=[f"mem_{'0' * 32}"]),
        memory(content=secret, metadata=[secret]),
    ]
    file = tmp_path / "bad.jsonl"
    file.write_bytes(text_of([HEADER, memory(), *bad]) + b'{"' + secret.encode() + b'": }\n')
    report, done = bring_in(fresh.project["id"], file)
    assert (report["memories"], report["skipped"], report["complete"]) == (1, {"refused": 5}, False)
    assert (done.code, done.error) == (2, "not everything was stored")
    told = {one["record"]: one["message"] for one in report["details"]}
    fields = {3: "kind", 4: "content", 5: "source_memory_ids", 6: "metadata", 7: "JSON"}
    assert told.keys() == fields.keys()
    for number, field in fields.items():
        assert field in told[number]
        assert f"line {number}: " in done.err
    assert secret not in json.dumps(report) + done.out + done.err


@pytest.mark.parametrize("text", ["", '{"type": "header", "format": "x", "version": 1}\n', "[]"])
def test_a_file_that_is_no_export_stores_nothing(fresh: Box, tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    done = call("import_project", fresh.project["id"], str(file))
    assert done.code == 1
    assert done.error
    assert len(exported(fresh.api)) == 2


@pytest.mark.parametrize("project", ["prj_" + "0" * 32, "x", "default"])
def test_an_unknown_project_is_said_so(stack: Stack, tmp_path: Path, project: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(text_of([HEADER]))
    for words in (("export_project", project), ("import_project", project, str(file))):
        assert call(*words).error == "No such project"


def test_options_of_foreign_exports_and_files_that_are_not_there_are_refused(
    fresh: Box, tmp_path: Path
) -> None:
    project = fresh.project["id"]
    missing = str(tmp_path / "missing")
    done = call("import_project", project, missing)
    assert (done.code, done.error) == (1, f"cannot read {missing}: No such file or directory")
    done = call("import_project", project, missing, "--no-extract")
    assert "other services" in (done.error or "")
    done = call("export_project", project, "--output", str(tmp_path / "no" / "file"))
    assert (done.code, done.error) == (1, "cannot write: No such file or directory")


def test_an_export_that_fails_leaves_the_file_that_was_there(
    told: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from korely.rest.management.commands import export_project

    file = tmp_path / "whole.jsonl"
    file.write_text("the one before")

    def cut_short(*_: Any, **__: Any) -> Any:
        yield b'{"type": "header"}\n'
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_project, "written", cut_short)
    done = call("export_project", told.project["id"], "--output", str(file))
    assert (done.code, done.error) == (1, "cannot write: No space left on device")
    assert file.read_text() == "the one before"
    assert list(tmp_path.iterdir()) == [file]
    monkeypatch.undo()
    call("export_project", told.project["id"], "--output", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_one_project_is_piped_into_another(told: Box, stack: Stack) -> None:
    other = Box(told.boot)
    env = {**os.environ, **stack.env, "KORELY_DATA_DIR": str(stack.data_dir), "LC_ALL": "C"}
    told.api.add("Où est-ce\u2028que?", user_id="zoë")
    manage = [sys.executable, "manage.py"]
    out = subprocess.run(
        [*manage, "export_project", told.project["id"]],
        cwd=CHECKOUT, env={**env, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True,
    )  # fmt: skip
    done = subprocess.run(
        [*manage, "import_project", other.project["id"], "-"],
        cwd=CHECKOUT, env=env, input=out.stdout, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"5 memories" in done.stdout
    assert exported(other.api)[1:] == exported(told.api)[1:]


def test_facts_keep_the_instants_they_were_known_at(fresh: Box, tmp_path: Path) -> None:
    ended = {"invalid_at": "2025-06-01", "closed_known_at": "2025-07-01", "closed_reason": "stated"}
    line = fact("Acme", "2025-01-01", created_at="2025-02-01", **ended)
    file = tmp_path / "facts.jsonl"
    file.write_bytes(text_of([HEADER, line]))
    bring_in(fresh.project["id"], file)

    def at(**query: str) -> list[str]:
        return [one["object"] for one in fresh.api.facts(user_id="u", **query)]

    assert at(known_as_of="2025-01-15") == []
    assert at(known_as_of="2025-06-15") == ["Acme"]
    assert at(as_of="2025-06-15") == []
    assert THEN > "2025"


def test_a_stop_is_told_apart_from_a_failure(
    fresh: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from korely.rest.management.commands import export_project, import_project

    def stopped(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_project, "Lines", stopped)
    monkeypatch.setattr(export_project, "written", stopped)
    file = tmp_path / "lines.jsonl"
    file.write_bytes(text_of([HEADER]))
    done = call("import_project", fresh.project["id"], str(file))
    assert (done.code, "goes on from there" in (done.error or "")) == (130, True)
    done = call("export_project", fresh.project["id"], "--output", str(tmp_path / "out"))
    assert done.code == 130
    assert list(tmp_path.iterdir()) == [file]


def test_a_report_that_cannot_be_written_is_said_so_after_the_import(
    fresh: Box, tmp_path: Path
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(text_of([HEADER, memory()]))
    report = str(tmp_path / "no" / "report")
    done = call("import_project", fresh.project["id"], str(file), "--report", report)
    assert (done.code, done.error) == (1, "cannot write the report: No such file or directory")
    assert "1 memories" in done.out
    assert len(exported(fresh.api)) == 3
