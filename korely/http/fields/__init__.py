"""Strict request fields: JSON types as sent, never coerced; query strings in their own spelling.

Each raises DRF's ValidationError whose code becomes the `type` of a 422's detail entry.
"""

from korely.http.fields.base import StrictField
from korely.http.fields.metadata import Metadata, MetadataFilter
from korely.http.fields.texts import Identifier, Patterns, Text, Verbatim, Word, Words
from korely.http.fields.values import (
    MAX_OFFSET,
    Boolean,
    Instant,
    InstantText,
    Integer,
    Number,
)

__all__ = [
    "MAX_OFFSET",
    "Boolean",
    "Identifier",
    "Instant",
    "InstantText",
    "Integer",
    "Metadata",
    "MetadataFilter",
    "Number",
    "Patterns",
    "StrictField",
    "Text",
    "Verbatim",
    "Word",
    "Words",
]
