"""What the built-in table says of a canonical predicate."""

from facts.vocabulary.table import (
    FAMILIES,
    FAMILY_ALIASES,
    FAMILY_OF,
    OPPOSITES,
    PROPERTY_NOUNS,
    SINGLE,
)


def family(predicate: str) -> str:
    """The family of a canonical predicate: one of `FAMILIES`, `other` for an open verb."""
    if predicate in FAMILY_OF:
        return FAMILY_OF[predicate]
    if predicate.startswith(("favorite_", "prefers_")):
        return "preferences"
    if predicate.startswith("has_"):
        noun = predicate.removeprefix("has_")
        return "other" if noun.rpartition("_")[2] in PROPERTY_NOUNS else "people"
    return "other"


def family_alias(name: str) -> str | None:
    """The family that a query's `predicate_family` means; None when there is no such family."""
    wanted = name.strip().casefold()
    wanted = FAMILY_ALIASES.get(wanted, wanted)
    return wanted if wanted in FAMILIES else None


def is_single(predicate: str) -> bool:
    """Whether a subject has one value of this canonical predicate at a time."""
    return predicate in SINGLE or predicate.startswith(("favorite_", "prefers_"))


def opposites(predicate: str) -> frozenset[str]:
    """The predicates that the same object ends: `likes` and `dislikes` end each other."""
    return OPPOSITES.get(predicate, frozenset())
