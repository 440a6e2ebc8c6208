"""Every refusal as `{"code", "message"}` JSON, whoever raised it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import psycopg
import structlog
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from psycopg_pool import PoolTimeout

from korely.embedding import ModelUnavailable
from korely.kernel import errors
from korely.kernel.errors import Refusal

log = structlog.get_logger(__name__)

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

# SQLSTATEs that mean "not now": lock and statement time-outs, deadlock, shutdown, no connections.
_TRANSIENT = {"55P03", "57014", "40P01", "40001", "57P01", "57P02", "57P03", "53300"}


def answer(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """A JSON object as a response."""
    return answer_text(json_text(body), status, headers)


def json_text(body: Mapping[str, Any] | str) -> str:
    return _ENCODER.encode(body)


def answer_text(
    text: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """The text of a JSON object as a response."""
    return HttpResponse(
        text.encode(), status=status, content_type="application/json", headers=dict(headers or {})
    )


def refuse(refusal: Refusal) -> HttpResponse:
    body = {"code": refusal.code, "message": refusal.message, **refusal.extra}
    return answer(body, refusal.status, refusal.headers)


def _is_owner_gone(cause: BaseException) -> bool:
    """A write met the deletion of its project or account: a retry is told what its key is now."""
    if not isinstance(cause, psycopg.errors.ForeignKeyViolation):
        return False
    name = cause.diag.constraint_name or ""
    return name.endswith("_project_fk") or "_fk_accounts_" in name


def is_database_away(error: BaseException) -> bool:
    """Whether the database did not answer, or a lock was waited for too long."""
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DatabaseError | InterfaceError | psycopg.Error):
        return False
    cause = error.__cause__ if isinstance(error.__cause__, psycopg.Error) else error
    state = getattr(cause, "sqlstate", None)
    if state in _TRANSIENT or _is_owner_gone(cause):
        return True
    return state is None and isinstance(
        error, OperationalError | InterfaceError | psycopg.OperationalError
    )


def as_refusal(error: BaseException) -> Refusal:
    """The refusal that an exception stands for; an unforeseen one is a 500 that says nothing."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ModelUnavailable):
        return errors.model_unavailable()
    if is_database_away(error):
        log.warning("request.database_away", error=type(error).__name__)
        return errors.unavailable()
    log.error("request.failed", exc_info=(type(error), error, error.__traceback__))
    return Refusal(500, "internal_error", "The server failed on this request")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(Refusal(404, "not_found", "No such route"))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(Refusal(400, "bad_request", "The request could not be read"))


def server_error(request: HttpRequest) -> HttpResponse:
    """What a plain view raised: the same refusals as anywhere. Django calls it while handling."""
    error = sys.exc_info()[1]
    return refuse(as_refusal(error if error is not None else RuntimeError()))
