"""The audit log and its seals: reads."""

from billing.selectors.audit import AuditPage, AuditRow, list_audit
from billing.selectors.settled import settled_until

__all__ = ["AuditPage", "AuditRow", "list_audit", "settled_until"]
