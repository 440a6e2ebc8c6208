"""Usage, the logs of acts and of requests, seals: reads."""

from billing.selectors.about import AuditNote, events_about
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
    settled_for,
)
from billing.selectors.plans import list_plan_requests, list_plans
from billing.selectors.requests import (
    RequestFilter,
    find_request,
    list_requests,
    refused_by_day,
)
from billing.selectors.settled import settled_until
from billing.selectors.usage import (
    Used,
    UsedOf,
    agents_used,
    list_top_ups,
    list_used,
    used_by_day,
    used_by_month,
    used_in_month,
)
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
    "AuditNote",
    "AuditPage",
    "AuditRow",
    "AuditStretch",
    "RequestFilter",
    "Used",
    "UsedOf",
    "Verified",
    "agents_used",
    "all_audit",
    "chain_heads",
    "events_about",
    "find_audit",
    "find_request",
    "list_audit",
    "list_plan_requests",
    "list_plans",
    "list_requests",
    "list_top_ups",
    "list_used",
    "page_audit",
    "refused_by_day",
    "sealed_or_existing",
    "settled_for",
    "settled_until",
    "used_by_day",
    "used_by_month",
    "used_in_month",
    "verify_project",
]
