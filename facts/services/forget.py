"""A fact forgotten by a caller: it stopped being true, and stays in history."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

import structlog

from billing import services as billing
from facts.reconciliation import AlreadyEnded, BeforeStart, forget
from facts.selectors.one import find_fact
from facts.services import store
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import writing_scope

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ForgottenFact:
    """`audit_id` is None where the fact had ended already and nothing was changed."""

    fact_id: uuid.UUID
    invalid_at: datetime
    audit_id: str | None


def forget_fact(*, caller: Caller, fact_id: uuid.UUID, at: datetime | None = None) -> ForgottenFact:
    """Close a fact at the date it stopped being true; None: now, or its start if that is later.

    Free. An end still to come may be moved; one that has passed stays.

    Raises:
        Refusal: 404 unknown or out of the key's reach; 422 on `at` at or before `valid_from`.
    """
    with writing_scope(caller.project_id):
        seen = find_fact(caller=caller, fact_id=fact_id)
        store.lock(project_id=caller.project_id, user_id=seen.user_id)
        fact = find_fact(caller=caller, fact_id=fact_id)
        outcome = forget(store.as_row(fact), at, now())
        if isinstance(outcome, BeforeStart):
            raise errors.invalid("at", "a fact cannot stop being true before it began")
        if isinstance(outcome, AlreadyEnded):
            return ForgottenFact(fact_id, outcome.at, None)
        store.close([outcome])
        target = ids.wire(ids.FACT, fact_id)
        billing.record(caller, "fact_invalidate", user_id=fact.user_id, target=target)
        audit_id = billing.record(caller, "forget", user_id=fact.user_id, target=target)
    log.info("fact.forgotten", fact=fact_id.hex)
    return ForgottenFact(fact_id, outcome.at, audit_id)
