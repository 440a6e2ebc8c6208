"""When one fact ends another: the decision core, plain Python over rows in memory.

The service loads the rows of one (project, end user, agent) and subject, asks `reconcile`,
`correct`, `forget` or `withdraw`, and stores the outcome in one transaction. `shown` says which
rows a read shows; the selectors' SQL must agree with it.
"""

from facts.reconciliation.corrections import NotCurrent, correct, successor
from facts.reconciliation.decision import reconcile
from facts.reconciliation.ends import AlreadyEnded, BeforeStart, forget, settle, withdraw
from facts.reconciliation.forms import object_key, same_object, text_key
from facts.reconciliation.joining import Joined, join
from facts.reconciliation.meaning import NEAR, SameMeaning
from facts.reconciliation.paraphrase import compare_words
from facts.reconciliation.reads import is_listed, known_rows, shown
from facts.reconciliation.related import related
from facts.reconciliation.rows import Close, Move, Outcome, Reason, Row, Statement, Tense
from facts.reconciliation.scene import said_again, slot_of
from facts.reconciliation.slots import slot

__all__ = [
    "NEAR",
    "AlreadyEnded",
    "BeforeStart",
    "Close",
    "Joined",
    "Move",
    "NotCurrent",
    "Outcome",
    "Reason",
    "Row",
    "SameMeaning",
    "Statement",
    "Tense",
    "compare_words",
    "correct",
    "forget",
    "is_listed",
    "join",
    "known_rows",
    "object_key",
    "reconcile",
    "related",
    "said_again",
    "same_object",
    "settle",
    "shown",
    "slot",
    "slot_of",
    "successor",
    "text_key",
    "withdraw",
]
