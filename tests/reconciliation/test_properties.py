"""What must hold for any sequence of statements."""

from datetime import timedelta
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from facts.reconciliation import Row, reconcile, shown, slot_of
from tests.reconciliation.ledger import Ledger, day

VALUES = ("Rome", "Oslo", "Bonn", "Kyiv")
START = day("2026-01-01")
PROBES = [START + timedelta(days=step) for step in range(0, 200, 5)]

Days = st.integers(0, 120)


def _date(offset: int) -> str:
    return (START + timedelta(days=offset)).date().isoformat()


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Any statement: all verbs, single, many and opposite predicates, all kinds of dates."""
    verb = draw(
        st.sampled_from("says says says ends past denies plans posts posts-past posts-plan".split())
    )
    predicate = draw(st.sampled_from("lives_in lives_in likes dislikes uses sold owns".split()))
    line = f"{_date(draw(Days))} {verb} {predicate} {draw(st.sampled_from(VALUES))}"
    if draw(st.booleans()):
        line += f" from {_date(draw(Days))}"
    if not verb.startswith("posts") and draw(st.integers(0, 3)) == 0:
        line += f" until {_date(draw(Days))}"
    if draw(st.integers(0, 4)) == 0:
        line += f" instead of {draw(st.sampled_from(VALUES))}"
    return line


@st.composite
def dated(draw: st.DrawFn) -> list[str]:
    """Texts about different values of one slot, each with a day of its own, some with an end."""
    count = draw(st.integers(2, 4))
    starts = draw(st.lists(Days, min_size=count, max_size=count, unique=True))
    told = []
    for value, start in zip(VALUES, starts, strict=False):
        if draw(st.booleans()):
            line = f"{_date(start)} says lives_in {value}"
        else:
            said = _date(start + draw(st.integers(0, 60)))
            line = f"{said} says lives_in {value} from {_date(start)}"
        if draw(st.integers(0, 3)) == 0:
            line += f" until {_date(start + draw(st.integers(1, 60)))}"
        told.append(line)
    return told


def _told(told: list[str], now: str = "1990") -> Ledger:
    ledger = Ledger(now=day(now))
    for line in told:
        ledger.tell(line)
    return ledger


@settings(max_examples=100, deadline=None)
@given(st.lists(lines(), max_size=8))
def test_a_slot_shows_one_value_at_any_instant_on_either_clock(told: list[str]) -> None:
    ledger = _told(told)
    rows = list(ledger.rows.values())
    for at in PROBES[::4]:
        for known in (None, *(row.created_at for row in rows)):
            for as_of in (True, False):
                slots = [slot_of(row) for row in shown(rows, at, known, as_of=as_of)]
                taken = [slot for slot in slots if slot is not None]
                assert len(taken) == len(set(taken))


@settings(max_examples=100, deadline=None)
@given(st.lists(lines(), max_size=8))
def test_every_closed_row_says_why(told: list[str]) -> None:
    ledger = _told(told)  # the ledger checks pointers, order of ends and open slots at each write
    for row in ledger.rows.values():
        assert (row.invalid_at is None) == (row.closed_reason is None)


@settings(max_examples=100, deadline=None)
@given(dated(), st.randoms(use_true_random=False), st.sampled_from(["1990", "2027"]))
def test_the_order_of_arrival_of_dated_statements_changes_no_answer(
    told: list[str], chance: Random, now: str
) -> None:
    expected = [_told(told, now).values(at) for at in PROBES]
    chance.shuffle(told)
    assert [_told(told, now).values(at) for at in PROBES] == expected


@settings(max_examples=100, deadline=None)
@given(st.permutations(VALUES), st.lists(Days, min_size=4, max_size=4, unique=True))
def test_the_order_of_direct_writes_changes_no_answer(values: list[str], days: list[int]) -> None:
    starts = dict(zip(VALUES, days, strict=True))
    written = [f"2027-01-01 posts lives_in {value} from {_date(starts[value])}" for value in VALUES]
    mixed = [f"2027-01-01 posts lives_in {value} from {_date(starts[value])}" for value in values]
    first, second = _told(written), _told(mixed)
    assert [first.values(at) for at in PROBES] == [second.values(at) for at in PROBES]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 200), min_size=4, max_size=8, unique=True), st.data())
def test_a_life_told_as_it_happens_is_what_reads_answer(
    days: list[int], data: st.DataObject
) -> None:
    told: list[str] = []
    periods: list[tuple[int, int, str]] = []
    cuts = [*sorted(days), 400]
    for index, (begin, later) in enumerate(pairwise(cuts)):
        value = VALUES[index % len(VALUES)]
        told.append(f"{_date(begin)} says lives_in {value}")
        end = later
        if later - begin > 1 and data.draw(st.booleans()):
            end = data.draw(st.integers(begin + 1, later - 1))
            told.append(f"{_date(end)} ends lives_in {value}")
        periods.append((begin, end, value))
    ledger = _told(told)
    for offset in range(0, 220, 2):
        truth = [value for begin, end, value in periods if begin <= offset < end]
        assert ledger.values(_date(offset)) == truth


@settings(max_examples=100, deadline=None)
@given(st.lists(lines(), max_size=6), lines())
def test_the_same_statement_of_the_same_memory_again_changes_nothing(
    told: list[str], line: str
) -> None:
    ledger = _told(told)
    statement = ledger.parse(line)
    if statement.direct:
        return
    first = ledger.put(statement)
    own = first.confirm or (first.insert.id if first.insert else None)
    ledger.parse("2026-01-01 says x y")
    again = reconcile(
        statement, list(ledger.rows.values()), stated=[own] if own is not None else []
    )
    assert again.insert is None
    assert again.closes == []
    assert again.confirm in {own, None}


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(VALUES), max_size=6), st.lists(Days, min_size=6, max_size=6))
def test_a_statement_that_adds_a_value_ends_none(values: list[str], days: list[int]) -> None:
    ledger = Ledger()
    for value, offset in zip(values, days, strict=False):
        assert ledger.tell(f"{_date(offset)} says speaks {value}").closes == []
    assert all(row.invalid_at is None for row in ledger.rows.values())
    assert {row.object for row in ledger.rows.values()} == set(values)


@settings(max_examples=100, deadline=None)
@given(st.lists(lines(), max_size=8))
def test_a_row_never_changes_what_it_said(told: list[str]) -> None:
    ledger = Ledger()
    said: dict[object, tuple[object, ...]] = {}
    for line in told:
        ledger.tell(line)
        for row in ledger.rows.values():
            assert said.setdefault(row.id, _said(row)) == _said(row)


@settings(max_examples=100, deadline=None)
@given(st.lists(lines(), max_size=8))
def test_what_was_known_then_is_what_was_answered_then(told: list[str]) -> None:
    """`known_as_of` gives the objects that the default read gave, where no end was moved since."""
    ledger = Ledger(now=day("2027"))
    answers: list[tuple[object, list[str]]] = []
    ends: set[object] = set()
    moved = False
    for line in told:
        outcome = ledger.tell(line)
        moved = moved or any(close.id in ends for close in outcome.closes)
        ends |= {row.id for row in ledger.rows.values() if row.invalid_at is not None}
        answers.append((ledger.now, ledger.values(ledger.now)))
    if not moved:
        for at, answer in answers:
            assert ledger.values(at, at) == answer  # type: ignore[arg-type]


def _said(row: Row) -> tuple[object, ...]:
    return row.predicate, row.object, row.object_key, row.tense, row.valid_from, row.created_at
