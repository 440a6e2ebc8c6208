"""The shapes of answers: webhooks and their deliveries."""

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
from korely.rest.answers.base import Id
from korely.webhooks.events import EVENTS, EVERYTHING


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
