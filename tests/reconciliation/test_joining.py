"""Rows of a subject that turns out to be another one."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from facts.reconciliation import Joined, join, shown, slot_of, text_key
from tests.reconciliation.ledger import Ledger, day
from tests.reconciliation.test_properties import PROBES, lines

NAME = "mia"


def told(text: str) -> Ledger:
    """A ledger of two subjects; lines that begin with `mia` are about the name."""
    ledger = Ledger()
    for line in text.strip().splitlines():
        words = line.strip()
        about = NAME if words.startswith(NAME) else None
        ledger.tell(words.removeprefix(f"{NAME} "), about)
    return ledger


def join_all(ledger: Ledger) -> list[Joined]:
    """Join the name's rows to the ledger's subject, in the order stored, as a service would."""
    moved = [row for row in ledger.rows.values() if row.subject_key == NAME]
    rows = {key: row for key, row in ledger.rows.items() if row.subject_key != NAME}
    ledger.rows = rows
    found = []
    for row in sorted(moved, key=lambda one: (one.created_at, one.id)):
        mine = replace(row, subject_key=text_key(ledger.subject))
        joined = join(mine, list(rows.values()), ledger.now, object_is_literal=False)
        rows[row.id] = replace(mine, object_key=joined.object_key)
        for close in joined.closes:
            ledger.close(close)
        found.append(joined)
    ledger.check()
    return found


def joined(text: str) -> list[str]:
    ledger = told(text)
    join_all(ledger)
    return ledger.lines()


def test_the_later_value_of_a_single_slot_wins_whoever_it_was_about() -> None:
    assert joined("2026-01-01 posts lives_in Rome\nmia 2026-05-01 posts lives_in Oslo") == [
        "lives_in Rome 2026-01-01 .. 2026-05-01 superseded by Oslo",
        "lives_in Oslo 2026-05-01 ..",
    ]
    assert joined("mia 2026-01-01 posts lives_in Rome\n2026-05-01 posts lives_in Oslo") == [
        "lives_in Rome 2026-01-01 .. 2026-05-01 history by Oslo",
        "lives_in Oslo 2026-05-01 ..",
    ]


def test_rows_that_say_the_same_become_one() -> None:
    ledger = told("2026-01-01 posts likes tea\nmia 2026-02-01 posts likes tea")
    (merged,) = join_all(ledger)
    assert merged.into == next(iter(ledger.rows))
    assert ledger.lines() == [
        "likes tea 2026-01-01 ..",
        "likes tea 2026-02-01 .. 2026-02-01 superseded by tea",
    ]
    assert joined("mia 2026-01-01 posts likes tea\n2026-02-01 posts likes tea") == [
        "likes tea 2026-01-01 .. 2026-02-01 superseded by tea",
        "likes tea 2026-02-01 ..",
    ]


def test_values_that_add_up_stay_and_opposites_end() -> None:
    assert joined(
        """
        2026-01-01 posts likes tea
        2026-01-02 posts likes olives
        mia 2026-02-01 posts likes rum
        mia 2026-02-02 posts dislikes olive
        """
    ) == [
        "likes tea 2026-01-01 ..",
        "likes olives 2026-01-02 .. 2026-02-02 superseded by olive",
        "likes rum 2026-02-01 ..",
        "dislikes olive 2026-02-02 ..",
    ]


def test_a_plan_of_the_name_meets_what_came_true() -> None:
    assert joined(
        """
        mia 2026-01-01 plans travels_to Japan from 2026-04
        2026-04-10 says visited Japan
        """
    ) == [
        "plan travels_to Japan 2026-04-01 .. 2026-04-10 fulfilled by Japan",
        "visited Japan 2026-04-10 ..",
    ]


def test_a_plan_told_of_both_stays_once() -> None:
    assert joined("2026-01-01 plans visited Japan\nmia 2026-02-01 plans visited Japan") == [
        "plan visited Japan 2026-01-01 ..",
        "plan visited Japan 2026-02-01 .. 2026-02-01 superseded by Japan",
    ]


def test_what_has_an_end_keeps_it_and_ends_nothing() -> None:
    assert joined(
        """
        2026-01-01 says lives_in Rome from 2020
        mia 2026-03-01 says lives_in Oslo from 2021 until 2022
        """
    ) == [
        "lives_in Rome 2020-01-01 ..",
        "lives_in Oslo 2021-01-01 .. 2022-01-01 stated",
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.booleans(), lines()), max_size=10))
def test_any_two_histories_join_into_one_that_is_consistent(
    story: list[tuple[bool, str]],
) -> None:
    """`join_all` checks ends, pointers and open slots; reads show one value."""
    ledger = Ledger()
    for about_name, line in story:
        ledger.tell(line, NAME if about_name else None)
    said = {key: (row.object, row.valid_from, row.tense) for key, row in ledger.rows.items()}
    ended = {key: row.invalid_at for key, row in ledger.rows.items() if row.has_ended(ledger.now)}
    join_all(ledger)
    rows = list(ledger.rows.values())
    assert {row.id: (row.object, row.valid_from, row.tense) for row in rows} == said
    assert all(ledger.rows[key].invalid_at == end for key, end in ended.items())
    for at in (*PROBES[::8], day("2030")):
        slots = [slot_of(row) for row in shown(rows, at, as_of=True)]
        taken = [slot for slot in slots if slot is not None]
        assert len(taken) == len(set(taken))
