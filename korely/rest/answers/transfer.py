"""The shapes of answers: lines of an export, and what an import tells."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
)

from korely.rest.answers.facts import DeclaredName, Fact
from korely.rest.answers.memories import Memory


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
