"""One fact by its id."""

from __future__ import annotations

import uuid

from facts.models import Fact
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel import errors
from korely.kernel.caller import Caller


def find_fact(*, caller: Caller, fact_id: uuid.UUID) -> Fact:
    """A fact, ended or not. 404 alike for unknown, foreign and out of the key's reach."""
    fact = Fact.objects.filter(id=fact_id).first()
    if fact is None or not caller.reaches(fact.user_id):
        raise errors.not_found("fact")
    found: Fact = fact
    return found


def view_fact(*, caller: Caller, fact_id: uuid.UUID) -> FactView:
    """A fact as it stands now, whatever the clocks say. It must exist."""
    statement = f"""
        SELECT {columns(Reading())} FROM facts_fact f
        WHERE f.project_id = %(project)s AND f.id = %(fact)s
    """
    (row,) = fetch(statement, {"project": caller.project_id, "fact": fact_id})
    return from_row(row)
