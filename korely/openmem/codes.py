"""The dialect's error codes, and what the service's refusals are called in it."""

from __future__ import annotations

from typing import Final

from korely.kernel.errors import Refusal

WRONG: Final = 40000  # a parameter of a wrong name, type, format, structure or range
NOT_FOUND: Final = 40001
MISSING: Final = 40002  # a required field is missing or empty
EMPTY: Final = 40003  # a list or object that was given is empty
FILE_TYPE: Final = 40007
BASE64: Final = 40008
NO_CONTENT: Final = 40009  # neither base64 nor a data URI nor an address
LONG_USER_ID: Final = 40010
LONG_CONVERSATION_ID: Final = 40011
RELATIVITY: Final = 40012
NO_HEADER: Final = 40100
NO_KEY: Final = 40132
FORBIDDEN: Final = 40103
RATE: Final = 40300
QUOTA: Final = 40304
TOKENS: Final = 40305
NOT_OF_USERS: Final = 40306
NO_MEMORY: Final = 40307
NO_USER: Final = 40308
INTERNAL: Final = 50000  # also an unknown path and a wrong method
NO_MODEL: Final = 50002
NO_MEMORY_SERVICE: Final = 50004
NO_SEARCH_SERVICE: Final = 50005
MANY_FILES: Final = 50103
LARGE_FILE: Final = 50104
LARGE_FILES: Final = 50105
FORMAT: Final = 50107
UNKNOWN_BASE: Final = 50120
NO_BASE: Final = 50123
NO_TASK: Final = 50131

# HTTP statuses of the codes that a field or an id is refused with; every other one is 400.
_STATUS = {
    NOT_FOUND: 404,
    NOT_OF_USERS: 403,
    NO_MEMORY: 404,
    NO_USER: 404,
    NO_MODEL: 503,
    UNKNOWN_BASE: 404,
    NO_BASE: 404,
    NO_TASK: 404,
}

# The service's own refusals, by their code; the HTTP status stays as it is.
_CALLED = {
    "agent_cap_exceeded": FORBIDDEN,
    "base_of_another": NO_BASE,
    "base_unknown": UNKNOWN_BASE,
    "forbidden": FORBIDDEN,
    "idempotency_conflict": WRONG,
    "invalid_request": WRONG,
    "memory_of_another": NOT_OF_USERS,
    "memory_unknown": NO_MEMORY,
    "method_not_allowed": INTERNAL,
    "model_unavailable": NO_MEMORY_SERVICE,
    "no_language_model": NO_MODEL,
    "not_found": NOT_FOUND,
    "payload_too_large": WRONG,
    "quota_exceeded": QUOTA,
    "rate_limit_exceeded": RATE,
    "request_timeout": WRONG,
    "search_unavailable": NO_SEARCH_SERVICE,
    "service_paused": NO_MEMORY_SERVICE,
    "unavailable": NO_MEMORY_SERVICE,
    "unsupported_media_type": WRONG,
    "user_unknown": NO_USER,
    "writes_paused": NO_MEMORY_SERVICE,
}


def fault(code: int, message: str) -> Refusal:
    """A refusal that the dialect has a code of its own for."""
    return Refusal(_STATUS.get(code, 400), str(code), message)


def told(refusal: Refusal, *, keyless: bool) -> tuple[int, int]:
    """HTTP status and code of a refusal; `keyless`: the request had no `Authorization`."""
    if refusal.code.isdigit():
        return refusal.status, int(refusal.code)
    if refusal.status == 401:
        return 401, NO_HEADER if keyless else NO_KEY
    status = 400 if refusal.status == 422 else refusal.status
    return status, _CALLED.get(refusal.code, INTERNAL)
