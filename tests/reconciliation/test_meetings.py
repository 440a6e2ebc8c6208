"""Who meets whom: subjects, memories that are read again, what an outcome carries."""

from dataclasses import replace

from facts.reconciliation import reconcile, related, slot_of
from tests.reconciliation.ledger import Ledger, day, tell_all


def test_other_subjects_are_never_touched() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome")
    for line in ("posts lives_in Oslo", "ends lives_in Rome", "denies lives_in Rome"):
        assert ledger.tell(f"2026-02-01 {line}", "harri").closes == []
    assert "lives_in Rome 2026-01-01 .." in ledger.lines()


def test_a_subject_is_the_same_in_any_case() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome")
    statement = replace(ledger.parse("2026-02-01 says lives_in Oslo"), subject_key="DANA ")
    assert ledger.put(statement).invalidated == [ledger.find("Rome").id]


def test_an_opposite_pair_is_one_slot_however_its_object_is_spelled() -> None:
    ledger = tell_all("2026-01-01 says likes olives\n2026-02-01 says dislikes olive")
    first, second = ledger.rows.values()
    assert slot_of(first) == slot_of(second)
    assert ledger.values("2026-03") == ["olive"]


def test_a_memory_read_again_after_others_of_the_same_instant_changes_nothing() -> None:
    ledger = Ledger()
    first = ledger.parse("2026-04-01 says works_at Siemens")
    ledger.put(first)
    ledger.tell("2026-04-01 says works_at Bosch")
    before = ledger.values("2026-05")
    again = replace(first, id=ledger.parse("2026-04-02 says x y").id, now=ledger.now)
    outcome = reconcile(again, list(ledger.rows.values()), stated=[first.id])
    assert (outcome.confirm, outcome.insert, outcome.closes) == (first.id, None, [])
    assert before == ["Bosch"]


def test_a_plan_read_again_after_it_was_replaced_stays_replaced() -> None:
    ledger = Ledger()
    first = ledger.parse("2026-03-01 plans lives_in Asheville from 2026-06")
    ledger.put(first)
    ledger.tell("2026-04-01 plans lives_in Savannah")
    again = replace(first, id=ledger.parse("2026-04-02 says x y").id, now=ledger.now)
    outcome = reconcile(again, list(ledger.rows.values()), stated=[first.id])
    assert (outcome.confirm, outcome.insert, outcome.closes) == (first.id, None, [])


def test_a_new_row_carries_its_end_from_the_start() -> None:
    ledger = tell_all("2026-05-01 says lives_in Milan")
    row = ledger.tell("2026-05-02 says lives_in Turin from 2025").insert
    assert row is not None
    assert (row.invalid_at, row.closed_known_at) == (day("2026-05-01"), row.created_at)
    assert row.invalidated_by == ledger.find("Milan").id


def test_a_closing_is_known_from_the_write_that_caused_it() -> None:
    ledger = tell_all("2026-01-05 says lives_in Rome")
    (close,) = ledger.tell("2026-09-14 says lives_in Milan from 2026-09-07").closes
    assert (close.at, close.known_at) == (day("2026-09-07"), ledger.now)


def test_the_rows_given_are_not_changed() -> None:
    ledger = tell_all("2026-01-05 says lives_in Rome")
    rows = [replace(row) for row in ledger.rows.values()]
    reconcile(ledger.parse("2026-09-14 says lives_in Milan"), rows)
    assert rows == list(ledger.rows.values())


def test_a_memory_read_again_confirms_its_row_that_began_earlier_and_has_ended() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome")
    rome = ledger.find("Rome")
    ledger.tell("2026-03-01 says lives_in Rome")
    ledger.tell("2026-05-01 says lives_in Oslo")
    again = ledger.parse("2026-03-01 says lives_in Rome")
    outcome = reconcile(again, list(ledger.rows.values()), stated=[rome.id])
    assert (outcome.confirm, outcome.insert, outcome.closes) == (rome.id, None, [])


def test_a_plan_called_off_twice_writes_no_row() -> None:
    ledger = tell_all(
        """
        2026-02-10 plans travels_to Iceland from 2026-07
        2026-05-10 ends travels_to Iceland
        2026-05-12 ends travels_to Iceland
        """
    )
    assert ledger.lines() == ["plan travels_to Iceland 2026-07-01 .. 2026-05-10 cancelled"]


def test_rows_of_related_predicates_are_asked_for() -> None:
    assert related("lives_in") == {"lives_in"}
    assert related("likes") == {"likes", "dislikes"}
    assert related("sold") == related("owns") == {"sold", "owns"}
    assert related("visited") == related("travels_to") == {"visited", "travels_to"}
