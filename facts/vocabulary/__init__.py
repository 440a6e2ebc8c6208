"""The vocabulary of predicates: names, families, slots and opposites.

The functions speak of the built-in table; a project's facts are read with its `Vocabulary`.
"""

from facts.vocabulary.canonical import MAX_LENGTH, canonical
from facts.vocabulary.checks import Fault, check, plain_synonyms
from facts.vocabulary.project import BUILT_IN, Predicate, Vocabulary, extended
from facts.vocabulary.rules import family, family_alias, is_single, opposites
from facts.vocabulary.table import (
    DATED_BY_OBJECT,
    FAMILIES,
    MANY,
    ONE_TIME,
    SINGLE,
    TABLE,
)

__all__ = [
    "BUILT_IN",
    "DATED_BY_OBJECT",
    "FAMILIES",
    "MANY",
    "MAX_LENGTH",
    "ONE_TIME",
    "SINGLE",
    "TABLE",
    "Fault",
    "Predicate",
    "Vocabulary",
    "canonical",
    "check",
    "extended",
    "family",
    "family_alias",
    "is_single",
    "opposites",
    "plain_synonyms",
]
