"""The fact that an act is about."""

from __future__ import annotations

import uuid

from billing import services as billing
from facts.selectors import FactView, find_fact, view_fact
from korely.dashboard.explore.absent import absent_is_404
from korely.kernel import ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import reading_scope


def is_over(fact: FactView) -> bool:
    """Whether its end has passed, or it never held: nothing can be done about it any more."""
    return fact.invalid_at is not None and fact.invalid_at <= max(now(), fact.valid_from)


def looked_up(caller: Caller, fact_id: uuid.UUID) -> FactView:
    """A fact as it stands now; the look is audited. Raises Http404."""
    with absent_is_404(), reading_scope(caller.project_id):
        find_fact(caller=caller, fact_id=fact_id)
        fact = view_fact(caller=caller, fact_id=fact_id)
        billing.record(
            caller,
            "read",
            user_id=fact.user_id,
            target=ids.wire(ids.FACT, fact_id),
            meta={"call": "dashboard.fact"},
            memories=[],
            facts=[fact_id],
        )
        return fact
