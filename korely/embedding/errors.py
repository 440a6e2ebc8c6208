"""What can go wrong between a text and its vector."""

from __future__ import annotations


class ModelUnavailable(Exception):
    """The model's files are missing or not the expected ones, or the model failed on a text."""


class Busy(ModelUnavailable):
    """The model works, but this call waited too long for its turn."""
