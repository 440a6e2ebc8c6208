"""Text to the vectors that are stored and searched, with the model's identity beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from korely.embedding import ModelUnavailable, Turns, as_halfvec, embedder
from korely.kernel import errors
from korely.kernel.caller import Caller

# Characters of a memory that its vector covers (contract, section 10).
COVERED = 8_000

# A burst of one account waits for its own turns, so that others' texts come in between. An
# account waits 20 s at most (contract, section 3).
_turns = Turns(settings.EMBEDDINGS_AT_ONCE, seconds=20)

# Imports have one turn for all of them in this process, so that they leave the model to searches
# and single writes; one waits while others' lines are embedded.
_IMPORTS = "imports"
_import_turn = Turns(1, seconds=120)


@dataclass(frozen=True, slots=True)
class Vector:
    """A unit vector, and the model it belongs to."""

    values: list[float]
    model: str

    @property
    def text(self) -> str:
        """As PostgreSQL reads it."""
        return as_halfvec(self.values)


def embed_for_write(caller: Caller, content: str) -> list[Vector]:
    """The vector of a text to be stored and, when it is long, those of its windows.

    Raises:
        Refusal: 503 `service_paused` while KORELY_PAUSED is set, 503 `model_unavailable` when
            the model does not answer or the account's turn does not come; nothing was stored.
    """
    if settings.KORELY_PAUSED:
        raise errors.service_paused()
    try:
        model = embedder()
        with _turns.take(caller.organisation_id):
            (parts,) = model.embed_parts([content[:COVERED]])
        return [Vector(row.tolist(), model.identity) for row in parts]
    except ModelUnavailable:
        raise errors.model_unavailable() from None


def embed_for_search(caller: Caller, query: str) -> Vector:
    """The vector of a question.

    Raises:
        Refusal: 503 `service_paused`; 503 `search_unavailable` when the model does not answer or
            the account's turn does not come.
    """
    if settings.KORELY_PAUSED:
        raise errors.service_paused()
    try:
        model = embedder()
        with _turns.take(caller.organisation_id):
            return Vector(model.embed_query(query).tolist(), model.identity)
    except ModelUnavailable:
        raise errors.search_unavailable() from None


def embed_all(contents: Sequence[str]) -> list[list[Vector]]:
    """`embed_for_write` of many texts at once, for the worker. Raises ModelUnavailable."""
    if not contents:
        return []
    model = embedder()
    found = model.embed_parts([content[:COVERED] for content in contents])
    return [[Vector(row.tolist(), model.identity) for row in parts] for parts in found]


def embed_for_import(contents: Sequence[str]) -> list[list[Vector]]:
    """`embed_all` in the turn of imports. Raises ModelUnavailable."""
    if not contents:
        return []
    with _import_turn.take(_IMPORTS):
        return embed_all(contents)


def embed_facts(texts: Sequence[str]) -> list[Vector]:
    """The vectors of facts, for the worker, which retries. Raises ModelUnavailable."""
    if not texts:
        return []
    model = embedder()
    return [Vector(row.tolist(), model.identity) for row in model.embed(texts)]
