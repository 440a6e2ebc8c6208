"""The shapes of answers, for the OpenAPI document (contract, section 7). Nothing is built here."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    FloatField,
    IntegerField,
    JSONField,
    ListField,
    RegexField,
)

from facts.vocabulary.table import FAMILIES
from korely.kernel import ids
from korely.kernel.caller import ACTORS, SCOPES
from korely.webhooks.events import EVENTS, EVERYTHING

# The rules that end a fact (facts.reconciliation).
CLOSED_REASONS = (
    "superseded closed corrected forgotten history fulfilled cancelled erased_source stated"
).split()


class Id(RegexField):
    """A prefix and 32 lower-case hex digits."""

    def __init__(self, prefix: str, **kwargs: Any) -> None:
        super().__init__(f"^{prefix}_[0-9a-f]{{32}}$", **kwargs)


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


class ExportHeader(serializers.Serializer):
    type = ChoiceField(["header"])
    format = ChoiceField(["korely-export"])
    version = IntegerField(min_value=1, max_value=1)
    exported_at = DateTimeField()


class ExportedMemory(Memory):
    type = ChoiceField(["memory"])


class ExportedFact(Fact):
    type = ChoiceField(["fact"])
    direct = BooleanField(
        required=False,
        help_text="Whether a caller wrote it. Left out where it has sources and no caller did, or"
        " has none and one did.",
    )


class ExportedName(DeclaredName):
    type = ChoiceField(["name"])


class ExportEnd(serializers.Serializer):
    type = ChoiceField(["end"])
    memories = IntegerField(min_value=0)
    facts = IntegerField(min_value=0)
    names = IntegerField(min_value=0)


EXPORT_LINE = PolymorphicProxySerializer(
    component_name="ExportLine",
    serializers=[ExportHeader, ExportedMemory, ExportedFact, ExportedName, ExportEnd],
    resource_type_field_name=None,
    many=False,
)


class LineError(serializers.Serializer):
    line = IntegerField(min_value=1, help_text="Its number, from 1.")
    error = CharField()


class Imported(serializers.Serializer):
    memories_imported = IntegerField(min_value=0)
    facts_imported = IntegerField(min_value=0)
    names_imported = IntegerField(min_value=0)
    skipped = IntegerField(min_value=0, help_text="Lines of what the project has already.")
    failed = IntegerField(min_value=0)
    errors = LineError(many=True)  # type: ignore[assignment]  # DRF has a property of that name
    complete = BooleanField(help_text="The end line was there, and its counts agree.")


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


class FactList(serializers.Serializer):
    facts = Fact(many=True)
    total = IntegerField(min_value=0)


class Context(serializers.Serializer):
    context = CharField()  # type: ignore[assignment]  # DRF has a property of that name
    tokens = IntegerField(min_value=0)
    sources = ListField(child=CharField())
    stable = CharField()
    volatile = CharField()
    stable_hash = RegexField("^[0-9a-f]{64}$")
    degraded = BooleanField()
    degraded_parts = ListField(child=ChoiceField(["facts", "memories"]))


class ExtractionEvent(serializers.Serializer):
    memory_id = Id(ids.MEMORY)
    user_id = CharField(allow_null=True)
    agent_id = CharField(allow_null=True)
    status = ChoiceField(["processing", "ready", "error"])
    created_at = DateTimeField()


class Events(serializers.Serializer):
    events = ExtractionEvent(many=True)
    processing = IntegerField(min_value=0)


class User(serializers.Serializer):
    user_id = CharField()
    memories = IntegerField(min_value=0)
    facts = IntegerField(min_value=0)
    last_active = DateTimeField()


class Users(serializers.Serializer):
    users = User(many=True)
    total = IntegerField(min_value=0)


class ErasedUser(serializers.Serializer):
    user_id = CharField()
    memories_deleted = IntegerField(min_value=0)
    facts_deleted = IntegerField(min_value=0)
    memories_forgotten = IntegerField(min_value=0, help_text="`memories_deleted`, by an old name.")
    facts_invalidated = IntegerField(min_value=0, help_text="`facts_deleted`, by an old name.")
    erasure = ChoiceField(["permanent"])
    audit_id = Id(ids.AUDIT)


class Agent(serializers.Serializer):
    agent_id = CharField()
    memories = IntegerField(min_value=0)
    facts = IntegerField(min_value=0)
    last_active = DateTimeField()


class Agents(serializers.Serializer):
    agents = Agent(many=True)
    total = IntegerField(min_value=0, help_text="Names of this project.")
    cap = IntegerField(min_value=0, help_text="The plan's; 0 for none.")
    used = IntegerField(min_value=0, help_text="Names over the whole account.")


class PurgedAgent(serializers.Serializer):
    agent_id = CharField()
    memories_deleted = IntegerField(min_value=0)
    facts_deleted = IntegerField(min_value=0)
    audit_id = Id(ids.AUDIT)
    slot_freed = BooleanField(allow_null=True)


class DeletedAccount(serializers.Serializer):
    deleted = BooleanField()
    removed = DictField(child=IntegerField(min_value=1), help_text="Only kinds that had any.")


class AuditRead(serializers.Serializer):
    """What a read returned, at most 100 ids of each kind."""

    memories = ListField(child=Id(ids.MEMORY), max_length=100)
    facts = ListField(child=Id(ids.FACT), max_length=100)


class AuditEvent(serializers.Serializer):
    id = Id(ids.AUDIT)
    ts = RegexField(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
    actor = ChoiceField(ACTORS)
    action = CharField(help_text="An open list.")
    result = ChoiceField(["ok", "denied", "error"])
    user_id = CharField(allow_null=True)
    target_id = CharField(allow_null=True)
    meta = DictField(child=JSONField())
    ip = CharField(allow_null=True)
    read = AuditRead(allow_null=True)


class Audit(serializers.Serializer):
    events = AuditEvent(many=True)
    total = IntegerField(min_value=0)


class Ping(serializers.Serializer):
    ok = BooleanField()
    tier = CharField()
    region = CharField()
    processing_region = ChoiceField(["eu", "global"], allow_null=True)
    scopes = ListField(child=ChoiceField(SCOPES))


class Project(serializers.Serializer):
    id = Id(ids.PROJECT)
    name = CharField()
    description = CharField()
    region = ChoiceField(["eu", "global"], allow_null=True)
    is_default = BooleanField()
    archived_at = DateTimeField(allow_null=True)
    created_at = DateTimeField()


class Projects(serializers.Serializer):
    projects = Project(many=True)


class DeletedProject(serializers.Serializer):
    id = Id(ids.PROJECT)
    deleted = BooleanField()
    keys_moved = IntegerField(min_value=0)
    memories_moved = IntegerField(min_value=0)
    facts_moved = IntegerField(min_value=0)
    memories_deleted = IntegerField(min_value=0)
    facts_deleted = IntegerField(min_value=0)
    audit_id = Id(ids.AUDIT)


class ApiKey(serializers.Serializer):
    id = Id(ids.KEY)
    name = CharField()
    masked = RegexField("^kor_(self|live)_••••[0-9a-f]{4}$")
    state = ChoiceField(["live", "expired", "revoked"])
    scopes = ListField(child=ChoiceField(SCOPES))
    project_id = Id(ids.PROJECT)
    project_name = CharField()
    users = ListField(child=CharField(), allow_null=True)
    created_at = DateTimeField()
    last_used_at = DateTimeField(allow_null=True)
    expires_at = DateTimeField(allow_null=True)
    revoked_at = DateTimeField(allow_null=True)


class NewApiKey(ApiKey):
    key = RegexField("^kor_(self|live)_[0-9a-f]{32}$")


class Quotas(serializers.Serializer):
    """What the account's plan allows; null is no limit."""

    writes_per_month = IntegerField(min_value=0, allow_null=True)
    queries_per_month = IntegerField(min_value=0, allow_null=True)
    agents = IntegerField(min_value=0, allow_null=True)


