"""The shapes of answers: facts, profiles, names."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
)

from facts.vocabulary.table import FAMILIES
from korely.kernel import ids
from korely.rest.answers.base import Id

# The rules that end a fact (facts.reconciliation).
CLOSED_REASONS = (
    "superseded closed corrected forgotten history fulfilled cancelled erased_source stated"
).split()


class Fact(serializers.Serializer):
    id = Id(ids.FACT)
    subject = CharField()
    subject_type = CharField()
    subject_canonical = CharField()
    predicate = CharField()
    predicate_raw = CharField()
    predicate_family = ChoiceField(FAMILIES)
    object = CharField()
    object_is_literal = BooleanField()
    object_canonical = CharField()
    confidence = FloatField(min_value=0, max_value=1)
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    tense = ChoiceField(["current", "past", "planned"])
    valid_from = DateTimeField()
    invalid_at = DateTimeField(allow_null=True)
    invalidated_by = Id(ids.FACT, allow_null=True)
    closed_known_at = DateTimeField(allow_null=True)
    closed_reason = ChoiceField(CLOSED_REASONS, allow_null=True)
    observation_count = IntegerField(min_value=1)
    last_confirmed_at = DateTimeField(allow_null=True)
    source_memory_id = Id(ids.MEMORY, allow_null=True)
    source_memory_ids = ListField(child=Id(ids.MEMORY))
    created_at = DateTimeField()


class WrittenFact(Fact):
    invalidated = ListField(child=Id(ids.FACT))


class ForgottenFact(serializers.Serializer):
    id = Id(ids.FACT)
    status = ChoiceField(["forgotten", "already_forgotten"])
    invalid_at = DateTimeField()
    audit_id = Id(ids.AUDIT, allow_null=True)


class Profile(serializers.Serializer):
    """`as_of` and `known_as_of` are echoed as they were sent."""

    user_id = CharField()
    as_of = CharField(allow_null=True)
    known_as_of = CharField(allow_null=True)
    facts = Fact(many=True)
    by_family = DictField(child=Fact(many=True))
    total = IntegerField(min_value=0)
    truncated = BooleanField()


class DeclaredName(serializers.Serializer):
    user_id = CharField()
    name = CharField()
    agent_id = CharField(allow_null=True)
    since = DateTimeField()


class FactList(serializers.Serializer):
    facts = Fact(many=True)
    total = IntegerField(min_value=0)


class Evidence(serializers.Serializer):
    """Where a memory's present text says it: code points from `start` up to `end`."""

    start = IntegerField(min_value=0)
    end = IntegerField(min_value=1)
    text = CharField()


class FactOrigin(serializers.Serializer):
    """A memory that states a fact, or stated it until `withdrawn_at`."""

    memory_id = Id(ids.MEMORY)
    kind = ChoiceField(["note", "session", "tool"])
    timestamp = DateTimeField(
        allow_null=True, help_text="The memory's own; null once it is forgotten."
    )
    stated_at = DateTimeField(help_text="When the memory became a source of the fact.")
    withdrawn_at = DateTimeField(
        allow_null=True, help_text="When it was changed or forgotten and no longer stated it."
    )
    evidence = Evidence(
        allow_null=True,
        help_text="Null where the memory's present text does not say it, was not read yet, or was"
        " imported.",
    )


class FactEnd(serializers.Serializer):
    """How a fact ended, or will."""

    closed_reason = ChoiceField(CLOSED_REASONS, help_text="The rule.")
    explanation = CharField(help_text="The rule in a sentence.")
    invalid_at = DateTimeField()
    closed_known_at = DateTimeField()
    by = Fact(allow_null=True, help_text="The fact that ended it; null where none did.")
    memory_id = CharField(
        allow_null=True, help_text="The memory whose text ended it; null where none did."
    )


class LinkedFact(Fact):
    asked = BooleanField(help_text="Whether it is the fact that was asked for.")


_ROME = {
    "id": "fct_01998a3c5f1e7c2b8d4e6f708192a3b4",
    "subject": "marco",
    "subject_type": "self",
    "subject_canonical": "marco",
    "predicate": "lives_in",
    "predicate_raw": "live in",
    "predicate_family": "places",
    "object": "Rome",
    "object_is_literal": False,
    "object_canonical": "Rome",
    "confidence": 0.9,
    "user_id": "marco",
    "agent_id": None,
    "tense": "current",
    "valid_from": "2026-01-10T00:00:00+00:00",
    "invalid_at": "2026-05-20T00:00:00+00:00",
    "invalidated_by": "fct_01998a3c5f1e7c2b8d4e6f708192a3b5",
    "closed_known_at": "2026-05-20T08:30:00+00:00",
    "closed_reason": "superseded",
    "observation_count": 1,
    "last_confirmed_at": None,
    "source_memory_id": "mem_01998a3c5f1e7c2b8d4e6f708192a3b6",
    "source_memory_ids": ["mem_01998a3c5f1e7c2b8d4e6f708192a3b6"],
    "created_at": "2026-01-10T09:14:22+00:00",
}
_MILAN = {
    **_ROME,
    "id": _ROME["invalidated_by"],
    "predicate_raw": "moved to",
    "object": "Milan",
    "object_canonical": "Milan",
    "valid_from": _ROME["invalid_at"],
    "invalid_at": None,
    "invalidated_by": None,
    "closed_known_at": None,
    "closed_reason": None,
    "source_memory_id": "mem_01998a3c5f1e7c2b8d4e6f708192a3b7",
    "source_memory_ids": ["mem_01998a3c5f1e7c2b8d4e6f708192a3b7"],
    "created_at": _ROME["closed_known_at"],
}
WHY_EXAMPLE = {
    "fact": _ROME,
    "direct": False,
    "sources": [
        {
            "memory_id": _ROME["source_memory_id"],
            "kind": "note",
            "timestamp": _ROME["valid_from"],
            "stated_at": _ROME["created_at"],
            "withdrawn_at": None,
            "evidence": {"start": 0, "end": 15, "text": "I live in Rome."},
        }
    ],
    "ended": {
        "closed_reason": "superseded",
        "explanation": "Ended on 2026-05-20: what was said later took its place.",
        "invalid_at": _ROME["invalid_at"],
        "closed_known_at": _ROME["closed_known_at"],
        "by": _MILAN,
        "memory_id": "mem_01998a3c5f1e7c2b8d4e6f708192a3b7",
    },
    "superseded": [],
    "chain": [{**_ROME, "asked": True}, {**_MILAN, "asked": False}],
    "truncated": False,
}


@extend_schema_serializer(
    examples=[OpenApiExample("A move from Rome to Milan", WHY_EXAMPLE, response_only=True)]
)
class Why(serializers.Serializer):
    """What a fact rests on, what ended it, what it ended."""

    fact = Fact()
    direct = BooleanField(help_text="Whether a caller wrote it, or said it again.")
    sources = FactOrigin(many=True, help_text="Oldest first, at most 100.")
    ended = FactEnd(allow_null=True, help_text="Null while it has no end.")
    superseded = Fact(
        many=True, help_text="The facts that it ended, by whatever rule, newest first."
    )
    chain = LinkedFact(
        many=True,
        help_text="Its line by `invalidated_by`, both ways and itself in it, oldest first.",
    )
    truncated = BooleanField(
        help_text="Whether there are more than 100 sources, or more than 50 facts before or after."
    )
