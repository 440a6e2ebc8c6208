"""Feedback on what is remembered: kept as a memory, and read as a correction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog

from billing import services as billing
from facts import services as facts
from facts.models import Fact
from facts.services import Meaning, NotCurrent, Parts
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, writing_scope
from memories.conversation import Text
from memories.conversation.rewordings import Rewording, read_rewordings
from memories.services.conversing import Added, Place, keep
from memories.services.facts_write import meaning_of, tell_written
from memories.services.knowledge.telling import prepare
from memories.vectors import embed_for_write
from memories.writers import require_budget

log = structlog.get_logger(__name__)


def add_feedback(
    *, caller: Caller, place: Place, content: str, said_at: datetime | None = None
) -> Added:
    """Keep a text as a memory, and correct what it contradicts. Costs one write.

    "X should be Y" replaces X, the object of facts of that end user that hold now, before this
    returns. What else the text states is extracted as from any memory, and ends what it supersedes.

    Raises:
        Refusal: as `add_messages`; nothing was stored.
    """
    caller.require_write(place.user_id)
    billing.check_agent(caller, place.agent_id)
    with billing.spending(caller, "writes"):
        require_budget(project_id=caller.project_id)
        parts = embed_for_write(caller, content)
        told = prepare(caller=caller, bases=place.bases, contents=[content])
        changes = _changes(caller, place.user_id, read_rewordings(content))
        with writing_scope(caller.project_id):
            facts.lock(project_id=caller.project_id, user_id=place.user_id)
            corrected = [one for one in changes if _correct(caller, *one)]
            billing.admit_agent(caller, place.agent_id)
            task = keep(caller, place, [], [(Text(content, ()), parts)], told=told, said_at=said_at)
    log.info("feedback.added", task=task.id.hex, corrected=len(corrected))
    return Added(task.id, completed=False)


Change = tuple[Fact, Parts, Meaning]


def _changes(caller: Caller, user_id: str, rewordings: Sequence[Rewording]) -> list[Change]:
    """The facts that rewordings are about, what each becomes, and what that means."""
    if not rewordings:
        return []
    with project_scope(caller.project_id):
        found = [
            (fact, Parts(object=one.new))
            for one in rewordings
            for fact in _about(user_id, one.keys)
        ]
    return [
        (fact, parts, meaning_of(caller, facts.corrected(fact, parts))) for fact, parts in found
    ]


def _about(user_id: str, keys: Sequence[str]) -> list[Fact]:
    """The facts that hold now whose object is the longest of the keys that is one."""
    rows = Fact.objects.filter(user_id=user_id, object_key__in=keys).order_by("id")
    moment = now()
    held = [fact for fact in rows if not facts.has_ended(fact, moment)]
    longest = next((key for key in keys if any(fact.object_key == key for fact in held)), None)
    return [fact for fact in held if fact.object_key == longest]


def _correct(caller: Caller, seen: Fact, parts: Parts, meaning: Meaning) -> bool:
    """Whether the fact still held and was replaced."""
    fact = Fact.objects.filter(id=seen.id).first()
    if fact is None:
        return False
    written = facts.rewrite(fact=fact, parts=parts, vector=meaning, now=now())
    if isinstance(written, NotCurrent):
        return False
    tell_written(caller, written, fact.user_id)
    return True
