"""Accounts, projects and API keys: writes."""

from accounts.services.bootstrap import bootstrap
from accounts.services.keys import NewKey, create_key, mint_key, move_key, revoke_key
from accounts.services.plans import add_top_up, change_plan
from accounts.services.projects import (
    archive_project,
    create_organisation,
    create_project,
    unarchive_project,
    update_project,
)
from accounts.services.rotation import rotate_key
from accounts.services.sign_up import SignedUp, require_sign_up_plan, sign_up_agent
from accounts.services.unseen import is_waiting, take_secret, waiting_key
from accounts.services.webhooks import (
    NewWebhook,
    Redelivered,
    create_webhook,
    delete_webhook,
    redeliver_dead_events,
    redeliver_event,
    rotate_webhook_secret,
    send_test_event,
    update_webhook,
)

__all__ = [
    "NewKey",
    "NewWebhook",
    "Redelivered",
    "SignedUp",
    "add_top_up",
    "archive_project",
    "bootstrap",
    "change_plan",
    "create_key",
    "create_organisation",
    "create_project",
    "create_webhook",
    "delete_webhook",
    "is_waiting",
    "mint_key",
    "move_key",
    "redeliver_dead_events",
    "redeliver_event",
    "require_sign_up_plan",
    "revoke_key",
    "rotate_key",
    "rotate_webhook_secret",
    "send_test_event",
    "sign_up_agent",
    "take_secret",
    "unarchive_project",
    "update_project",
    "update_webhook",
    "waiting_key",
]
