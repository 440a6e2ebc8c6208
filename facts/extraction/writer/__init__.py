"""An optional engine: any OpenAI-compatible service reads, and our own rules verify.

The text goes to the endpoint that the operator configured and nowhere else, without ids, names or
keys. What comes back counts only as far as the text bears it out: words that are in it, in a
sentence that can state something, dated by our own rules.
"""

from facts.extraction.writer.asking import least_tokens
from facts.extraction.writer.breaker import Breaker
from facts.extraction.writer.endpoint import Budget, Endpoint, Grant, Patience
from facts.extraction.writer.engine import WriterEngine
from facts.extraction.writer.failures import WriterUnavailable

__all__ = [
    "Breaker",
    "Budget",
    "Endpoint",
    "Grant",
    "Patience",
    "WriterEngine",
    "WriterUnavailable",
    "least_tokens",
]
