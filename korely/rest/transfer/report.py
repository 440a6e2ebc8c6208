"""What an import did, for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from korely.rest.transfer.foreign.skips import EXPECTED, Reason, Skip
from memories.services import Imported

MOST_DETAILS = 1_000  # told; all are counted


@dataclass(slots=True)
class Report:
    """Counts, and why records were not stored; never a word of them."""

    project: str
    origin: str
    dry_run: bool
    records: int | None = None  # of a foreign export, those that only gave names to others too
    nodes: int | None = None
    done: Imported = field(default_factory=Imported)
    complete: bool | None = None  # of our own format: its end line was seen and agrees
    skipped: Counter[str] = field(default_factory=Counter)
    details: list[tuple[int, str, str]] = field(default_factory=list)

    def skip(self, number: int, skip: Skip) -> None:
        self.skipped[skip.reason] += 1
        if len(self.details) < MOST_DETAILS:
            self.details.append((number, skip.reason, skip.message))

    def finish(self, done: Imported) -> None:
        self.done = done
        if done.failed:
            self.skipped[Reason.REFUSED] += done.failed
        self.details += [(number, Reason.REFUSED, message) for number, message in done.errors]
        self.details.sort()
        del self.details[MOST_DETAILS:]

    @property
    def clean(self) -> bool:
        """Everything that was to be stored is stored."""
        return not set(self.skipped) - EXPECTED and self.complete is not False

    def as_json(self) -> dict[str, Any]:
        found = {
            "project": self.project,
            "from": self.origin,
            "dry_run": self.dry_run,
            "memories": self.done.memories,
            "facts": self.done.facts,
            "names": self.done.names,
            "known": self.done.skipped,
            "skipped": dict(sorted(self.skipped.items())),
            "details": [
                {"record": number, "reason": reason, "message": message}
                for number, reason, message in self.details
            ],
        }
        more = {"records": self.records, "nodes": self.nodes, "complete": self.complete}
        return found | {name: value for name, value in more.items() if value is not None}

    def in_words(self) -> list[str]:
        done, would = self.done, "would be stored" if self.dry_run else "stored"
        lines = [
            f"{done.memories:,} memories, {done.facts:,} facts and {done.names:,} names {would};"
            f" {done.skipped:,} were here already"
        ]
        if self.records is not None:
            lines.append(f"{self.records:,} records read, {self.nodes:,} of them for names alone")
        lines += [f"skipped, {reason}: {count:,}" for reason, count in sorted(self.skipped.items())]
        if self.complete is False:
            lines.append("the end line is missing or does not agree: the export was cut short")
        return lines
