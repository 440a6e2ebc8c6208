"""What may be told and asked: the fields of a new memory, a search, a context (contract, sections 9
to 12). Whoever takes them, as JSON or from a form, takes these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from facts.selectors import FactFilter, Reading
from korely.http.fields import (
    MAX_OFFSET,
    Boolean,
    Identifier,
    Instant,
    Integer,
    Metadata,
    MetadataFilter,
    Number,
    Text,
    Word,
    Words,
)
from korely.http.shapes import Shape, has, one_of_them

CONTENT_LENGTH = 16_000
QUERY_LENGTH = 2_000
NARROWING = ("run_id", "metadata", "min_score")  # what narrows a search to memories


class AddMemory(Shape):
    content = Text(most=CONTENT_LENGTH)
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)
    run_id = Identifier(required=False)
    metadata = Metadata(required=False)
    timestamp = Instant(required=False)
    kind = Word("note", "session", required=False)


class Search(Shape):
    query = Text(most=QUERY_LENGTH)
    user_id = Identifier(required=False)
    agent_id = Identifier(required=False)
    run_id = Identifier(required=False)
    metadata = MetadataFilter(required=False)
    limit = Integer(least=1, most=50, required=False)
    min_score = Number(least=0, most=1, required=False)
    types = Words("memories", "facts", required=False)
    full_text = Boolean(required=False)
    exclude_sessions = Boolean(required=False)
    rules = {"not": {**has("types", "facts"), **one_of_them(*NARROWING)}}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "facts" in attrs.get("types", ()):
            narrowing = [n for n in NARROWING if n in attrs]
            if narrowing:
                message = "narrows memories only: leave it out when types has facts"
                raise serializers.ValidationError(dict.fromkeys(narrowing, message), "value_error")
        return attrs


class GetContext(Shape):
    query = Text(most=QUERY_LENGTH)
    user_id = Identifier(required=False)
    agent_id = Identifier(required=False)
    token_budget = Integer(least=50, most=8_000, query=True, default=800)
    as_of = Instant(
        required=False,
        help_text="Facts that held then, memories dated up to then. ISO 8601 date or datetime;"
        " without a zone UTC, a date its midnight.",
    )
    known_as_of = Instant(required=False)
    exclude_sessions = Boolean(query=True, default=False)


class ListFacts(Shape):
    user_id = Identifier(required=False)
    agent_id = Identifier(required=False)
    subject = Text(most=QUERY_LENGTH, required=False)
    entity = Text(most=QUERY_LENGTH, required=False)
    predicate = Text(most=QUERY_LENGTH, required=False)
    predicate_family = Text(most=QUERY_LENGTH, required=False)
    include_invalidated = Boolean(query=True, default=False)
    as_of = Instant(required=False)
    known_as_of = Instant(required=False)
    exclude_sessions = Boolean(query=True, default=False)
    limit = Integer(least=1, most=200, query=True, default=50)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)


def fact_filter(asked: Mapping[str, Any]) -> FactFilter:
    """What the values of `ListFacts` ask for."""
    parts = ("user_id", "agent_id", "subject", "entity", "predicate", "predicate_family")
    reading = Reading(
        as_of=asked.get("as_of"),
        known_as_of=asked.get("known_as_of"),
        include_invalidated=asked["include_invalidated"],
        exclude_sessions=asked["exclude_sessions"],
    )
    return FactFilter(**{name: asked.get(name) for name in parts}, reading=reading)
