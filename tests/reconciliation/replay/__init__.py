"""A second, naive reading of the facts contract; nothing of it is shared with the product.

A `Log` of acts is gone through anew for every moment of knowledge, with the rules written out over
a plain list (`telling`); `read` then picks, of each slot, the fact that started last.
"""

from tests.reconciliation.replay.log import (
    Act,
    Corrected,
    Forgot,
    Log,
    Said,
    Withdrawn,
    moment,
    read,
    without,
)
from tests.reconciliation.replay.told import Told

__all__ = [
    "Act",
    "Corrected",
    "Forgot",
    "Log",
    "Said",
    "Told",
    "Withdrawn",
    "moment",
    "read",
    "without",
]
