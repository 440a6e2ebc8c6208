"""What wraps every request: its id, its log line, its row in the log of requests, its metrics."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

from korely.http import errors, request_log
from korely.http.marks import path_is_broken
from korely.kernel.caller import Caller

log = structlog.get_logger("korely.request")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
REQUESTS = Counter("korely_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram("korely_request_seconds", "Time to answer", ["method", "route"])
_METHODS = {"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"}

Next = Callable[[HttpRequest], HttpResponse]


class RequestMiddleware:
    """Outermost: request id, one log line with the route's pattern (never the path), metrics."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            response["X-Request-Id"] = request_id
            seconds = time.perf_counter() - began
            match = getattr(request, "resolver_match", None)
            route = match.route if match else "unmatched"
            method = request.method if request.method in _METHODS else "other"
            REQUESTS.labels(method, route, response.status_code).inc()
            SECONDS.labels(method, route).observe(seconds)
            caller: Caller | None = getattr(request, "korely_caller", None)
            if caller is not None and settings.KORELY_REQUEST_LOG_DAYS:
                request_log.note_request(
                    request,
                    caller,
                    request_id=request_id,
                    status=response.status_code,
                    seconds=seconds,
                )
            if route not in {"healthz", "readyz", "metrics"}:
                log.info(
                    "request.answered",
                    method=method,
                    route=route,
                    status=response.status_code,
                    ms=round(seconds * 1000, 1),
                    key=caller.key_id.hex if caller is not None and caller.key_id else None,
                )
            return response
        finally:
            structlog.contextvars.unbind_contextvars("request_id")


class MalformedPathMiddleware:
    """A path that is not UTF-8 once decoded, or holds NUL, is a 404 before any route sees it."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if path_is_broken(request):
            return errors.not_found(request)
        return self.get_response(request)
