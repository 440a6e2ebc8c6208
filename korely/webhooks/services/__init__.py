"""Webhooks: writes. Acts of callers, checked and audited, are in `accounts.services.webhooks`."""

from korely.webhooks.services.delivering import deliver_next, message_id
from korely.webhooks.services.endpoints import (
    change_endpoint,
    create_endpoint,
    drop_deliveries,
    move_deliveries,
    remove_account_endpoints,
    remove_aged,
    remove_endpoint,
    remove_project_endpoints,
    rotate_secret,
    send_test,
)
from korely.webhooks.services.redelivering import redeliver
from korely.webhooks.services.telling import Told, tell

__all__ = [
    "Told",
    "change_endpoint",
    "create_endpoint",
    "deliver_next",
    "drop_deliveries",
    "message_id",
    "move_deliveries",
    "redeliver",
    "remove_account_endpoints",
    "remove_aged",
    "remove_endpoint",
    "remove_project_endpoints",
    "rotate_secret",
    "send_test",
    "tell",
]
