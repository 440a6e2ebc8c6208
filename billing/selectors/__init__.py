"""The audit log and its seals: reads."""

from billing.selectors.audit import AuditPage, AuditRow, list_audit
from billing.selectors.settled import settled_until
from billing.selectors.verification import (
    Verified,
    chain_heads,
    sealed_or_existing,
    verify_project,
)

__all__ = [
    "AuditPage",
    "AuditRow",
    "Verified",
    "chain_heads",
    "list_audit",
    "sealed_or_existing",
    "settled_until",
    "verify_project",
]
