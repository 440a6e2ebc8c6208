"""Quotas, the agent cap, the logs of acts and of requests: writes."""

from billing.services.agents import admit_agent, check_agent, lock_slots
from billing.services.audit import record
from billing.services.partitions import make_audit_partitions
from billing.services.quotas import (
    Kind,
    Payer,
    Reservation,
    carry_writes,
    give_back,
    give_back_writes,
    release,
    remove_aged_days,
    reserve,
    spending,
    warn_at_80_percent,
)
from billing.services.removal import (
    remove_aged_audit,
    remove_all_aged_audit,
    remove_project_audit,
)
from billing.services.requests import Noted, remove_aged_requests, store_requests
from billing.services.seals import seal_all, seal_project
from billing.services.writer_tokens import settle_tokens, take_tokens, tokens_used

__all__ = [
    "Kind",
    "Noted",
    "Payer",
    "Reservation",
    "admit_agent",
    "carry_writes",
    "check_agent",
    "give_back",
    "give_back_writes",
    "lock_slots",
    "make_audit_partitions",
    "record",
    "release",
    "remove_aged_audit",
    "remove_aged_days",
    "remove_aged_requests",
    "remove_all_aged_audit",
    "remove_project_audit",
    "reserve",
    "seal_all",
    "seal_project",
    "settle_tokens",
    "spending",
    "store_requests",
    "take_tokens",
    "tokens_used",
    "warn_at_80_percent",
]
