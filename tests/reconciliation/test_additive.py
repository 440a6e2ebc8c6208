"""A statement that adds a value ends no fact, whatever is stored."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from facts.extraction import engine
from facts.reconciliation import Statement, object_key, text_key
from facts.vocabulary import MANY, opposites
from tests.reconciliation.ledger import Ledger, tell_all
from tests.reconciliation.test_replay import stories

# Values that stories tell nothing about, so that each statement only adds.
NEW = ("Kyiv", "Porto", "Turin", "Malmö")
TASTES, TOOLS, PLACES = ("chess", "tea", "jazz"), ("Docker", "Figma", "vim"), ("Lisbon", "Oslo")
SAYINGS = [
    (saying, thing)
    for sayings, things in (
        (("I also like {}.", "I like {} too.", "I love {} as well.", "I also enjoy {}."), TASTES),
        (("I also speak {}.", "I speak {} as well."), ("German", "French")),
        (("I'm also allergic to {}.",), ("peanuts", "shellfish")),
        (("I also use {}.", "We use {} as well."), TOOLS),
        (("I also own a {}.",), ("kayak", "piano")),
        (("I'm also interested in {}.",), TASTES),
        (("I also visited {}.", "I visited {} too."), PLACES),
    )
    for saying in sayings
    for thing in things
]
WHEN = datetime(2026, 6, 10, tzinfo=UTC)


@settings(max_examples=150, deadline=None)
@given(
    stories(),
    st.lists(
        st.tuples(
            st.sampled_from(sorted(MANY)),
            st.sampled_from(NEW),
            st.integers(0, 100),
            st.none() | st.integers(0, 100),
            st.booleans(),
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_values_that_add_up_end_nothing_in_any_store(
    story: list[str], added: list[tuple[str, str, int, int | None, bool]]
) -> None:
    ledger = tell_all("\n".join(story))
    for predicate, value, said, start, direct in added:
        against = opposites(predicate)
        if any(row.predicate in against and row.object == value for row in ledger.rows.values()):
            continue  # one of an opposite pair is no addition
        if predicate == "sold" and ledger.latest("owns", value):
            continue  # nor is a sale of what is owned
        on = f"2026-01-01 {'posts' if direct else 'says'} {predicate} {value}"
        begins = "" if start is None else f" from {_date(start)}"
        line = on.replace("2026-01-01", _date(said)) + begins
        assert ledger.tell(line).closes == []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(SAYINGS), st.integers(0, 400)),
        min_size=1,
        max_size=8,
    )
)
def test_what_a_text_says_is_so_too_ends_nothing(told: list[tuple[tuple[str, str], int]]) -> None:
    ledger, reads = Ledger(), engine()
    for number, ((saying, thing), day) in enumerate(told):
        stamp = WHEN + timedelta(days=day)
        text = saying.format(thing)
        found = reads.extract(text, user_id="dana", names=(), timestamp=stamp)
        assert found, text
        for order, one in enumerate(found):
            ledger.now = max(ledger.now + timedelta(seconds=1), stamp)
            ledger.writes += 1
            statement = Statement(
                id=ledger.parse(f"2026-01-01 says x y{number}{order}").id,
                subject_key=text_key(one.subject),
                predicate=one.predicate,
                object=one.object,
                object_key=object_key(one.object),
                tense=one.tense,
                valid_from=one.valid_from,
                invalid_at=one.invalid_at,
                observed_at=one.observed_at,
                move=one.move,
                replaces=one.replaces,
                direct=False,
                now=ledger.now,
            )
            assert ledger.put(statement).closes == [], text
    assert all(row.invalid_at is None for row in ledger.rows.values())


def _date(offset: int) -> str:
    return (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=offset)).date().isoformat()
