"""When two statements mean the same: equal values, or a paraphrase that nothing speaks against."""

import re
from collections.abc import Callable

from facts.reconciliation.forms import object_key, same_object

SameMeaning = Callable[[str, str], bool]

_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"\w+")
_NEGATION = frozenset({"no", "not", "non", "never", "without", "except", "before", "after"})


def means_the_same(
    new: str, stored: str, *, literal: bool, same_meaning: SameMeaning | None
) -> bool:
    """Whether two objects of one subject and predicate are one value.

    `same_meaning(new, stored)` is asked (embedding) only where the words leave it open. Literals,
    differing numbers, a negation on one side, a value that only narrows the other ("tea", "green
    tea") and names that share a part ("Ann Lee", "Anna Lee") are different values whatever it says.
    """
    if same_object(new, stored) or _abbreviates(new, stored) or _abbreviates(stored, new):
        return True
    if literal or same_meaning is None or _differs_for_sure(new, stored):
        return False
    return same_meaning(new, stored)


def _abbreviates(short: str, name: str) -> bool:
    """Whether `short` is the initials of a name of three words or more ("NYC")."""
    if len(short) < 3 or not short.isupper() or not short.isalpha():
        return False
    return short == "".join(word[0] for word in name.split() if word[0].isupper())


def _differs_for_sure(left: str, right: str) -> bool:
    one, other = _words(left), _words(right)
    if sorted(_NUMBER.findall(left)) != sorted(_NUMBER.findall(right)):
        return True
    if (one & _NEGATION) != (other & _NEGATION):
        return True
    if not one or not other or one <= other or other <= one:
        return one != other
    return bool(one & other) and _has_name(left) and _has_name(right)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(object_key(text)))


def _has_name(text: str) -> bool:
    return any(word[0].isupper() for word in _WORD.findall(text))
