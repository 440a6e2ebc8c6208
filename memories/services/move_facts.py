"""Facts of two projects that become facts of one: slots that join, names that meet."""

from __future__ import annotations

import uuid
from collections import defaultdict
from datetime import datetime

from django.db import connection

from facts.models import DeclaredName, Fact
from facts.reconciliation import Close, Row, settle
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.joining import join_facts
from facts.services.rereading import owners_of_facts, reread_user, rereads
from facts.services.store import Owner
from facts.vocabulary import BUILT_IN
from korely.kernel.tenancy import project_scope


def read_as_target(*, source: uuid.UUID, target: uuid.UUID, now: datetime) -> int:
    """Give facts of `source` the predicates and slots that they have in `target`; how many ended.

    The caller holds the facts of both.
    """
    with project_scope(target):
        vocabulary = read_vocabulary()
    ended = 0
    with project_scope(source):
        if vocabulary == BUILT_IN == read_vocabulary() and not rereads(project_id=source):
            return 0
        for user_id in owners_of_facts():
            done = reread_user(project_id=source, user_id=user_id, vocabulary=vocabulary, now=now)
            ended += len(done.closed)
    return ended


def settle_joined_slots(*, source: uuid.UUID, target: uuid.UUID, now: datetime) -> int:
    """Leave each single slot that is open in both projects one open fact; how many that ended.

    The one that began last stays. Call it before the rows of `source` are stored in `target`: they
    would be a second open fact there. The caller holds the facts of both, which are read with one
    vocabulary by then.
    """
    joined = _open_slots(source) & _open_slots(target)
    if not joined:
        return 0
    with project_scope(target):
        vocabulary = read_vocabulary()
    ours: dict[uuid.UUID, set[uuid.UUID]] = {}
    rows: defaultdict[uuid.UUID, list[Row]] = defaultdict(list)
    for project_id in (source, target):
        with project_scope(project_id):
            found = list(Fact.objects.filter(slot__in=joined))
        ours[project_id] = {fact.id for fact in found}
        for fact in found:
            assert fact.slot is not None
            rows[fact.slot].append(store.as_row(fact))
    closes: list[Close] = []
    for slot in rows.values():
        closes += settle(slot, now, vocabulary)
    for project_id, mine in ours.items():
        with project_scope(project_id):
            store.close(close for close in closes if close.id in mine)
    return len(closes)


def _open_slots(project_id: uuid.UUID) -> set[uuid.UUID]:
    with project_scope(project_id):
        rows = Fact.objects.filter(slot__isnull=False, invalid_at=None)
        return set(rows.values_list("slot", flat=True))


def join_names(*, source: uuid.UUID, target: uuid.UUID, now: datetime) -> int:
    """Read facts about a declared name as the end user's, whichever project the name, and the
    facts, came from; how many that ended.

    Call it once everything is stored in `target`, and while `source` still holds it.
    """
    with project_scope(source), connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT user_id FROM facts_fact"
            " WHERE project_id = %(source)s AND user_id IS NOT NULL"
            " UNION SELECT user_id FROM facts_declaredname WHERE project_id = %(source)s",
            {"source": source},
        )
        users = [user for (user,) in cursor.fetchall()]
    ended = 0
    with project_scope(target):
        names = DeclaredName.objects.filter(user_id__in=users).order_by("created_at", "id")
        for name in list(names):
            owner = Owner(target, name.user_id, name.agent_id)
            ended += len(join_facts(owner=owner, name_key=name.name_key, now=now))
    return ended
