"""Declared names: whom a subject or object written in a memory stands for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from facts.models import DeclaredName
from facts.reconciliation import text_key
from facts.services.store import Owner

# What it is about is the name itself, so that the name does not stand for the person there.
_NAMES_A_NAME = "has_name"


@dataclass(frozen=True, slots=True)
class Naming:
    """The keys of the names declared for one end user, in the memory of one agent."""

    user_id: str | None
    keys: frozenset[str] = frozenset()

    def is_theirs(self, text: str) -> bool:
        return self.user_id is not None and text_key(text) in self.keys

    def canonical(self, text: str) -> str:
        """The end user's id for one of their names, else the same words."""
        return str(self.user_id) if self.is_theirs(text) else text

    def is_object(self, predicate: str, value: str, *, is_literal: bool) -> bool:
        """Whether an object means the end user. A literal, or the value of `has_name`, does not."""
        return not is_literal and predicate != _NAMES_A_NAME and self.is_theirs(value)


def naming_of(owner: Owner) -> Naming:
    if owner.user_id is None:
        return Naming(None)
    rows = DeclaredName.objects.filter(user_id=owner.user_id, agent_id=owner.agent_id)
    return Naming(owner.user_id, frozenset(rows.values_list("name_key", flat=True)))


def names_to_read_with(*, user_id: str | None, agent_id: str | None) -> tuple[str, ...]:
    """The names that a text of this end user and agent may call them by, composed (NFC)."""
    if user_id is None:
        return ()
    rows = DeclaredName.objects.filter(user_id=user_id, agent_id=agent_id).order_by("created_at")
    names = rows.values_list("name", flat=True)
    return tuple(" ".join(unicodedata.normalize("NFC", name).split()) for name in names)
