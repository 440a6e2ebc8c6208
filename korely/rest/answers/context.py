"""The shapes of answers: context."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    IntegerField,
    ListField,
    RegexField,
)

_NOTE = (
    "_Memory as of 2026-02-01: facts true then, then notes up to then quoted as they were written;"
    " where they differ, the later date wins._"
)
_RECALLED = (
    "## Known facts\n- marco lives_in Rome (since 2026-01-10, until 2026-05-20)\n\n"
    "## Relevant memories\n- [2026-01-10] I live in Rome."
)
CONTEXT_EXAMPLE = {
    "context": f"{_NOTE}\n\n{_RECALLED}",
    "tokens": 66,
    "sources": [
        "fct_01998a3c5f1e7c2b8d4e6f708192a3b4",
        "mem_01998a3c5f1e7c2b8d4e6f708192a3b6",
    ],
    "stable": _NOTE,
    "volatile": _RECALLED,
    "stable_hash": "f64122d8aeb04874151b520b9c936ce63f69fad631a0bfa44b50cca521f2fca6",
    "degraded": False,
    "degraded_parts": [],
}


@extend_schema_serializer(
    examples=[OpenApiExample("As of 1 February 2026", CONTEXT_EXAMPLE, response_only=True)]
)
class Context(serializers.Serializer):
    context = CharField()  # type: ignore[assignment]  # DRF has a property of that name
    tokens = IntegerField(min_value=0)
    sources = ListField(child=CharField())
    stable = CharField()
    volatile = CharField()
    stable_hash = RegexField("^[0-9a-f]{64}$")
    degraded = BooleanField()
    degraded_parts = ListField(child=ChoiceField(["facts", "memories"]))
