"""The shapes of answers: ping, sign-up, projects and keys."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
    ListField,
    RegexField,
)

from korely.kernel import ids
from korely.kernel.caller import SCOPES
from korely.rest.answers.base import Id


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
