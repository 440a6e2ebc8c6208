"""Facts read anew after a project's predicates changed: their names, families and slots."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

import structlog
from django.db import InterfaceError, OperationalError

from billing import services as billing
from facts.models import Fact
from facts.reconciliation import Close, Row, settle, slot
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.joining import meet, name_anew
from facts.services.store import Owner
from facts.vocabulary import Vocabulary
from korely.kernel import hashing
from korely.kernel.caller import Worker
from korely.kernel.clock import now
from korely.kernel.tenancy import hold_project, project_scope
from korely.work import services as work
from korely.work.models import Work

log = structlog.get_logger(__name__)

_RENEWED = 2.0  # seconds of a claim, whose process is thought dead after WORK_GRACE_SECONDS
_PAGE = 5_000  # rows at a time of those that are only looked at
_READ = ["predicate", "predicate_plain", "predicate_family", "slot", "object_key"]


@dataclass(slots=True)
class Reread:
    """What reading anew did: facts that were named or placed otherwise, and those it ended."""

    facts: int = 0
    closed: list[uuid.UUID] = field(default_factory=list)


def put_rereading(*, project_id: uuid.UUID, moment: datetime) -> None:
    """Leave it to the worker to read a project's facts anew; once more, if it is at it."""
    work.put(
        project_id=project_id,
        kind=Work.PREDICATES,
        target_id=project_id,
        lane=_lane(project_id),
        created_at=moment,
    )


def rereads(*, project_id: uuid.UUID) -> bool:
    """Whether facts of a project are still to be read anew."""
    return Work.objects.filter(project_id=project_id, kind=Work.PREDICATES).exists()


def reread_project(*, project_id: uuid.UUID) -> None:
    """Read all facts of a project with its present predicates: the worker's side.

    One end user a transaction. What is read anew already stays as it is, so the work may end at any
    moment and begin again. Writers take part in nothing: they use the present predicates from the
    change on, and find earlier facts by their plain forms.
    """
    work.work_off(kind=Work.PREDICATES, lane=_lane(project_id), attempt=_attempt)


def reread_user(
    *, project_id: uuid.UUID, user_id: str | None, vocabulary: Vocabulary, now: datetime
) -> Reread:
    """Give an end user's facts the names, families and slots of a vocabulary.

    Facts whose predicate is another one now meet the others of it, as those of a declared name do.
    Of what is open in a slot then, all but the last started are `superseded` by the next later.
    What ended keeps its end, and what adds up now opens nothing again. Call it in a transaction
    that holds the end user's lock; doing it again changes nothing.
    """
    done = Reread()
    subjects = _subjects_to_read(user_id, vocabulary, project_id)
    if not subjects:
        return done
    found = Fact.objects.filter(user_id=user_id, subject_key__in=subjects)
    facts = list(found.order_by("agent_id", "subject_key", "created_at", "id"))
    before = {fact.id: _read(fact) for fact in facts}
    closes: list[Close] = []
    for agent_id, theirs in groupby(facts, key=lambda fact: fact.agent_id):
        owner = Owner(project_id, user_id, agent_id)
        for _, group in groupby(theirs, key=lambda fact: fact.subject_key):
            closes += _reread_subject(owner, list(group), now, vocabulary)
    store.close(closes)  # first: a slot has one open fact
    changed = [fact for fact in facts if _read(fact) != before[fact.id]]
    # A slot may pass from one fact to another: nobody has it in between.
    Fact.objects.filter(id__in=[fact.id for fact in changed], slot__isnull=False).update(slot=None)
    Fact.objects.bulk_update(changed, _READ, batch_size=500)
    done.facts, done.closed = len(changed), list(dict.fromkeys(close.id for close in closes))
    return done


def owners_of_facts() -> list[str | None]:
    """The end users of the active scope's project who have facts; None: facts of nobody."""
    users = Fact.objects.order_by("user_id").values_list("user_id", flat=True).distinct()
    return list(users)


def _attempt(row: Work) -> None:
    try:
        _reread(row)
    except (OperationalError, InterfaceError):
        raise  # the database is away: the row stays as it is, due again soon
    except Exception as error:
        # Whatever one project's facts do, it must not stop the others' work.
        log.error(
            "predicates.reread_failed",
            project=row.project_id.hex,
            attempts=row.attempts,
            exc_info=(type(error), error, error.__traceback__),
        )
        work.postpone(row, because=error)


def _reread(row: Work) -> None:
    project_id, renewed = row.project_id, time.monotonic()
    with project_scope(project_id):
        users = owners_of_facts()
    facts = closed = 0
    for user_id in users:
        with project_scope(project_id):
            if not hold_project():
                return  # deleted, and its work with it
            store.lock(project_id=project_id, user_id=user_id)
            vocabulary = read_vocabulary()
            done = reread_user(
                project_id=project_id, user_id=user_id, vocabulary=vocabulary, now=now()
            )
            if done.closed:
                meta = {"closed": len(done.closed)}
                who = Worker(project_id)
                billing.record(who, "fact_invalidate", user_id=user_id, meta=meta)
        facts, closed = facts + done.facts, closed + len(done.closed)
        if time.monotonic() - renewed > _RENEWED:
            renewed = time.monotonic()
            if not work.renew(row):
                return
    if work.finish(row):
        log.info("predicates.reread", project=project_id.hex, facts=facts, closed=closed)


def _lane(project_id: uuid.UUID) -> int:
    return hashing.lane(project_id, None, b"predicates")


def _subjects_to_read(
    user_id: str | None, vocabulary: Vocabulary, project_id: uuid.UUID
) -> set[str]:
    """The subjects of facts that are not as the vocabulary has them."""
    names = ("predicate", "predicate_plain", "predicate_family", "slot")
    rows = Fact.objects.filter(user_id=user_id).values_list(
        *names, "subject_key", "object_key", "tense", "agent_id"
    )
    found: set[str] = set()
    for *stored, subject, value, tense, agent in rows.iterator(chunk_size=_PAGE):
        plain = stored[1] or stored[0]
        name = vocabulary.name(plain)
        key = slot(subject, name, value, tense, vocabulary)
        wanted = [
            name,
            plain if plain != name else None,
            vocabulary.family(name),
            store.slot_of_key(Owner(project_id, user_id, agent), key),
        ]
        if stored != wanted:
            found.add(subject)
    return found


def _reread_subject(
    owner: Owner, facts: Sequence[Fact], now: datetime, vocabulary: Vocabulary
) -> list[Close]:
    """Read facts of one subject anew; the ends that this brings. Nothing but sources is stored."""
    before = {fact.id: (fact.predicate, fact.slot) for fact in facts}
    for fact in facts:
        name_anew(fact, vocabulary)
    renamed = [fact for fact in facts if fact.predicate != before[fact.id][0]]
    moved = {fact.id for fact in renamed}
    rows: dict[uuid.UUID, Row] = {
        fact.id: store.as_row(fact) for fact in facts if fact.id not in moved
    }
    closes: list[Close] = []
    for fact in renamed:
        closes += meet(owner, fact, rows, now, vocabulary=vocabulary)
    for fact in facts:
        fact.slot = store.slot_id(owner, rows[fact.id], vocabulary=vocabulary)
    placed = {fact.slot for fact in facts if fact.slot != before[fact.id][1]} - {None}
    competing = [rows[fact.id] for fact in facts if fact.slot in placed]
    return closes + settle(competing, now, vocabulary)


def _read(fact: Fact) -> tuple[object, ...]:
    return tuple(getattr(fact, name) for name in _READ)
