"""The shapes of answers: end users, agents, the account."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    DictField,
    IntegerField,
)

from korely.kernel import ids
from korely.rest.answers.base import Id


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
