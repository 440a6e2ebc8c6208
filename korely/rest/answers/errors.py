"""The shapes of answers: every refusal."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.serializers import (
    CharField,
    DateField,
    IntegerField,
    ListField,
)

from korely.kernel import ids
from korely.rest.answers.base import Id


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
