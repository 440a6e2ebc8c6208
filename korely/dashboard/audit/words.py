"""What actions, actors and results are called; what is not listed goes by its own name."""

from __future__ import annotations

from typing import Any

ACTIONS = {
    "Memories and facts": {
        "read": "Read",
        "write": "Memory written",
        "forget": "Forgotten",
        "fact_write": "Fact written",
        "fact_invalidate": "Fact ended",
        "name_declare": "Name declared",
        "erase": "Erased",
        "import": "Imported",
        "export": "Exported",
        "retry": "Extraction retried",
    },
    "Keys": {
        "key_create": "Key created",
        "key_rotate": "Key rotated",
        "key_move": "Key moved",
        "key_revoke": "Key revoked",
    },
    "Projects and webhooks": {
        "project_create": "Project created",
        "project_update": "Project changed",
        "project_delete": "Project deleted",
        "predicate_set": "Predicate set",
        "predicate_remove": "Predicate removed",
        "webhook_create": "Webhook created",
        "webhook_update": "Webhook changed",
        "webhook_delete": "Webhook deleted",
        "webhook_redeliver": "Deliveries sent again",
    },
    "Team and plan": {
        "member_invite": "Invited",
        "member_uninvite": "Invitation taken back",
        "member_join": "Joined",
        "member_role": "Role changed",
        "member_remove": "Removed from the team",
        "organisation_update": "Organisation changed",
        "plan_change": "Plan changed",
        "plan_update": "Plan edited",
        "plan_request": "Plan asked for",
        "plan_request_withdraw": "Plan request withdrawn",
        "plan_request_decline": "Plan request declined",
        "top_up": "Topped up",
        "quota_warning": "80 % of the month's writes used",
        "account_delete": "Account deleted",
    },
    "The log and access": {
        "audit_remove": "Old events removed",
        "dashboard": "Page opened",
        "admin": "Administration",
        "access": "Access",
        "operator_reveal": "Operator saw a text",
        "operator_visit": "Operator's visit",
        "operator_visit_end": "Operator's visit ended",
    },
}
ACTORS = {
    "rest": "API",
    "mcp": "MCP",
    "dashboard": "Dashboard",
    "worker": "Korely itself",
    "manage": "The operator",
}
RESULTS = {"ok": "ok", "denied": "denied", "error": "error"}

_WORDS = {name: words for group in ACTIONS.values() for name, words in group.items()}
_PERSON = "person"  # told by its address, beside the actor


def action_in_words(action: str) -> str:
    return _WORDS.get(action, action)


def labels_of(meta: dict[str, Any]) -> list[tuple[str, str]]:
    """An event's counts and labels as pairs of words."""
    return [
        (name.replace("_", " "), _shown(value)) for name, value in meta.items() if name != _PERSON
    ]


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
