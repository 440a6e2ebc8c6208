"""How close a text is to a question, as one number from 0 to 1. Pure.

Two measures meet: the cosine of the meanings, and the share of the question's words that the text
has, each word weighed by how rare it is. A logistic curve over their weighted sum makes them one
number whose middle is where "about the question" begins.
"""

from __future__ import annotations

from math import exp, log

# The curve: 0.5 where COSINE × cosine + WORDS × coverage = MIDDLE. A word counts 1.2 times what a
# cosine does: of LoCoMo's answerable questions (five conversations, 760 of them) recall@10 is .667
# by that sum, .664 by the sum of z-scores that context uses, .624 by BM25, .496 by cosine. The
# middle lies between turns that answer a question and turns taken at random, of which three
# quarters are below 0.5; the slope is gentle enough that what is close does not all become 1.
COSINE, WORDS, MIDDLE = 5.0, 6.0, 2.1

# The most that anything reaches by itself, so that what has priority is before what has none.
TOP = 0.96

PRIORITY = 1.3  # times the relativity of what was said in the conversation that asks; contract, 5
DECIMALS = 3

# Texts that a store is taken to hold beside its own, so that words weigh about the same in a small
# one, where each text is a large share of all.
PRIOR = 1_000


def relativity(*, cosine: float, coverage: float) -> float:
    """From 0 to `TOP`, unrounded."""
    return TOP / (1 + exp(MIDDLE - COSINE * cosine - WORDS * coverage))


def shown(value: float) -> float:
    return round(min(1.0, max(0.0, value)), DECIMALS)


def sql(cosine: str, coverage: str) -> str:
    """`relativity` as an expression of SQL over two columns."""
    return f"({TOP} / (1 + exp({MIDDLE} - {COSINE} * {cosine} - {WORDS} * {coverage})))"


def rarity(*, texts: float, having: int) -> float:
    """What a word weighs that `having` of so many texts have: next to nothing where all do."""
    common = having / (texts + 1)
    return log(1 + (texts + PRIOR - having + 0.5) / (having + 0.5)) * (1 - common * common)


RARITY_SQL = (
    f"ln(1 + (n + {PRIOR} - count(*) + .5) / (count(*) + .5)) * (1 - (count(*) / (n + 1)) ^ 2)"
)
UNSEEN_SQL = f"ln(1 + (n + {PRIOR} + .5) / .5)"
