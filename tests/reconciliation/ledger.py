"""A store in memory that is driven by one-line statements, and prints its rows as lines.

Statement: `DATE VERB PREDICATE OBJECT [from DATE] [until DATE] [instead of OBJECT, OBJECT]`, where
VERB is `says plans past ends denies` (a text said on DATE) or `posts posts-past posts-plan` (a
direct write made on DATE). A date may be a year or a month. A text is written when the latest date
so far has come, so an older one is an import.

What callers do to a stored fact (the latest row of these words): `DATE forgets PREDICATE OBJECT
[until DATE]`, `DATE corrects PREDICATE OBJECT instead of OLD`, and `DATE withdraws PREDICATE OBJECT
[until DATE]`: its last source is gone, since the second date.

Row: `[plan|past] PREDICATE OBJECT START .. [END REASON [by OBJECT]] [xN]`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from facts.reconciliation import (
    Close,
    NotCurrent,
    Outcome,
    Row,
    Statement,
    correct,
    forget,
    object_key,
    reconcile,
    shown,
    slot_of,
    text_key,
    withdraw,
)
from tests.reconciliation.replay import Act, Corrected, Forgot, Said, Withdrawn

_STEP = re.compile(
    r"(?P<date>\S+) (?P<verb>\S+) (?P<predicate>\S+) (?P<object>.+?)"
    r"(?: from (?P<start>[\d-]+))?(?: until (?P<end>[\d-]+))?(?: instead of (?P<named>.+))?"
)
_VERBS = {
    "says": ("current", "state", False),
    "plans": ("planned", "state", False),
    "past": ("past", "state", False),
    "ends": ("past", "end", False),
    "denies": ("current", "deny", False),
    "posts": ("current", "state", True),
    "posts-past": ("past", "state", True),
    "posts-plan": ("planned", "state", True),
    "corrects": ("current", "state", True),
    "forgets": ("current", "state", True),
    "withdraws": ("current", "state", True),
}


def day(text: str) -> datetime:
    """`2026`, `2026-05` or `2026-05-01` as its first midnight UTC."""
    year, month, date = [*(int(part) for part in text.split("-")), 1, 1][:3]
    return datetime(year, month, date, tzinfo=UTC)


@dataclass
class Ledger:
    """Rows of one end user and agent, and the acts that made them.

    `alike`: the pairs that an embedding finds the same.
    """

    subject: str = "dana"
    alike: Sequence[frozenset[str]] = ()
    rows: dict[UUID, Row] = field(default_factory=dict)
    counts: dict[UUID, int] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    now: datetime = datetime(1990, 1, 1, tzinfo=UTC)
    writes: int = 0

    def parse(self, line: str, subject: str | None = None) -> Statement:
        """A line as a statement written now; moves the clock on."""
        found = _STEP.fullmatch(line.strip())
        assert found is not None, line
        tense, move, direct = _VERBS[found["verb"]]
        said = day(found["date"])
        self.writes += 1
        self.now = max(self.now + timedelta(microseconds=1), said)
        return Statement(
            id=UUID(int=self.writes),
            subject_key=text_key(subject or self.subject),
            predicate=found["predicate"],
            object=found["object"],
            object_key=object_key(found["object"]),
            tense=tense,
            valid_from=day(found["start"]) if found["start"] else None,
            invalid_at=day(found["end"]) if found["end"] else None,
            observed_at=self.now if direct else said,
            move=move,
            replaces=tuple((found["named"] or "").split(", ")) if found["named"] else (),
            direct=direct,
            now=self.now,
        )

    def tell(self, line: str, subject: str | None = None) -> Outcome:
        """Reconcile one line and store what came out."""
        return self.put(self.parse(line, subject))

    def act(self, line: str) -> None:
        """Any line: a statement, or what a caller does to a stored fact, if there is one."""
        verb = line.split()[1]
        if verb not in {"corrects", "forgets", "withdraws"}:
            self.tell(line)
            return
        statement = self.parse(line)
        word = statement.replaces[0] if verb == "corrects" else statement.object
        row = self.latest(statement.predicate, word)
        if row is None:
            return
        if verb == "corrects":
            self._correct(row, replace(statement, replaces=()))
        elif verb == "forgets":
            self.acts.append(Forgot(row.id, self.now, statement.invalid_at))
            end = forget(row, statement.invalid_at, self.now)
            if isinstance(end, Close):
                self.close(end)
        else:
            since = statement.invalid_at or self.now
            self.acts.append(Withdrawn(row.id, self.now, since))
            gone = withdraw(row, self.now, since)
            if gone is not None:
                self.close(gone)
        self.check()

    def _correct(self, row: Row, statement: Statement) -> None:
        self.acts.append(Corrected(row.id, statement))
        outcome = correct(row, statement, list(self.rows.values()))
        if not isinstance(outcome, NotCurrent):
            self.store(outcome)

    def latest(self, predicate: str, word: str) -> Row | None:
        """The row of these words that was stored last."""
        found = [r for r in self.rows.values() if (r.predicate, r.object) == (predicate, word)]
        return found[-1] if found else None

    def put(self, statement: Statement, stated: Sequence[UUID] = ()) -> Outcome:
        self.acts.append(Said(statement))
        outcome = reconcile(
            statement, list(self.rows.values()), same_meaning=self._alike, stated=stated
        )
        self.store(outcome)
        return outcome

    def store(self, outcome: Outcome) -> None:
        """Apply an outcome as a service would, and check what the database would check."""
        assert outcome.insert is None or outcome.confirm is None
        assert len(set(outcome.invalidated)) == len(outcome.closes)
        for close in outcome.closes:
            self.close(close)
        if outcome.insert is not None:
            assert outcome.insert.id not in self.rows
            self.rows[outcome.insert.id] = outcome.insert
            self.counts[outcome.insert.id] = 1
        if outcome.confirm is not None:
            self.counts[outcome.confirm] += 1
        self.rules.append(outcome.rule)
        self.check()

    def close(self, close: Close) -> None:
        self.rows[close.id] = replace(
            self.rows[close.id],
            invalid_at=close.at,
            invalidated_by=close.by,
            closed_reason=close.reason,
            closed_known_at=close.known_at,
        )

    def check(self) -> None:
        """The invariants of the table: whole ends, ends after starts, one open row a slot."""
        open_slots: set[str] = set()
        for row in self.rows.values():
            ends = (row.invalid_at, row.closed_reason, row.closed_known_at)
            assert all(ends) or (not any(ends) and row.invalidated_by is None), row
            if row.invalid_at is None and not row.is_plan:
                key = slot_of(row)
                assert key is None or key not in open_slots, row
                open_slots |= {key} if key else set()
            elif row.invalid_at is not None and not row.is_plan:
                assert row.invalid_at >= row.valid_from, row
            if row.closed_reason in {"superseded", "history", "corrected", "fulfilled"}:
                assert row.invalidated_by in self.rows, row

    def find(self, label: str) -> Row:
        """The latest row of an object."""
        return [row for row in self.rows.values() if row.object == label][-1]

    def lines(self) -> list[str]:
        """All rows, in the order of their start."""
        ordered = sorted(self.rows.values(), key=lambda row: (row.valid_from, row.id))
        return [self.line(row) for row in ordered]

    def line(self, row: Row) -> str:
        parts = [{"planned": "plan", "past": "past"}.get(row.tense, ""), row.predicate, row.object]
        parts += [_short(row.valid_from), ".."]
        if row.invalid_at is not None:
            parts += [_short(row.invalid_at), str(row.closed_reason)]
        if row.invalidated_by is not None:
            parts += ["by", self.rows[row.invalidated_by].object]
        if self.counts[row.id] > 1:
            parts.append(f"x{self.counts[row.id]}")
        return " ".join(part for part in parts if part)

    def values(self, at: str | datetime, known_at: datetime | None = None) -> list[str]:
        """Objects that hold at an instant (`as_of`), plans included once begun."""
        instant = day(at) if isinstance(at, str) else at
        found = shown(list(self.rows.values()), instant, known_at, as_of=True)
        return sorted(row.object for row in found)

    def _alike(self, new: str, stored: str) -> bool:
        return frozenset({new, stored}) in self.alike


def tell_all(text: str, **options: object) -> Ledger:
    """A ledger after the lines of `text`."""
    ledger = Ledger(**options)  # type: ignore[arg-type]
    for line in text.strip().splitlines():
        ledger.act(line)
    return ledger


def _short(moment: datetime) -> str:
    return moment.date().isoformat()
