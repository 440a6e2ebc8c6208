"""PATCH of a fact, forgetting, erased sources, joined slots."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from facts.reconciliation import (
    AlreadyEnded,
    BeforeStart,
    Close,
    NotCurrent,
    Outcome,
    correct,
    forget,
    settle,
    successor,
    withdraw,
)
from tests.reconciliation.ledger import Ledger, day, tell_all


def _correct(ledger: Ledger, old: str, line: str) -> Outcome | NotCurrent:
    statement = ledger.parse(line)
    rows = list(ledger.rows.values())
    outcome = correct(ledger.find(old), statement, rows)
    if isinstance(outcome, Outcome):
        ledger.store(outcome)
    return outcome


def test_a_correction_closes_the_old_row_and_begins_now() -> None:
    ledger = tell_all("2026-01-01 posts works_at Siemens from 2020")
    outcome = _correct(ledger, "Siemens", "2026-02-01 posts works_at Bosch")
    assert isinstance(outcome, Outcome)
    assert outcome.invalidated == [ledger.find("Siemens").id]
    assert ledger.lines() == [
        "works_at Siemens 2020-01-01 .. 2026-02-01 corrected by Bosch",
        "works_at Bosch 2026-02-01 ..",
    ]


def test_a_correction_that_changes_nothing_confirms() -> None:
    ledger = tell_all("2026-01-01 posts works_at Siemens from 2020")
    outcome = _correct(ledger, "Siemens", "2026-02-01 posts works_at Siemens")
    assert isinstance(outcome, Outcome)
    assert (outcome.confirm, outcome.invalidated) == (ledger.find("Siemens").id, [])
    assert ledger.lines() == ["works_at Siemens 2020-01-01 .. x2"]


def test_a_correction_of_the_spelling_alone_writes_the_new_spelling() -> None:
    ledger = tell_all("2026-01-01 posts works_at siemens")
    _correct(ledger, "siemens", "2026-02-01 posts works_at Siemens")
    assert ledger.lines() == [
        "works_at siemens 2026-01-01 .. 2026-02-01 corrected by Siemens",
        "works_at Siemens 2026-02-01 ..",
    ]


def test_a_correction_of_the_predicate_also_ends_what_it_meets_there() -> None:
    ledger = tell_all(
        """
        2026-01-01 posts works_at Rome
        2026-01-02 posts lives_in Oslo
        """
    )
    outcome = _correct(ledger, "Rome", "2026-02-01 posts lives_in Rome")
    assert isinstance(outcome, Outcome)
    assert [ledger.rows[found].predicate for found in outcome.invalidated] == [
        "works_at",
        "lives_in",
    ]
    assert ledger.lines() == [
        "works_at Rome 2026-01-01 .. 2026-02-01 corrected by Rome",
        "lives_in Oslo 2026-01-02 .. 2026-02-01 superseded by Rome",
        "lives_in Rome 2026-02-01 ..",
    ]


def test_a_correction_into_what_is_known_confirms_that_row() -> None:
    ledger = tell_all("2026-01-01 posts likes tea\n2026-01-02 posts likes coffee")
    outcome = _correct(ledger, "coffee", "2026-02-01 posts likes tea")
    assert isinstance(outcome, Outcome)
    assert outcome.insert is None
    assert ledger.lines() == [
        "likes tea 2026-01-01 .. x2",
        "likes coffee 2026-01-02 .. 2026-02-01 corrected by tea",
    ]


def test_a_correction_keeps_an_end_still_to_come() -> None:
    ledger = tell_all("2026-05-10 says lives_in Lisbon until 2026-06-30")
    _correct(ledger, "Lisbon", "2026-05-20 posts lives_in Porto")
    assert ledger.lines() == [
        "lives_in Lisbon 2026-05-10 .. 2026-05-20 corrected by Porto",
        "lives_in Porto 2026-05-20 .. 2026-06-30 stated",
    ]


def test_a_correction_keeps_the_end_that_a_later_fact_causes() -> None:
    ledger = tell_all(
        """
        2026-01-01 posts price 10 from 2025
        2026-06-01 posts price 20 from 2026-07-01
        """
    )
    _correct(ledger, "10", "2026-06-10 posts price 12")
    assert ledger.lines() == [
        "price 10 2025-01-01 .. 2026-06-10 corrected by 12",
        "price 12 2026-06-10 .. 2026-07-01 history by 20",
        "price 20 2026-07-01 ..",
    ]


def test_a_correction_of_what_is_still_to_begin_keeps_its_start() -> None:
    ledger = tell_all("2026-06-01 posts price 20 from 2026-07-01")
    _correct(ledger, "20", "2026-06-10 posts price 25")
    assert ledger.lines() == [
        "price 20 2026-07-01 .. 2026-07-01 corrected by 25",
        "price 25 2026-07-01 ..",
    ]


def test_a_corrected_plan_stays_a_plan() -> None:
    ledger = tell_all(
        """
        2026-01-01 posts lives_in Lyon
        2026-05-25 posts-plan lives_in Nantes from 2026-09
        """
    )
    _correct(ledger, "Nantes", "2026-06-01 posts lives_in Brest")
    assert ledger.lines() == [
        "lives_in Lyon 2026-01-01 ..",
        "plan lives_in Nantes 2026-09-01 .. 2026-09-01 corrected by Brest",
        "plan lives_in Brest 2026-09-01 ..",
    ]


def test_history_cannot_be_corrected_and_names_what_holds_now() -> None:
    ledger = tell_all(
        """
        2026-01-01 posts lives_in Rome
        2026-02-01 posts lives_in Oslo
        2026-03-01 posts lives_in Bonn
        """
    )
    rome = ledger.find("Rome")
    before = ledger.lines()
    assert _correct(ledger, "Rome", "2026-04-01 posts lives_in Kyiv") == NotCurrent(rome.id)
    assert ledger.lines() == before
    assert successor(rome, ledger.rows.get, ledger.now) == ledger.find("Bonn").id


def test_nothing_holds_in_place_of_a_forgotten_fact() -> None:
    ledger = tell_all("2026-01-01 posts lives_in Rome\n2026-02-01 posts lives_in Oslo")
    gone = forget(ledger.find("Oslo"), None, ledger.now + timedelta(days=1))
    assert isinstance(gone, Close)
    ledger.close(gone)
    assert successor(ledger.find("Rome"), ledger.rows.get, day("2026-03")) is None
    assert successor(ledger.find("Oslo"), ledger.rows.get, day("2026-03")) is None


def test_a_circle_of_pointers_has_no_end_that_holds() -> None:
    ledger = tell_all("2026-01-01 posts lives_in Rome\n2026-02-01 posts lives_in Oslo")
    rome, oslo = ledger.find("Rome"), ledger.find("Oslo")
    ledger.close(Close(oslo.id, day("2026-02-02"), rome.id, "superseded", ledger.now))
    assert successor(rome, ledger.rows.get, day("2026-03")) is None
    lost = replace(rome, invalidated_by=UUID(int=99))
    assert successor(lost, ledger.rows.get, oslo.valid_from) is None


def test_forgetting_ends_a_fact_at_the_date_or_now() -> None:
    row = tell_all("2026-01-01 posts lives_in Rome from 2020").find("Rome")
    now = day("2026-02")
    assert forget(row, None, now) == Close(row.id, now, None, "forgotten", now)
    assert forget(row, day("2023"), now) == Close(row.id, day("2023"), None, "forgotten", now)
    assert forget(row, day("2027"), now) == Close(row.id, day("2027"), None, "forgotten", now)


def test_a_fact_cannot_stop_before_it_began() -> None:
    row = tell_all("2026-01-01 posts lives_in Rome from 2020").find("Rome")
    for at in ("2020", "2019"):
        assert forget(row, day(at), day("2026-02")) == BeforeStart(day("2020"))


def test_what_is_still_to_begin_is_forgotten_at_its_start() -> None:
    row = tell_all("2026-01-01 posts price 20 from 2026-07").find("20")
    now = day("2026-02")
    assert forget(row, None, now) == Close(row.id, day("2026-07"), None, "forgotten", now)


def test_forgetting_twice_leaves_the_first_end() -> None:
    ledger = tell_all("2026-01-01 posts lives_in Rome from 2020")
    first = forget(ledger.find("Rome"), day("2023"), day("2026-02"))
    assert isinstance(first, Close)
    ledger.close(first)
    assert forget(ledger.find("Rome"), day("2022"), day("2026-03")) == AlreadyEnded(day("2023"))
    assert forget(ledger.find("Rome"), day("2019"), day("2026-03")) == AlreadyEnded(day("2023"))


def test_an_end_to_come_may_be_moved() -> None:
    row = tell_all("2026-05-10 says lives_in Lisbon until 2026-06-30").find("Lisbon")
    now = day("2026-05-20")
    for at in ("2026-06-01", "2026-08-01"):
        assert forget(row, day(at), now) == Close(row.id, day(at), None, "forgotten", now)


def test_a_fact_without_sources_ends_now_and_only_once() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome from 2020\n2026-01-01 says price 9 from 2027")
    now = day("2026-02")
    rome, price = ledger.find("Rome"), ledger.find("9")
    gone = withdraw(rome, now)
    assert gone == Close(rome.id, now, None, "erased_source", now)
    assert withdraw(price, now) == Close(price.id, day("2027"), None, "erased_source", now)
    ledger.close(gone)
    assert withdraw(ledger.find("Rome"), day("2026-03")) is None


def test_a_plan_without_sources_ends_now_before_its_start() -> None:
    row = tell_all("2026-01-01 plans lives_in Oslo from 2027").find("Oslo")
    now = day("2026-02")
    assert withdraw(row, now) == Close(row.id, now, None, "erased_source", now)


def test_an_erased_source_does_not_close_the_fact_when_it_is_told_again() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome from 2020")
    gone = withdraw(ledger.find("Rome"), day("2026-02"))
    assert gone is not None
    ledger.close(gone)
    ledger.tell("2026-03-01 says lives_in Rome from 2020")
    assert ledger.lines()[-1] == "lives_in Rome 2020-01-01 .."


def test_a_forgotten_fact_told_again_with_an_earlier_date_keeps_its_end() -> None:
    ledger = tell_all("2026-01-01 says likes tea")
    ledger.now = day("2026-02")
    gone = forget(ledger.find("tea"), None, ledger.now)
    assert isinstance(gone, Close)
    ledger.close(gone)
    ledger.tell("2026-01-15 says likes tea")
    ledger.tell("2026-03-01 says likes tea")
    assert ledger.lines() == [
        "likes tea 2026-01-01 .. 2026-02-01 forgotten",
        "likes tea 2026-01-15 .. 2026-02-01 closed",
        "likes tea 2026-03-01 ..",
    ]


def test_joined_slots_keep_the_later_fact_open() -> None:
    ledger = tell_all("2026-01-01 says lives_in Rome from 2020\n2026-01-02 says likes tea")
    ledger.tell("2026-01-03 says lives_in Oslo from 2022", "mira")
    ledger.tell("2026-01-04 says likes tea", "mira")
    for row in ledger.rows.values():
        row.subject_key = "dana"
    for close in settle(ledger.rows.values(), day("2026-02")):
        ledger.close(close)
    assert "lives_in Rome 2020-01-01 .. 2022-01-01 superseded by Oslo" in ledger.lines()
    assert ledger.values("2026-02") == ["Oslo", "tea"]


def test_settling_leaves_a_settled_slot_alone() -> None:
    ledger = tell_all(
        """
        2026-01-01 says lives_in Rome
        2026-02-01 says lives_in Oslo from 2021 until 2022
        2026-03-01 says lives_in Bonn
        2026-03-02 plans lives_in Kyiv from 2027
        """
    )
    assert settle(ledger.rows.values(), ledger.now) == []
