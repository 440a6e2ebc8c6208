"""What every strict field is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from rest_framework import serializers


def refuse(message: str, code: str = "value_error") -> serializers.ValidationError:
    return serializers.ValidationError(message, code=code)


class StrictField(serializers.Field, ABC):
    """Base of every request field."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The field's JSON Schema in the OpenAPI document."""
