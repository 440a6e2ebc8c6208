"""The shapes of answers: memories, batches, search, context, events."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DateTimeField,
    DictField,
    FloatField,
    IntegerField,
    JSONField,
)

from korely.kernel import ids
from korely.rest.answers.base import Id
from korely.rest.answers.facts import Fact


class Memory(serializers.Serializer):
    id = Id(ids.MEMORY)
    content = CharField()
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    run_id = CharField(allow_null=True)
    client = CharField(allow_null=True)
    kind = ChoiceField(["note", "session", "tool"])
    metadata = DictField(child=JSONField())
    timestamp = DateTimeField(allow_null=True)
    status = ChoiceField(["processing", "ready", "error"])
    created_at = DateTimeField()
    updated_at = DateTimeField()


class MemoryWithFacts(Memory):
    facts = Fact(many=True)


class MemoryList(serializers.Serializer):
    memories = Memory(many=True)
    total = IntegerField(min_value=0)


class BatchError(serializers.Serializer):
    index = IntegerField(min_value=0, help_text="The item's place in `memories`.")
    error = CharField()


class Batch(serializers.Serializer):
    id = Id(ids.JOB)
    status = ChoiceField(
        ["pending", "processing", "completed", "failed"],
        help_text="`completed`: every item was tried. `failed`: the job itself broke.",
    )
    received = IntegerField(min_value=1)
    imported = IntegerField(min_value=0)
    failed = IntegerField(min_value=0)
    errors = BatchError(many=True)  # type: ignore[assignment]  # DRF has a property of that name


class Forgotten(serializers.Serializer):
    id = Id(ids.MEMORY)
    status = ChoiceField(["forgotten"])
    facts_invalidated = IntegerField(min_value=0)
    audit_id = Id(ids.AUDIT)


class HistoryEvent(serializers.Serializer):
    event = ChoiceField(["created", "updated", "fact_extracted", "fact_invalidated", "deleted"])
    at = DateTimeField(allow_null=True)
    fact = CharField(allow_null=True)
    fact_id = Id(ids.FACT, allow_null=True)


class History(serializers.Serializer):
    id = Id(ids.MEMORY)
    events = HistoryEvent(many=True)


class SearchResult(serializers.Serializer):
    id = CharField()
    score = FloatField(min_value=0, max_value=1)
    snippet = CharField()
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    metadata = DictField(child=JSONField())
    type = ChoiceField(["memory", "fact"], required=False)
    content = CharField(required=False)
    fact = Fact(required=False)


class SearchResults(serializers.Serializer):
    results = SearchResult(many=True)


class ExtractionEvent(serializers.Serializer):
    memory_id = Id(ids.MEMORY)
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    status = ChoiceField(["processing", "ready", "error"])
    created_at = DateTimeField()


class Events(serializers.Serializer):
    events = ExtractionEvent(many=True)
    processing = IntegerField(min_value=0)
