"""Webhooks in words: their events, how they are, what became of a delivery."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from korely.webhooks import events
from korely.webhooks.models import Delivery, Endpoint
from korely.webhooks.selectors import state_of

EVENT_WORDS = {
    events.EVERYTHING: "Every event, and those that come later",
    events.MEMORY_CREATED: "memory.created: a memory was stored, its facts are still to be read",
    events.MEMORY_READY: "memory.ready: a memory's facts were read, or could not be",
    events.FACT_INVALIDATED: "fact.invalidated: a fact was superseded, or ended",
    events.QUOTA_WARNING: "quota.warning: most of the month's writes are used",
    events.TEST: "webhook.test: sent by the button for it, always to its own webhook",
}

DELIVERY_WORDS = {
    Delivery.PENDING: ("Pending", "info"),
    Delivery.DELIVERED: ("Delivered", "ok"),
    Delivery.DEAD: ("Given up", "bad"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A webhook as the pages show it. `badge` is the class of its state, `why` says more of it."""

    row: Endpoint
    host: str
    state: str
    badge: str
    why: str


_STATES = {
    "working": ("Working", "ok", ""),
    "failing": ("Failing", "warn", "The last try failed. What waits is tried again by itself."),
    "paused": ("Paused", "warn", "Too many tries in a row failed. It is tried again by itself."),
    "disabled": ("Off", "", "Turned off here or by an API key. Nothing is sent."),
    "gone": ("Off", "bad", "The receiver answered 410 Gone, so nothing more is sent."),
    "given_up": ("Off", "bad", "For days nothing but failures came back, so nothing more is sent."),
}


def shown(row: Endpoint) -> Shown:
    word, badge, why = _STATES[state_of(row)]
    if word == "Working" and row.last_success_at is None:
        word, badge, why = "Not used yet", "info", "Nothing was sent yet: try a test event."
    return Shown(row, host_of(row), word, badge, why)


def host_of(row: Endpoint) -> str:
    """Its host and port: paths are often secrets."""
    return urlsplit(row.url).netloc.rpartition("@")[2]
