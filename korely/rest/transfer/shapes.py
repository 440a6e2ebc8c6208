"""What a line of an import takes: the fields of what it tells of, checked as strictly as bodies."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from rest_framework import serializers

from facts.vocabulary import FAMILIES
from korely.http.fields import (
    Boolean,
    Identifier,
    Instant,
    Integer,
    Metadata,
    Number,
    StrictField,
    Text,
    Word,
)
from korely.http.shapes import Shape
from korely.http.stating import FACT_OBJECT_LENGTH, FACT_PART_LENGTH
from korely.kernel import ids
from korely.kernel.clock import now
from korely.rest.answers.facts import CLOSED_REASONS
from korely.rest.requests import CONTENT_LENGTH

CLIENT_LENGTH = 100
_MOST = 2_147_483_647
# As much as the MemOS dialect stores: what a conversation tells of a tool, tags beside `info`.
_MOST_CONTENT = 100_000
_MOST_METADATA = 65_536
_SKEW = timedelta(minutes=5)  # by which the clocks of two servers may differ


class ObjectId(StrictField):
    """An id, with its prefix or as a bare UUID."""

    def __init__(self, prefix: str, **kwargs: Any) -> None:
        self.prefix = prefix
        super().__init__(**kwargs)

    def document(self) -> dict[str, Any]:
        return {"type": "string", "description": f"An id with the prefix `{self.prefix}_`."}

    def to_internal_value(self, data: Any) -> uuid.UUID:
        found = ids.parse(self.prefix, data) if isinstance(data, str) else None
        if found is None:
            raise serializers.ValidationError(
                f"must be an id with the prefix {self.prefix}_", code="value_error"
            )
        return found


class ObjectIds(ObjectId):
    """A list of ids."""

    def document(self) -> dict[str, Any]:
        return {"type": "array", "items": super().document()}

    def to_internal_value(self, data: Any) -> tuple[uuid.UUID, ...]:  # type: ignore[override]
        if not isinstance(data, list):
            raise serializers.ValidationError("must be a list", code="list_type")
        return tuple(super(ObjectIds, self).to_internal_value(one) for one in data)


class Header(Shape):
    type = Word("header")
    format = Text(most=FACT_PART_LENGTH)
    version = Integer(least=0, most=_MOST)
    exported_at = Instant(required=False)


class End(Shape):
    type = Word("end")
    memories = Integer(least=0, most=_MOST)
    facts = Integer(least=0, most=_MOST)
    names = Integer(least=0, most=_MOST)


class Memory(Shape):
    type = Word("memory")
    id = ObjectId(ids.MEMORY)
    content = Text(most=_MOST_CONTENT)
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)
    run_id = Identifier(required=False)
    client = Text(most=CLIENT_LENGTH, required=False)
    kind = Word("note", "session", "tool", required=False)
    metadata = Metadata(most=_MOST_METADATA, required=False)
    timestamp = Instant(required=False)
    status = Word("processing", "ready", "error", required=False)
    created_at = Instant()
    updated_at = Instant(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs["content"]) > CONTENT_LENGTH and attrs.get("kind") != "tool":
            raise _fault("content", f"must be at most {CONTENT_LENGTH:,} characters")
        _require_past(attrs, "created_at", "updated_at")
        if attrs.get("updated_at", attrs["created_at"]) < attrs["created_at"]:
            raise _fault("updated_at", "must not be before created_at")
        return attrs


class Fact(Shape):
    type = Word("fact")
    id = ObjectId(ids.FACT)
    subject = Text(most=FACT_PART_LENGTH)
    subject_type = Text(least=0, most=20, required=False)
    subject_canonical = Text(most=255, required=False)
    predicate = Text(most=FACT_PART_LENGTH)
    predicate_raw = Text(most=FACT_PART_LENGTH, required=False)
    predicate_family = Word(*FAMILIES, required=False)
    object = Text(most=FACT_OBJECT_LENGTH)
    object_is_literal = Boolean(required=False)
    object_canonical = Text(most=FACT_OBJECT_LENGTH, required=False)
    confidence = Number(least=0, most=1, required=False)
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)
    tense = Word("current", "past", "planned", required=False)
    valid_from = Instant()
    invalid_at = Instant(required=False)
    invalidated_by = ObjectId(ids.FACT, required=False)
    closed_known_at = Instant(required=False)
    closed_reason = Word(*CLOSED_REASONS, required=False)
    observation_count = Integer(least=1, most=_MOST, required=False)
    last_confirmed_at = Instant(required=False)
    source_memory_id = ObjectId(ids.MEMORY, required=False)
    source_memory_ids = ObjectIds(ids.MEMORY, required=False)
    created_at = Instant()
    direct = Boolean(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        _require_past(attrs, "created_at", "closed_known_at", "last_confirmed_at")
        end = attrs.get("invalid_at")
        for name in ("closed_known_at", "closed_reason"):
            if (end is None) == (name in attrs):
                raise _fault(name, "must be given with invalid_at, and only with it")
        if end is None:
            if "invalidated_by" in attrs:
                raise _fault("invalidated_by", "must be given only with invalid_at")
        elif end < attrs["valid_from"] and attrs.get("tense") != "planned":
            raise _fault("invalid_at", "must not be before valid_from")
        return attrs


class Name(Shape):
    type = Word("name")
    user_id = Identifier(segment=True)
    name = Text(most=FACT_PART_LENGTH)
    agent_id = Identifier(segment=True, required=False)
    since = Instant()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        _require_past(attrs, "since")
        return attrs


def _fault(field: str, message: str) -> serializers.ValidationError:
    return serializers.ValidationError({field: message}, code="value_error")


def _require_past(attrs: dict[str, Any], *names: str) -> None:
    """The knowledge clock tells what was; an instant to come would hide a row from exports."""
    latest = now() + _SKEW
    for name in names:
        if name in attrs and attrs[name] > latest:
            raise _fault(name, "must not be in the future")
