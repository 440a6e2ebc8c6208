"""The predicates of a project: what its facts are read with."""

from __future__ import annotations

from facts.vocabulary import Predicate, Vocabulary, extended
from korely.kernel import prepared
from korely.kernel.tenancy import current_project

_ENTRIES = """
    SELECT name, family, single, opposite, synonyms FROM facts_projectpredicate
    WHERE project_id = %s ORDER BY name
"""


def list_predicates() -> list[Predicate]:
    """What the active scope's project adds to the built-in table, in order of the names."""
    rows = prepared.run(_ENTRIES, [current_project()])
    return [
        Predicate(name, family, single, opposite, tuple(synonyms))
        for name, family, single, opposite, synonyms in rows
    ]


def read_vocabulary() -> Vocabulary:
    """The vocabulary of the active scope's project.

    It stays as it is to the end of a transaction that holds an end user's facts (`facts.lock`).
    """
    return extended(list_predicates())
