"""What an erasure takes and a move carries is every table with rows of end users."""

from __future__ import annotations

import psycopg

from korely.embedded.stack import Stack

LOG = "billing_auditevent"  # goes with its project alone


def test_every_walled_table_is_in_the_registry(stack: Stack) -> None:
    from memories.services.erase_registry import OWNED

    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        walled = connection.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND relkind IN ('r', 'p')"
            " AND NOT relispartition AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert {table for (table,) in walled} == {one.table for one in OWNED if one.key} | {LOG}


def test_a_table_goes_before_those_that_it_refers_to(stack: Stack) -> None:
    from memories.services.erase_registry import OWNED

    order = [one.table for one in OWNED]
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        references = connection.execute(
            "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint"
            " WHERE contype = 'f'"
        ).fetchall()
    held = [(one, other) for one, other in references if one in order and other in order]
    assert len(held) >= 5
    for one, other in held:
        assert order.index(one) < order.index(other), (one, other)


def test_rows_are_paged_by_what_they_are_known_by(stack: Stack) -> None:
    from memories.services.erase_registry import OWNED

    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        for owned in OWNED:
            if not owned.key:
                continue
            row = connection.execute(
                "SELECT array_agg(a.attname::text) FROM pg_index i JOIN pg_attribute a"
                " ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)"
                " WHERE i.indrelid = %s::regclass AND i.indisprimary",
                [owned.table],
            ).fetchone()
            assert row is not None
            assert set(row[0]) == {"project_id", *owned.key}, owned.table
