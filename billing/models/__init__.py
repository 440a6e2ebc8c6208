"""Plans, the month's usage, agent names, the audit log, tokens of language models."""

from billing.models.agents import AgentName
from billing.models.audit import AuditEvent, AuditSeal
from billing.models.plans import Plan, TopUp
from billing.models.usage import Usage
from billing.models.writer import WriterDay

__all__ = ["AgentName", "AuditEvent", "AuditSeal", "Plan", "TopUp", "Usage", "WriterDay"]
