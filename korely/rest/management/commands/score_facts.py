"""Score fact extraction against gold sets, through the real pipeline and database."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import services as accounts
from facts.models import Fact
from korely.kernel import clock
from korely.kernel.caller import ADMIN, READ, WRITE, Caller
from korely.kernel.tenancy import project_scope
from memories import services
from memories.models import Memory

SETS = ("extraction", "reconcile")


class Command(BaseCommand):
    help = (
        "Store each text of GOLD/extraction.jsonl and GOLD/reconcile.jsonl as a memory in a"
        " project of its own, extract it, and run GOLD/score.py on the facts. The projects are"
        " erased again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--gold", type=Path, required=True, help="directory with score.py")
        parser.add_argument("--set", choices=SETS, action="append", dest="sets")
        parser.add_argument("--errors", type=int, default=0, help="list the first N errors")
        parser.add_argument("--tag", help="only items with this tag")
        parser.add_argument("--json", action="store_true", help="machine-readable result")
        parser.add_argument("--keep", type=Path, help="write the predictions here")

    def handle(self, *args: Any, **options: Any) -> None:
        gold: Path = options["gold"]
        if not (gold / "score.py").is_file():
            raise CommandError(f"{gold} has no score.py")
        organisation, project = accounts.create_organisation(name="Scoring", plan="self_hosted")
        admin = Caller(
            organisation_id=organisation.id,
            project_id=project.id,
            scopes=(READ, WRITE, ADMIN),
            actor="manage",
        )
        try:
            for name in options["sets"] or SETS:
                items = [json.loads(line) for line in (gold / f"{name}.jsonl").open("rb")]
                self._score(gold, name, predictions(admin, name, items), options)
        finally:
            services.delete_account(caller=admin, confirmed=True)

    def _score(
        self, gold: Path, name: str, lines: Iterator[dict[str, Any]], options: dict[str, Any]
    ) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = (options["keep"] or Path(folder)) / f"{name}.pred.jsonl"
            file.write_text("".join(json.dumps(line) + "\n" for line in lines))
            command = [sys.executable, str(gold / "score.py"), name]
            command += [str(gold / f"{name}.jsonl"), str(file)]
            command += ["--errors", str(options["errors"])]
            command += ["--tag", options["tag"]] if options["tag"] else []
            command += ["--json"] if options["json"] else []
            done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - the operator named the file
        self.stdout.write(done.stdout)
        if done.returncode:
            raise CommandError(done.stderr)


def predictions(admin: Caller, name: str, items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the pipeline makes of each item: `{"id", "facts"}`, ended facts included."""
    for item in items:
        project = accounts.create_project(caller=admin, name=uuid.uuid4().hex)
        caller = Caller(
            organisation_id=admin.organisation_id, project_id=project.id, actor="manage"
        )
        steps = item["steps"] if name == "reconcile" else [item]
        for step in steps:
            stamp = step.get("timestamp")
            memory = services.add_memory(
                caller=caller,
                content=step["text"].strip(),
                user_id=item.get("user_id"),
                timestamp=None if stamp is None else clock.read(stamp),
            )
            _extract(memory)
        yield {"id": item["id"], "facts": _facts(project.id)}
        services.delete_project(caller=admin, project_id=project.id, erase=True)


def _extract(memory: Memory) -> None:
    """Extract here; where a running worker was quicker to take it, wait for that."""
    while True:
        services.extract_memory(project_id=memory.project_id, memory_id=memory.id)
        with project_scope(memory.project_id):
            status = Memory.objects.values_list("status", flat=True).get(id=memory.id)
        if status == Memory.READY:
            return
        if status == Memory.ERROR:
            raise CommandError("the extraction of a text failed; see the log")
        time.sleep(0.02)


def _facts(project_id: uuid.UUID) -> list[dict[str, Any]]:
    with project_scope(project_id):
        return [
            {
                "subject": fact.subject,
                "predicate": fact.predicate,
                "object": fact.object,
                "tense": fact.tense,
                "valid_from": clock.write(fact.valid_from),
                "invalid_at": clock.write_or_none(fact.invalid_at),
            }
            for fact in Fact.objects.order_by("created_at", "id")
        ]
