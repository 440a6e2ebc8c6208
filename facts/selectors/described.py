"""A fact without its words: for operators."""

from __future__ import annotations

import uuid

from facts.models import Fact

# What the operators' role may read of a fact: everything but who and what it is about.
SEEN = (
    *("id", "project", "user_id", "agent_id", "run_id", "predicate_family", "confidence"),
    *("tense", "valid_from", "invalid_at", "closed_known_at", "closed_reason"),
    *("observation_count", "direct", "said_at", "created_at"),
)


def describe_fact(*, project_id: uuid.UUID, fact_id: uuid.UUID) -> Fact | None:
    """A fact without its words, ended or not."""
    rows = Fact._base_manager.filter(project_id=project_id, id=fact_id)
    return rows.select_related("project").only(*SEEN, "project__name").first()
