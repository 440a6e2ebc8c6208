"""Numbers that remember how they were written."""

from __future__ import annotations


class SpelledFloat(float):
    """A JSON number with a fraction or exponent, and the text that spelled it."""

    __slots__ = ("spelling",)
    spelling: str

    def __new__(cls, text: str) -> SpelledFloat:
        value = super().__new__(cls, text)
        value.spelling = text
        return value