class NewAccount(serializers.Serializer):
    api_key = RegexField("^kor_(self|live)_[0-9a-f]{32}$")
    tier = CharField()
    region = CharField()
    processing_region = ChoiceField(["eu", "global"], allow_null=True)
    scopes = ListField(child=ChoiceField(SCOPES))
    quotas = Quotas()
    terms_url = CharField(allow_null=True)
    privacy_url = CharField(allow_null=True)


class ApiKeys(serializers.Serializer):
    keys = ApiKey(many=True)


class Webhook(serializers.Serializer):
    id = Id(ids.WEBHOOK)
    url = CharField()
    events = ListField(child=ChoiceField([EVERYTHING, *EVENTS]), min_length=1)
    project_id = Id(ids.PROJECT, allow_null=True, help_text="Null: the whole account.")
    description = CharField()
    state = ChoiceField(["enabled", "disabled"])
    disabled_reason = ChoiceField(
        ["gone", "failing"],
        allow_null=True,
        help_text="`gone`: it answered 410; `failing`: five days of nothing but failures; null"
        " where it is enabled, or disabled on request.",
    )
    created_at = DateTimeField()
    last_success_at = DateTimeField(allow_null=True)
    last_failure_at = DateTimeField(allow_null=True)


class Webhooks(serializers.Serializer):
    webhooks = Webhook(many=True)


