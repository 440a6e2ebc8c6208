"""Plans, usage by month and day, agent names, the logs of acts and requests, tokens of models."""

from billing.models.agents import AgentName
from billing.models.audit import AuditEvent, AuditSeal
from billing.models.plan_requests import PlanRequest
from billing.models.plans import Plan, TopUp
from billing.models.requests import RequestEntry
from billing.models.usage import Usage, UsageDay
from billing.models.writer import WriterDay

__all__ = [
    "AgentName",
    "AuditEvent",
    "AuditSeal",
    "Plan",
    "PlanRequest",
    "RequestEntry",
    "TopUp",
    "Usage",
    "UsageDay",
    "WriterDay",
]
