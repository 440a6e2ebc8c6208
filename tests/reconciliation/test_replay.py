"""Reads of both clocks equal a replay of the log of acts by an implementation of its own."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from facts.reconciliation import Row, shown
from tests.reconciliation.ledger import Ledger, day, tell_all
from tests.reconciliation.replay import Log, Told, moment, read

START = day("2026-01-01")
VALUES = ("Rome", "Oslo", "Bonn")
# What can meet: acts of one example are mostly about one of these.
MEETING = (
    ("lives_in",),
    ("likes", "dislikes"),
    ("owns", "sold"),
    ("travels_to", "visited"),
    ("wants", "bought"),
    ("uses",),
    ("lives_in", "works_at", "likes", "uses", "owns", "visited", "travels_to"),
)
VERBS = (
    "says says says says past ends denies plans posts posts posts-past posts-plan"
    " forgets corrects withdraws"
).split()
Days = st.integers(0, 100)


def _date(offset: int) -> str:
    return (START + timedelta(days=offset)).date().isoformat()


@st.composite
def acts(draw: st.DrawFn, predicates: tuple[str, ...]) -> str:
    """A sensible statement of any kind, or what a caller does to a fact, on any day."""
    verb, on = draw(st.sampled_from(VERBS)), draw(Days)
    value, other = draw(st.sampled_from([(a, b) for a in VALUES for b in VALUES if a != b]))
    line = f"{_date(on)} {verb} {draw(st.sampled_from(predicates))} {value}"
    if verb in {"says", "plans", "posts", "posts-past", "posts-plan"} and draw(st.booleans()):
        begin = draw(Days)
        line += f" from {_date(begin)}"
        if verb in {"says", "plans"} and draw(st.integers(0, 2)) == 0:
            line += f" until {_date(begin + draw(st.integers(1, 40)))}"
    elif verb == "past" and draw(st.booleans()):
        begin = draw(st.integers(0, on))
        line += f" from {_date(begin)} until {_date(draw(st.integers(begin, on)))}"
    elif verb == "withdraws" and draw(st.booleans()):
        line += f" until {_date(draw(st.integers(0, on)))}"
    elif verb in {"says", "ends", "denies", "forgets", "past"} and draw(st.booleans()):
        line += f" until {_date(draw(Days))}"
    if verb == "corrects" or (verb in {"says", "plans"} and draw(st.integers(0, 5)) == 0):
        line += f" instead of {other}"
    return line


@st.composite
def stories(draw: st.DrawFn) -> list[str]:
    """Acts in any order, or (half of them) in that of their days, as they come in life."""
    told = draw(st.lists(acts(draw(st.sampled_from(MEETING))), min_size=2, max_size=9))
    return sorted(told) if draw(st.booleans()) else told


def _stored(rows: Iterable[Row]) -> list[tuple[object, ...]]:
    return [
        (r.id, r.tense, r.valid_from, r.invalid_at, r.closed_reason, r.invalidated_by) for r in rows
    ]


def _replayed(facts: Iterable[Told]) -> list[tuple[object, ...]]:
    return [(f.id, f.tense, f.start, f.end, f.why, f.by) for f in facts]


def agrees(ledger: Ledger) -> None:
    """Every row, and what reads show on a grid of both clocks."""
    log, rows = Log(ledger.acts), list(ledger.rows.values())
    assert sorted(_replayed(log.facts()), key=str) == sorted(_stored(rows), key=str)
    learned: list[datetime | None] = [None, *map(moment, log.acts)]
    for known_at in learned:
        facts = log.facts(known_at)
        for at in (START + timedelta(days=step) for step in range(0, 130, 13)):
            for as_of in (True, False):
                found = _stored(shown(rows, at, known_at, as_of=as_of))
                assert found == _replayed(read(facts, at, as_of=as_of)), (at, known_at, as_of)


@settings(max_examples=1000, deadline=None)
@given(stories())
def test_every_read_equals_the_replay_of_the_log(told: list[str]) -> None:
    agrees(tell_all("\n".join(told)))
