"""What may be said of facts: one written, one corrected, one forgotten (contract, section 11).

Whoever takes them, as JSON or from a form, takes these.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from korely.http.fields import Boolean, Identifier, Instant, Number, Text, Word
from korely.http.shapes import Shape, one_of_them

FACT_PART_LENGTH = 200  # a subject, a predicate, a name of an end user
FACT_OBJECT_LENGTH = 500


class WriteFact(Shape):
    subject = Text(most=FACT_PART_LENGTH)
    predicate = Text(most=FACT_PART_LENGTH)
    object = Text(most=FACT_OBJECT_LENGTH)
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)
    run_id = Identifier(required=False)
    subject_type = Text(least=0, most=20, required=False)
    object_is_literal = Boolean(required=False)
    confidence = Number(least=0, most=1, required=False)
    valid_from = Instant(required=False)
    tense = Word("current", "past", "planned", required=False)


class CorrectFact(Shape):
    subject = Text(most=FACT_PART_LENGTH, required=False)
    predicate = Text(most=FACT_PART_LENGTH, required=False)
    object = Text(most=FACT_OBJECT_LENGTH, required=False)
    rules = one_of_them("subject", "predicate", "object")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            message = "is required when neither predicate nor object is sent"
            raise serializers.ValidationError({"subject": message}, "missing")
        return attrs


class ForgetFact(Shape):
    at = Instant(required=False)
