"""The shapes of answers: What the shapes of answers are made of."""

from __future__ import annotations

from typing import Any

from rest_framework.serializers import (
    RegexField,
)


class Id(RegexField):
    """A prefix and 32 lower-case hex digits."""

    def __init__(self, prefix: str, **kwargs: Any) -> None:
        super().__init__(f"^{prefix}_[0-9a-f]{{32}}$", **kwargs)
