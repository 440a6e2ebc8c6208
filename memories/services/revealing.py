"""Texts shown to an operator, who gave a reason."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TypeVar

from accounts.models import Project
from accounts.services.operator_acts import note_reveal
from facts.models import Fact
from korely.kernel import errors, ids
from korely.kernel.tenancy import project_scope
from memories.fields import compact
from memories.models import Memory

Row = TypeVar("Row", Memory, Fact)


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
    memory = _noted(
        Memory,
        ids.MEMORY,
        "memory",
        project_id=project_id,
        row_id=memory_id,
        person_id=person_id,
        reason=reason,
        ip=ip,
    )
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
    fact = _noted(
        Fact,
        ids.FACT,
        "fact",
        project_id=project_id,
        row_id=fact_id,
        person_id=person_id,
        reason=reason,
        ip=ip,
    )
    said = (("Subject", fact.subject), ("Predicate", fact.predicate), ("Object", fact.object))
    return Revealed((*said, ("As written", fact.predicate_raw)))


def _noted(
    model: type[Row],
    prefix: str,
    what: str,
    *,
    project_id: uuid.UUID,
    row_id: uuid.UUID,
    person_id: uuid.UUID,
    reason: str,
    ip: str | None,
) -> Row:
    """The row, read once the look at it is noted. Raises as `reveal_memory`."""
    account = _account(project_id)
    with project_scope(project_id):
        found = model.objects.filter(id=row_id).values("user_id").first()
    if found is None:
        raise errors.not_found(what)
    note_reveal(
        person_id=person_id,
        organisation_id=account,
        project_id=project_id,
        target=ids.wire(prefix, row_id),
        user_id=found["user_id"],
        reason=reason,
        ip=ip,
        memories=[row_id] if prefix == ids.MEMORY else None,
        facts=[row_id] if prefix == ids.FACT else None,
    )
    with project_scope(project_id):
        row: Row | None = model.objects.filter(id=row_id).first()
    if row is None:
        raise errors.not_found(what)
    return row


def _account(project_id: uuid.UUID) -> uuid.UUID:
    found = Project.objects.filter(pk=project_id).values_list("organisation_id", flat=True).first()
    if found is None:
        raise errors.not_found("project")
    return found
