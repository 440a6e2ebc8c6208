"""How close a text is to a question, as one number from 0 to 1. Pure.

Two measures meet: the cosine of the meanings, and the share of the question's words that the text
has, each word weighed by how rare it is. A logistic curve over their weighted sum makes them one
number, and each kind of text has a curve of its own, so that 0.45 is where "about the question"
begins whatever the kind: a fact of three words is never as close to a question as a sentence is,
and the less so the longer the end user's name in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

# The most that anything reaches by itself, so that what has priority is before what has none.
TOP = 0.96

PRIORITY = 1.3  # times the relativity of what was said in the conversation that asks; contract, 5
DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Curve:
    """Half of `TOP` where `cosine` × cosine + `words` × coverage = `middle`; rises with both."""

    cosine: float
    words: float
    middle: float

    def weight(self, cosine: float, coverage: float) -> float:
        return self.cosine * cosine + self.words * coverage

    def of(self, *, cosine: float, coverage: float) -> float:
        """Relativity from 0 to `TOP`, unrounded."""
        return TOP / (1 + exp(self.middle - self.weight(cosine, coverage)))

    def sql(self, cosine: str, coverage: str) -> str:
        """`of` as an expression of SQL over two columns."""
        return (
            f"({TOP} / (1 + exp({self.middle} - {self.cosine} * {cosine}"
            f" - {self.words} * {coverage})))"
        )


# Of a memory a word counts 1.2 times what a cosine does: of the evidence of LoCoMo's answerable
# questions the first ten hold .660 by that sum and by the sum of z-scores that context uses, .615
# by BM25, .465 by cosine (`python -m benchmarks --locomo`). At 0.45, of all turns (with BM25's b
# at .4) 88 % of those that answer a question pass, and 27 % of the others. A middle of 2.5 would
# tell these apart best (79 and 14 %), one of 1.1 the labelled set, whose texts are of more
# subjects than one store has.
MEMORY = Curve(5.0, 6.0, 2.1)
# What says little has few words to share, and they say less than its meaning. The weight of words
# and the middles are those that tell the first part of the labelled set apart best at 0.45
# (`python -m benchmarks.relevance --fit`; what they do on the second part: docs/quality.md).
FACT = Curve(5.0, 2.0, 1.3)
PREFERENCE = Curve(5.0, 2.0, 1.2)
TOOL = Curve(5.0, 2.0, 1.8)


def middle_over(floor: float) -> float:
    """How far a curve's middle is above the sum whose relativity is `floor`."""
    return log(TOP / floor - 1)


def shown(value: float) -> float:
    return round(min(1.0, max(0.0, value)), DECIMALS)


# Texts that a store is taken to hold beside its own, so that words weigh about the same in a small
# one, where each text is a large share of all.
PRIOR = 1_000


def rarity(*, texts: float, having: int) -> float:
    """What a word weighs that `having` of so many texts have: next to nothing where all do."""
    common = having / (texts + 1)
    return log(1 + (texts + PRIOR - having + 0.5) / (having + 0.5)) * (1 - common * common)


RARITY_SQL = (
    f"ln(1 + (n + {PRIOR} - count(*) + .5) / (count(*) + .5)) * (1 - (count(*) / (n + 1)) ^ 2)"
)
UNSEEN_SQL = f"ln(1 + (n + {PRIOR} + .5) / .5)"
