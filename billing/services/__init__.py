"""Quotas, the agent cap and the audit log: writes."""

from billing.services.agents import admit_agent, check_agent, lock_slots
from billing.services.audit import record
from billing.services.partitions import make_audit_partitions
from billing.services.quotas import (
    Kind,
    Reservation,
    give_back,
    release,
    reserve,
    spending,
    warn_at_80_percent,
)
from billing.services.removal import (
    remove_aged_audit,
    remove_all_aged_audit,
    remove_project_audit,
)
from billing.services.seals import seal_all, seal_project
from billing.services.writer_tokens import settle_tokens, take_tokens, tokens_used

__all__ = [
    "Kind",
    "Reservation",
    "admit_agent",
    "check_agent",
    "give_back",
    "lock_slots",
    "make_audit_partitions",
    "record",
    "release",
    "remove_aged_audit",
    "remove_all_aged_audit",
    "remove_project_audit",
    "reserve",
    "seal_all",
    "seal_project",
    "settle_tokens",
    "spending",
    "take_tokens",
    "tokens_used",
    "warn_at_80_percent",
]