class NewWebhook(Webhook):
    secret = RegexField("^whsec_[A-Za-z0-9+/]{43}=$")


class WebhookSecret(serializers.Serializer):
    id = Id(ids.WEBHOOK)
    secret = RegexField("^whsec_[A-Za-z0-9+/]{43}=$")


class SentTest(serializers.Serializer):
    id = Id(ids.WEBHOOK)
    message_id = RegexField("^msg_[0-9a-f]{32}$")


class DeletedWebhook(serializers.Serializer):
    id = Id(ids.WEBHOOK)
    deleted = BooleanField()


class Delivery(serializers.Serializer):
    id = Id(ids.DELIVERY)
    message_id = RegexField("^msg_[0-9a-f]{32}$", help_text="The header `webhook-id`.")
    event = ChoiceField(EVENTS)
    state = ChoiceField(["pending", "delivered", "dead"])
    attempts = IntegerField(min_value=0)
    response_status = IntegerField(allow_null=True, help_text="Of the last try; null: no answer.")
    error = CharField(allow_null=True, help_text="Why the last try failed.")
    created_at = DateTimeField()
    next_attempt_at = DateTimeField(allow_null=True)
    delivered_at = DateTimeField(allow_null=True)


class Deliveries(serializers.Serializer):
    deliveries = Delivery(many=True)
    total = IntegerField(min_value=0)


@extend_schema_field({"type": ["string", "integer"]})
class PathPart(serializers.Field):
    """A name, or an index of a list."""


class Detail(serializers.Serializer):
    """One fault: `loc` is `body`, `query` or `path`, then names and list indexes."""

    type = CharField()
    loc = ListField(child=PathPart())
    msg = CharField()


class Error(serializers.Serializer):
    """Every answer of status 400 or above; some codes add fields beside these."""

    code = CharField()
    message = CharField()
    detail = Detail(many=True, required=False, help_text="On 422: one entry a fault.")
    limit = IntegerField(required=False, help_text="On `quota_exceeded`: the month's allowance.")
    used = IntegerField(
        required=False, help_text="On `quota_exceeded` and `agent_cap_exceeded`: what is taken."
    )
    current_fact_id = Id(
        ids.FACT,
        allow_null=True,
        required=False,
        help_text="On `fact_not_current`: the fact that holds now, if there is one.",
    )
    resets_at = DateField(required=False, help_text="On `quota_exceeded`: when it starts again.")
    cap = IntegerField(required=False, help_text="On `agent_cap_exceeded`: the plan's cap.")
