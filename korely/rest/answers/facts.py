"""The shapes of answers: facts, profiles, names."""

from __future__ import annotations

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
