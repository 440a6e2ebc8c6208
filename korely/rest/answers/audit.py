"""The shapes of answers: the audit log."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    RegexField,
)

from korely.kernel import ids
from korely.kernel.caller import ACTORS
from korely.rest.answers.base import Id


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
