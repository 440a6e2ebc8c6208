"""What statuses and headers mean, as the OpenAPI document tells it."""

from __future__ import annotations

from typing import Any

from korely.http.repeats import HEADER

MEANINGS = {
    "400": "`confirmation_required`: it is asked without `confirm=true`.",
    "401": "`invalid_key`: the key is missing, unknown, revoked or expired.",
    "403": "`forbidden`: a missing scope, or an end user out of a confined key's reach;"
    " `agent_cap_exceeded`: a new agent past the plan's cap.",
    "404": "`not_found`: no such object here, or a malformed id.",
    "408": "`request_timeout`: the body did not arrive in time.",
    "409": "`stale_write`, `fact_not_current`, `account_has_login`, `conflict`: what is held here"
    " stands against it; `idempotency_conflict`: the `Idempotency-Key` came with another body, or"
    " with a request that still runs.",
    "413": "`payload_too_large`: the body is larger than 2,097,152 bytes.",
    "415": "`unsupported_media_type`: the body is no plain JSON.",
    "422": "`invalid_request`: a value or field is refused; `detail` names each.",
    "429": "`rate_limit_exceeded`: too many requests in a minute, an hour or a day; see"
    " `Retry-After`.",
    "500": "`internal_error`: the server failed.",
    "503": "Not now: see `Retry-After`.",
}

OF_LINES = {
    "413": "`payload_too_large`: the body is larger than 67,108,864 bytes.",
    "415": "`unsupported_media_type`: the body is not `application/x-ndjson`.",
    "422": "`invalid_request`: the first line is no header of this format and version.",
}

SIGN_UP = {
    "403": "`signup_disabled`: the operator has not opened sign-up.",
    "429": "`signup_rate_limited`: the caller's network made the accounts of this UTC day; see"
    " `Retry-After`.",
}

# Operations that name an object elsewhere than in a parameter of their path.
NAMING = {"POST /admin/keys", "POST /admin/webhooks", "DELETE /v1/agents/init"}

TOO_MANY = " `too_many_batches`: the plan's running batches are taken; no `Retry-After`."
SPENT = " `quota_exceeded`: the month's writes or queries are spent; no `Retry-After`."

RATE_LIMIT_HEADERS = {
    name: {"description": f"{text} Where a ceiling applies.", "schema": {"type": "integer"}}
    for name, text in (
        ("RateLimit-Limit", "Requests that the window allows which is nearest to being spent."),
        ("RateLimit-Remaining", "Requests left in that window."),
        ("RateLimit-Reset", "Seconds until that window ends."),
    )
}


KEY = {
    "in": "header",
    "name": HEADER,
    "description": "For 24 hours after a success the same key with an equal JSON body is answered"
    " as it was the first time, and does and costs nothing. The project's and this route's own.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
}
CLIENT = {
    "in": "header",
    "name": "X-Korely-Client",
    "description": "What wrote it: kept with the memory as `client`, trimmed, without control"
    " characters, cut to 100. A label only.",
    "schema": {"type": "string"},
}
LABELLED = {"POST /v1/memories", "POST /v1/batch"}
REPLAYED: dict[str, Any] = {
    "Idempotency-Replayed": {
        "description": "On the stored answer of an earlier request.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
