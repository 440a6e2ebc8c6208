"""A second, naive reading of the facts contract; nothing of it is shared with the product.

A `Log` of acts is gone through anew for every moment of knowledge, with the rules written out over
a plain list (`telling`); `read` then picks, of each slot, the fact that started last.
"""

from tests.reconciliation.replay.acts import (
    Act,
    Corrected,
    Declared,
    Forgot,
    Said,
    Withdrawn,
    Wrote,
    moment,
)
from tests.reconciliation.replay.log import Log, read
from tests.reconciliation.replay.told import Told
from tests.reconciliation.replay.world import World

__all__ = [
    "Act",
    "Corrected",
    "Declared",
    "Forgot",
    "Log",
    "Said",
    "Told",
    "Withdrawn",
    "World",
    "Wrote",
    "moment",
    "read",
]
