"""Likeness of a new fact to stored ones, by the vectors that are stored beside them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import lru_cache

from django.db import connection

from facts.reconciliation import NEAR, Row, SameMeaning, Statement, compare_words
from facts.services.store import Meaning
from korely.embedding import as_halfvec

# A longer subject outweighs the object in a vector: whatever is said of it is near.
LONGEST_SUBJECT = 64


def likeness(
    *, statement: Statement, rows: Sequence[Row], subject: str, vector: Meaning
) -> SameMeaning:
    """Whether the statement's object and a stored one are as near as restatements are.

    Asks the database once at most, and only when the words of some pair leave it open. `vector` is
    the new fact's, `subject` its words; vectors of another model are never compared. Without the
    vector of a stored fact nothing is near it.
    """

    @lru_cache(maxsize=1)
    def near() -> frozenset[str]:
        values: dict[uuid.UUID, str] = {
            row.id: row.object
            for row in rows
            if row.predicate == statement.predicate
            and compare_words(statement.object, row.object) == "open"
        }
        return frozenset(values[found] for found in _near(list(values), vector))

    def same_meaning(new: str, stored: str) -> bool:
        fits = new == statement.object and len(subject) <= LONGEST_SUBJECT
        return fits and stored in near()

    return same_meaning


def _near(ids: list[uuid.UUID], vector: Meaning) -> list[uuid.UUID]:
    model, values = vector
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM facts_factvector WHERE id = ANY(%s) AND model = %s"
            " AND 1 - (vector <=> %s::halfvec) >= %s",
            [ids, model, as_halfvec(values), NEAR],
        )
        return [row[0] for row in cursor.fetchall()]
