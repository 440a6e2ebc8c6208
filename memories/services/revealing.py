"""Texts shown to an operator, who gave a reason."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from accounts.models import Project
from accounts.services.operator_acts import note_reveal
from facts.models import Fact
from korely.kernel import errors, ids
from korely.kernel.tenancy import project_scope
from memories.fields import compact
from memories.models import Memory


@dataclass(frozen=True, slots=True)
class Revealed:
    """What was shown, part by part: a name and a text."""

    parts: tuple[tuple[str, str], ...]


def reveal_memory(
    *,
    project_id: uuid.UUID,
    memory_id: uuid.UUID,
    person_id: uuid.UUID,
    reason: str,
    ip: str | None = None,
) -> Revealed:
    """A memory's text, forgotten or not. The audit event is committed before the text is read.

    Raises:
        Refusal: 404 for an unknown project or memory; 403 and 422 as `note_reveal`.
    """
    account = _account(project_id)
    with project_scope(project_id):
        found = Memory.objects.filter(id=memory_id).values("user_id").first()
    if found is None:
        raise errors.not_found("memory")
    note_reveal(
        person_id=person_id,
        organisation_id=account,
        project_id=project_id,
        target=ids.wire(ids.MEMORY, memory_id),
        user_id=found["user_id"],
        reason=reason,
        ip=ip,
        memories=[memory_id],
    )
    with project_scope(project_id):
        memory = Memory.objects.filter(id=memory_id).first()
    if memory is None:
        raise errors.not_found("memory")
    return Revealed((("Text", memory.content), ("Metadata", compact(memory.metadata))))


def reveal_fact(
    *,
    project_id: uuid.UUID,
    fact_id: uuid.UUID,
    person_id: uuid.UUID,
    reason: str,
    ip: str | None = None,
) -> Revealed:
    """A fact's words, ended or not. The audit event is committed before they are read.

    Raises:
        Refusal: 404 for an unknown project or fact; 403 and 422 as `note_reveal`.
    """
    account = _account(project_id)
    with project_scope(project_id):
        found = Fact.objects.filter(id=fact_id).values("user_id").first()
    if found is None:
        raise errors.not_found("fact")
    note_reveal(
        person_id=person_id,
        organisation_id=account,
        project_id=project_id,
        target=ids.wire(ids.FACT, fact_id),
        user_id=found["user_id"],
        reason=reason,
        ip=ip,
        facts=[fact_id],
    )
    with project_scope(project_id):
        fact = Fact.objects.filter(id=fact_id).first()
    if fact is None:
        raise errors.not_found("fact")
    said = (("Subject", fact.subject), ("Predicate", fact.predicate), ("Object", fact.object))
    return Revealed((*said, ("As written", fact.predicate_raw)))


def _account(project_id: uuid.UUID) -> uuid.UUID:
    found = Project.objects.filter(pk=project_id).values_list("organisation_id", flat=True).first()
    if found is None:
        raise errors.not_found("project")
    return found
