"""The selectors' SQL shows what `facts.reconciliation.shown` says over the same rows in memory."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from tests.api_client import Box

START = datetime(2026, 1, 1, tzinfo=UTC)
VALUES = {
    "lives_in": ["Rome", "Oslo", "Lima"],
    "likes": ["tea"],
    "dislikes": ["tea"],
    "owns": ["car"],
}


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def random_rows(chance: random.Random) -> list:
    """Rows as a store may hold them: overlapping in the past, at most one open a slot."""
    from facts.reconciliation import Row, object_key, slot_of
    from korely.kernel.ids import uuid7

    rows, taken = [], set()
    for _ in range(chance.randint(4, 14)):
        predicate = chance.choice(sorted(VALUES))
        value = chance.choice(VALUES[predicate])
        begins, learned = chance.randint(0, 40), chance.randint(0, 40)
        tense = chance.choice(["current", "current", "current", "planned"])
        row = Row(
            id=uuid7(),
            subject_key="maria",
            predicate=predicate,
            object_key=object_key(value),
            object=value,
            tense=tense,
            valid_from=day(begins),
            invalid_at=None,
            invalidated_by=None,
            closed_known_at=None,
            closed_reason=None,
            created_at=day(learned),
        )
        slot = slot_of(row)
        if chance.random() < 0.6 or (slot in taken and tense != "planned"):
            earliest = begins - 5 if tense == "planned" else begins
            row.invalid_at = day(chance.randint(earliest, 45))
            row.closed_known_at = day(chance.randint(learned, 45))
            row.closed_reason = chance.choice(["superseded", "stated", "forgotten"])
        elif slot is not None and tense != "planned":
            taken.add(slot)
        rows.append(row)
    return rows


def store_rows(project: uuid.UUID, user_id: str, rows: list) -> None:
    from facts.services import store
    from facts.services.store import Owner, Wording
    from facts.vocabulary import BUILT_IN
    from korely.kernel.tenancy import project_scope

    owner = Owner(project, user_id, None)
    with project_scope(project):
        for row in rows:
            wording = Wording("maria", "person", row.predicate, row.object, False, 0.9, None, True)
            store.insert(owner, row, wording, None, vocabulary=BUILT_IN)


@pytest.fixture(scope="module")
def project(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


@pytest.mark.parametrize("seed", range(40))
def test_every_clock_shows_the_rows_the_core_shows(project: uuid.UUID, seed: int) -> None:
    from facts.reconciliation import shown
    from facts.selectors import FactFilter, Reading, list_facts
    from korely.kernel.caller import Caller
    from korely.kernel.clock import now
    from korely.kernel.tenancy import project_scope

    chance = random.Random(seed)
    user_id = f"clock-{uuid.uuid4().hex}"
    rows = random_rows(chance)
    store_rows(project, user_id, rows)
    caller = Caller(organisation_id=project, project_id=project)

    def read(**clocks: datetime | None) -> list[tuple]:
        wanted = FactFilter(user_id=user_id, reading=Reading(**clocks))
        with project_scope(project):
            page = list_facts(caller=caller, wanted=wanted, limit=200, offset=0)
        assert page.total == len(page.facts)
        return [(f.id, f.invalid_at, f.closed_known_at, f.closed_reason) for f in page.facts]

    def expected(at: datetime, known_at: datetime | None, *, as_of: bool) -> list[tuple]:
        found = shown(rows, at, known_at, as_of=as_of)
        return [(r.id, r.invalid_at, r.closed_known_at, r.closed_reason) for r in found]

    assert read() == expected(now(), None, as_of=False)
    for _ in range(12):
        at, known = day(chance.randint(-2, 47)), day(chance.randint(-2, 47))
        assert read(as_of=at) == expected(at, None, as_of=True)
        assert read(known_as_of=known) == expected(known, known, as_of=False)
        assert read(as_of=at, known_as_of=known) == expected(at, known, as_of=True)
