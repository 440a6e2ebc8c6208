"""Predicates of a project: acts of whoever runs the install, audited in that project."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import structlog

from billing import services as billing
from facts.models import ProjectPredicate
from facts.selectors.predicates import read_vocabulary
from facts.services import store
from facts.services.rereading import put_rereading
from facts.vocabulary import Predicate, Vocabulary, check, opposites, plain_synonyms
from korely.kernel.caller import Worker
from korely.kernel.clock import now
from korely.kernel.tenancy import writing_scope

log = structlog.get_logger(__name__)


def set_predicate(
    *,
    project_id: uuid.UUID,
    name: str,
    family: str,
    single: bool,
    opposite: str | None = None,
    synonyms: Sequence[str] = (),
    ip: str | None = None,
) -> Predicate:
    """Say what a predicate means in a project; what was said of it before is replaced whole.

    Holds for every write that begins after it. Facts written before are read anew by the worker,
    an end user at a time. `opposite` becomes the pair of this one alone: pairs that either was in
    are dissolved, or refused where the other one would lose its own. Setting what is set already
    changes nothing.

    Raises:
        Fault: the entry does not fit (`facts.vocabulary.check`).
        Refusal: 503 `unavailable` when there is no such project.
    """
    with writing_scope(project_id):
        store.lock_all(project_id=project_id)  # nobody decides by the old ones and stores after
        vocabulary = read_vocabulary()
        plain = plain_synonyms(name, tuple(synonyms))
        entry = Predicate(name, family, single, opposite, plain)
        check(entry, vocabulary)
        if vocabulary.entries.get(name) == entry:
            return entry
        moment = now()
        _store([entry, *_partners(entry, vocabulary)], project_id, moment)
        put_rereading(project_id=project_id, moment=moment)
        _record(project_id, "predicate_set", name, ip)
    log.info("predicate.set", project=project_id.hex)
    return entry


def remove_predicate(*, project_id: uuid.UUID, name: str, ip: str | None = None) -> bool:
    """Leave a predicate to the built-in table; False when the project says nothing of it.

    Facts written before are read anew, as after `set_predicate`. What a fact ended stays ended.

    Raises:
        Refusal: 503 `unavailable` when there is no such project.
    """
    with writing_scope(project_id):
        store.lock_all(project_id=project_id)
        vocabulary = read_vocabulary()
        if name not in vocabulary.entries:
            return False
        moment = now()
        ProjectPredicate.objects.filter(name=name).delete()
        bare = Predicate(name, "other", single=False)
        built_in = opposites(name)
        kept = [one for one in _partners(bare, vocabulary) if one.name not in built_in]
        _store(kept, project_id, moment)
        put_rereading(project_id=project_id, moment=moment)
        _record(project_id, "predicate_remove", name, ip)
    log.info("predicate.removed", project=project_id.hex)
    return True


def _partners(entry: Predicate, vocabulary: Vocabulary) -> list[Predicate]:
    """The other entries as a pair that `entry` enters, or leaves, has them."""
    changed = []
    for other in vocabulary.entries.values():
        if other.name == entry.name:
            continue
        if other.name == entry.opposite and other.opposite != entry.name:
            changed.append(replace(other, opposite=entry.name))
        elif other.name != entry.opposite and other.opposite == entry.name:
            changed.append(replace(other, opposite=None))
    return changed


def _store(entries: Iterable[Predicate], project_id: uuid.UUID, moment: datetime) -> None:
    ProjectPredicate.objects.bulk_create(
        [
            ProjectPredicate(
                project_id=project_id,
                name=entry.name,
                family=entry.family,
                single=entry.single,
                opposite=entry.opposite,
                synonyms=list(entry.synonyms),
                updated_at=moment,
            )
            for entry in entries
        ],
        update_conflicts=True,
        unique_fields=["project", "name"],
        update_fields=["family", "single", "opposite", "synonyms", "updated_at"],
    )


def _record(project_id: uuid.UUID, action: str, name: str, ip: str | None) -> None:
    who = Worker(project_id, actor="manage", ip=ip)
    billing.record(who, action, meta={"predicate": name})
