"""When two objects of one subject and predicate are one value, and when one restates the other."""

from collections.abc import Callable

from facts.reconciliation.forms import same_object
from facts.reconciliation.paraphrase import compare_words

# How near by cosine two facts are of which one restates the other, where the words leave it open.
# The nearest pair of different meaning had 0.88 where this was chosen (docs/quality.md,
# "Restatements by meaning"; `python -m benchmarks.restatements` measures it again).
NEAR = 0.92

# Whether the facts of a new and of a stored object are as near by embedding as restatements are.
SameMeaning = Callable[[str, str], bool]


def is_one_value(new: str, stored: str) -> bool:
    """The same value after normalisation, or the initials of a name ("NYC")."""
    return same_object(new, stored) or _abbreviates(new, stored) or _abbreviates(stored, new)


def restates(new: str, stored: str, same_meaning: SameMeaning) -> bool:
    """Whether `new` says in other words what `stored` says.

    `same_meaning` is asked only where the words leave it open.
    """
    verdict = compare_words(new, stored)
    return verdict == "same" or (verdict == "open" and same_meaning(new, stored))


def _abbreviates(short: str, name: str) -> bool:
    """Whether `short` is the initials of a name of three words or more ("NYC")."""
    if len(short) < 3 or not short.isupper() or not short.isalpha():
        return False
    return short == "".join(word[0] for word in name.split() if word[0].isupper())
