"""The shapes of answers, for the OpenAPI document (contract, section 7). Nothing is built here."""

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
    JSONField,
    ListField,
)

from korely.kernel.caller import SCOPES


class Fact(serializers.Serializer):
    id = CharField()
    subject = CharField()
    subject_type = CharField()
    subject_canonical = CharField()
    predicate = CharField()
    predicate_raw = CharField()
    predicate_family = CharField()
    object = CharField()
    object_is_literal = BooleanField()
    object_canonical = CharField()
    confidence = FloatField()
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    tense = ChoiceField(["current", "past", "planned"])
    valid_from = DateTimeField()
    invalid_at = DateTimeField(allow_null=True)
    invalidated_by = CharField(allow_null=True)
    closed_known_at = DateTimeField(allow_null=True)
    closed_reason = CharField(allow_null=True)
    observation_count = IntegerField()
    last_confirmed_at = DateTimeField(allow_null=True)
    source_memory_id = CharField(allow_null=True)
    source_memory_ids = ListField(child=CharField())
    created_at = DateTimeField()


class Memory(serializers.Serializer):
    id = CharField()
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
    total = IntegerField()


class Forgotten(serializers.Serializer):
    id = CharField()
    status = ChoiceField(["forgotten"])
    facts_invalidated = IntegerField()
    audit_id = CharField()


class HistoryEvent(serializers.Serializer):
    event = ChoiceField(["created", "updated", "fact_extracted", "fact_invalidated", "deleted"])
    at = DateTimeField(allow_null=True)
    fact = CharField(allow_null=True)
    fact_id = CharField(allow_null=True)


class History(serializers.Serializer):
    id = CharField()
    events = HistoryEvent(many=True)


class SearchResult(serializers.Serializer):
    id = CharField()
    score = FloatField()
    snippet = CharField()
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    metadata = DictField(child=JSONField())
    type = ChoiceField(["memory", "fact"], required=False)
    content = CharField(required=False)
    fact = Fact(required=False)


class SearchResults(serializers.Serializer):
    results = SearchResult(many=True)


class FactList(serializers.Serializer):
    facts = Fact(many=True)
    total = IntegerField()


class Context(serializers.Serializer):
    context = CharField()  # type: ignore[assignment]  # DRF has a property of that name
    tokens = IntegerField()
    sources = ListField(child=CharField())
    stable = CharField()
    volatile = CharField()
    stable_hash = CharField()
    degraded = BooleanField()
    degraded_parts = ListField(child=ChoiceField(["facts", "memories"]))


class ExtractionEvent(serializers.Serializer):
    memory_id = CharField()
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    status = ChoiceField(["processing", "ready", "error"])
    created_at = DateTimeField()


class Events(serializers.Serializer):
    events = ExtractionEvent(many=True)
    processing = IntegerField()


class Ping(serializers.Serializer):
    ok = BooleanField()
    tier = CharField()
    region = CharField()
    processing_region = ChoiceField(["eu", "global"], allow_null=True)
    scopes = ListField(child=ChoiceField(SCOPES))


class Project(serializers.Serializer):
    id = CharField()
    name = CharField()
    description = CharField()
    region = ChoiceField(["eu", "global"], allow_null=True)
    is_default = BooleanField()
    archived_at = DateTimeField(allow_null=True)
    created_at = DateTimeField()


class Projects(serializers.Serializer):
    projects = Project(many=True)


class DeletedProject(serializers.Serializer):
    id = CharField()
    deleted = BooleanField()
    keys_moved = IntegerField()
    memories_moved = IntegerField()
    facts_moved = IntegerField()
    memories_deleted = IntegerField()
    facts_deleted = IntegerField()
    audit_id = CharField()


class ApiKey(serializers.Serializer):
    id = CharField()
    name = CharField()
    masked = CharField()
    state = ChoiceField(["live", "expired", "revoked"])
    scopes = ListField(child=ChoiceField(SCOPES))
    project_id = CharField()
    project_name = CharField()
    users = ListField(child=CharField(), allow_null=True)
    created_at = DateTimeField()
    last_used_at = DateTimeField(allow_null=True)
    expires_at = DateTimeField(allow_null=True)
    revoked_at = DateTimeField(allow_null=True)


class NewApiKey(ApiKey):
    key = CharField()


class ApiKeys(serializers.Serializer):
    keys = ApiKey(many=True)


class Detail(serializers.Serializer):
    type = CharField()
    loc = ListField(child=JSONField())
    msg = CharField()


class Error(serializers.Serializer):
    """Every answer of status 400 or above; some codes add fields beside these."""

    code = CharField()
    message = CharField()
    detail = Detail(many=True, required=False)
