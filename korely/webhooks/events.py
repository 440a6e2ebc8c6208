"""The events that endpoints are told of, and their words (contract, section 18)."""

from __future__ import annotations

MEMORY_CREATED = "memory.created"
MEMORY_READY = "memory.ready"
FACT_INVALIDATED = "fact.invalidated"
QUOTA_WARNING = "quota.warning"
TEST = "webhook.test"  # on request only: every endpoint gets its own
EVERYTHING = "*"

EVENTS = (MEMORY_CREATED, MEMORY_READY, FACT_INVALIDATED, QUOTA_WARNING, TEST)
