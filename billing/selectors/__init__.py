"""The audit log and its seals: reads."""

from billing.selectors.audit import AuditPage, AuditRow, list_audit
from billing.selectors.audit_pages import (
    LOOKED_AT,
    AuditEntry,
    AuditFilter,
    AuditMark,
    AuditStretch,
    all_audit,
    find_audit,
    page_audit,
)
from billing.selectors.settled import settled_until
from billing.selectors.verification import (
    Verified,
    chain_heads,
    sealed_or_existing,
    verify_project,
)

__all__ = [
    "LOOKED_AT",
    "AuditEntry",
    "AuditFilter",
    "AuditMark",
    "AuditPage",
    "AuditRow",
    "AuditStretch",
    "Verified",
    "all_audit",
    "chain_heads",
    "find_audit",
    "list_audit",
    "page_audit",
    "sealed_or_existing",
    "settled_until",
    "verify_project",
]
