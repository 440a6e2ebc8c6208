"""Quotas, the agent cap and the audit log: writes."""

from billing.services.agents import admit_agent, check_agent, lock_slots
from billing.services.audit import record
from billing.services.quotas import Kind, release, reserve, spending

__all__ = ["Kind", "admit_agent", "check_agent", "lock_slots", "record", "release", "reserve", "spending"]
