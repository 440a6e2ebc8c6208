"""What the lines of an import cost: a write of the month for each memory."""

from __future__ import annotations

from collections.abc import Sequence

from billing import services as billing
from billing.services import Reservation
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal


def take(caller: Caller, amount: int) -> Reservation | None:
    """So many writes at once; None when they are not all left."""
    try:
        return billing.reserve(caller, "writes", amount)
    except Refusal:
        return None


def take_singly(caller: Caller, amount: int) -> tuple[list[Reservation], Refusal | None]:
    """As many writes as are left, up to `amount`, and why there are no more."""
    taken: list[Reservation] = []
    for _ in range(amount):
        try:
            taken.append(billing.reserve(caller, "writes"))
        except Refusal as refusal:
            return taken, refusal
    return taken, None


def give_back(caller: Caller, taken: Sequence[Reservation], *, used: int) -> None:
    """Return what was taken and not used."""
    amount = sum(one.amount for one in taken) - used
    for one in taken:
        back = min(amount, one.amount)
        if back:
            billing.release(caller, one, back)
            amount -= back
