"""What reads show on both clocks."""

from datetime import UTC, datetime, timedelta

from facts.reconciliation import Row, shown
from tests.reconciliation.ledger import Ledger, day, tell_all


def _listed(ledger: Ledger, at: str, known_at: str | None = None) -> list[str]:
    known = day(known_at) if known_at else None
    rows = shown(list(ledger.rows.values()), day(at), known)
    return [
        f"{row.predicate} {row.object}{'' if row.invalid_at is None else ' ends'}" for row in rows
    ]


MOVE = """
2026-01-05 says lives_in Rome
2026-10-01 says lives_in Milan from 2026-09-10
"""


def test_a_date_and_what_was_known_are_two_questions() -> None:
    ledger = tell_all(MOVE)
    rows = list(ledger.rows.values())
    at, before = day("2026-09-20"), day("2026-09-20")
    assert [row.object for row in shown(rows, at, as_of=True)] == ["Milan"]
    (known,) = shown(rows, before, before)
    assert (known.object, known.invalid_at, known.invalidated_by) == ("Rome", None, None)
    assert [row.object for row in shown(rows, at, before, as_of=True)] == ["Rome"]


def test_an_interval_is_half_open() -> None:
    ledger = tell_all("2026-01-01 says lives_in Oslo from 2021 until 2022")
    edge = timedelta(microseconds=1)
    assert ledger.values(day("2021") - edge) == []
    assert ledger.values("2021") == ["Oslo"]
    assert ledger.values(day("2022") - edge) == ["Oslo"]
    assert ledger.values("2022") == []


def test_of_a_slot_the_fact_that_started_last_is_shown() -> None:
    ledger = tell_all(
        """
        2026-02-01 says lives_in Rome from 2020
        2026-03-01 says lives_in Oslo from 2021 until 2022
        """
    )
    assert [ledger.values(year) for year in ("2020", "2021-06", "2023")] == [
        ["Rome"],
        ["Oslo"],
        ["Rome"],
    ]
    assert _listed(ledger, "2026-04") == ["lives_in Rome"]


def test_values_that_add_up_are_all_shown() -> None:
    ledger = tell_all(
        """
        2026-01-01 says likes tea
        2026-01-02 says likes coffee
        2026-01-03 says dislikes tea
        """
    )
    assert _listed(ledger, "2026-02") == ["dislikes tea", "likes coffee"]


def test_a_plan_is_listed_before_it_begins_but_holds_only_then() -> None:
    ledger = tell_all(
        """
        2026-01-10 says lives_in Lyon
        2026-05-25 plans lives_in Nantes from 2026-09
        """
    )
    assert _listed(ledger, "2026-06") == ["lives_in Nantes", "lives_in Lyon"]
    assert ledger.values("2026-06") == ["Lyon"]
    assert ledger.values("2026-10") == ["Lyon", "Nantes"]


def test_a_plan_that_was_replaced_cancelled_or_came_true_is_not_listed() -> None:
    ledger = tell_all(
        """
        2026-03-01 plans lives_in Asheville from 2026-06
        2026-04-01 plans lives_in Savannah from 2026-07
        2026-04-01 plans travels_to Iceland from 2026-07
        2026-05-01 ends travels_to Iceland
        2026-08-01 says lives_in Savannah
        """
    )
    assert _listed(ledger, "2026-05") == ["lives_in Savannah ends"]
    assert _listed(ledger, "2026-09") == ["lives_in Savannah"]
    assert _listed(ledger, "2026-03-15", "2026-03-15") == ["lives_in Asheville"]


def test_an_end_to_come_leaves_the_fact_current_until_then() -> None:
    ledger = tell_all("2026-05-10 says lives_in Lisbon until 2026-06-30")
    assert _listed(ledger, "2026-06-29") == ["lives_in Lisbon ends"]
    assert _listed(ledger, "2026-06-30") == []


def test_a_stated_end_is_known_from_the_start() -> None:
    ledger = tell_all("2026-05-10 says lives_in Lisbon until 2026-06-30")
    assert _listed(ledger, "2026-07", "2026-05-11") == []
    assert _listed(ledger, "2026-06", "2026-05-09") == []


def test_an_empty_interval_is_never_shown() -> None:
    ledger = tell_all("2026-07-08 past works_at Acme")
    assert ledger.values("2026-07-08") == []


def test_at_one_instant_the_row_stored_last_is_shown() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    ledger = tell_all("2026-01-01 says lives_in Rome\n2026-01-02 says likes tea")
    first = ledger.find("Rome")
    second = Row(**{name: getattr(first, name) for name in Row.__slots__})
    second.id, second.object, second.created_at = ledger.find("tea").id, "Oslo", ledger.now
    assert [row.object for row in shown([first, second], start, as_of=True)] == ["Oslo"]
    assert [row.object for row in shown([second, first], start, as_of=True)] == ["Oslo"]
