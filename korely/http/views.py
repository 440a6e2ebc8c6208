"""The base of every API view: refuses in the contract's order, then calls one handler.

Route (404, 405) → declared size (413) → key (401) → rate limit (429) → scope (403) → body (408,
413, 415, 422) → fields (422) → the handler. A handler is a method marked with `operation`; it gets
the caller and the validated values, calls a service or a selector, and returns a JSON object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import parse_header_parameters
from drf_spectacular.utils import extend_schema
from rest_framework.views import APIView

from billing import services as billing
from korely.http import marks, rate_limits, strict_json
from korely.http.authentication import authenticate
from korely.http.errors import answer, as_refusal, refuse
from korely.http.repeats import read_repeat
from korely.http.shapes import Shape, check, invalid, reader, unreadable
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal, forbidden, method_not_allowed
from korely.kernel.tenancy import project_scope

Handler = Callable[..., Mapping[str, Any] | HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Operation:
    """How one method of a view is guarded and read."""

    scope: str | None
    body: type[Shape] | None
    query: type[Shape] | None
    status: int
    counted: bool
    public: bool
    repeatable: bool
    lines: bool


def operation(
    *,
    scope: str | None,
    summary: str,
    answers: Any,
    body: type[Shape] | None = None,
    query: type[Shape] | None = None,
    status: int = 200,
    counted: bool = True,
    public: bool = False,
    repeatable: bool = False,
    media: str = "application/json",
    lines: Any = None,
) -> Callable[[Handler], Handler]:
    """Mark a handler: the scope it needs, what it takes, what it answers (for the document).

    `counted`: the account's rate limits count it. `public`: it needs no key, an `Authorization`
    header is ignored, and the handler gets no caller. `repeatable`: the handler gets the request's
    `Idempotency-Key` as `repeat` (`korely.http.repeats`), None when it has none. `media`: the type
    of its answer, for the document; what is no JSON object the handler answers as a response.
    `lines`: the body is lines of JSON of this documented shape, up to 64 MiB; the handler gets
    `read_line`, which reads the next line, up to a number of bytes, from the file with the body.
    """
    wanted = Operation(
        scope=scope,
        body=body,
        query=query,
        status=status,
        counted=counted and not public,
        public=public,
        repeatable=repeatable,
        lines=lines is not None,
    )

    def mark(handler: Handler) -> Handler:
        handler.operation = wanted  # type: ignore[attr-defined]
        documented: Handler = extend_schema(
            summary=summary,
            request=body if lines is None else {marks.LINES: lines},
            parameters=[query] if query else None,
            responses={(status, media): answers},
        )(handler)
        return documented

    return mark


class ApiView(APIView):
    """One route. Subclasses define `get`, `post`… marked with `operation`."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.standing: rate_limits.Standing | None = None
        try:
            response: HttpResponseBase = self._answer(request, kwargs)
        except Exception as error:
            response = refuse(as_refusal(error))
        if self.standing is not None:
            self.standing.write(response)
        return response

    def _allowed(self) -> list[str]:
        names = [name for name in self.http_method_names if hasattr(self, name)]
        return [name.upper() for name in names if name != "options"] + ["OPTIONS"]

    def _answer(self, request: HttpRequest, segments: Mapping[str, str]) -> HttpResponseBase:
        allow = {"Allow": ", ".join(self._allowed())}
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=allow)
        name = "get" if request.method == "HEAD" else str(request.method).lower()
        handler = getattr(self, name, None)
        wanted: Operation | None = getattr(handler, "operation", None)
        if handler is None or wanted is None:
            raise method_not_allowed(request.method or "", allow["Allow"])
        if marks.body_mark(request) == "too_large_declared":
            raise _too_large(wanted)
        caller = None if wanted.public else self._admit(request, wanted)
        values: dict[str, Any] = dict(segments)
        if caller is not None:
            values["caller"] = caller
        if wanted.lines:
            _require_arrived(request, wanted)
            _require_media(request, marks.LINES)
            values["read_line"] = request.readline
        elif wanted.body is not None:
            sent = _read_body(request, wanted)
            values["body"] = check(wanted.body, sent, "body")
            if wanted.repeatable:
                values["repeat"] = read_repeat(request, sent, wanted.status)
        elif request.method not in {"GET", "HEAD"}:
            check(Shape, _read_body(request, wanted), "body")
        if wanted.query is not None:
            values["query"] = _check_query(request, wanted.query)
        try:
            result = handler(request, **values)
        except Refusal as refusal:
            if refusal.status == 403 and caller is not None:
                _audit_denied(caller, wanted.scope)
            raise
        if isinstance(result, HttpResponseBase):
            return result
        return answer(result, wanted.status)

    def _admit(self, request: HttpRequest, wanted: Operation) -> Caller:
        """The caller, once key, rate limit and scope allow the operation."""
        caller = authenticate(request)
        if wanted.counted:
            self.standing = rate_limits.count(caller)
            if self.standing is not None and self.standing.exceeded:
                raise self.standing.refusal()
        if wanted.scope is not None and wanted.scope not in caller.scopes:
            _audit_denied(caller, wanted.scope)
            raise forbidden(f"API key missing required scope(s): {wanted.scope}")
        return caller


def _too_large(wanted: Operation) -> Refusal:
    most = marks.MAX_LINES if wanted.lines else marks.MAX_BODY
    return Refusal(413, "payload_too_large", f"The body is larger than {most:,} bytes")


def _audit_denied(caller: Caller, scope: str | None) -> None:
    """A 403 of a known key is an event of its project."""
    with project_scope(caller.project_id):
        action = (scope or "access").removeprefix("memories:")
        billing.record(caller, action, result="denied", meta={"scope": scope})


def _require_arrived(request: HttpRequest, wanted: Operation) -> None:
    mark = marks.body_mark(request)
    if mark == "late":
        raise Refusal(
            408, "request_timeout", "The body did not arrive whole in time; send it again"
        )
    if mark == "too_large":
        raise _too_large(wanted)


def _require_media(request: HttpRequest, media: str) -> None:
    kind = request.META.get("CONTENT_TYPE", "")
    essence, parameters = parse_header_parameters(kind)
    charset = parameters.get("charset", "utf-8").lower()
    if kind and (essence != media or charset not in {"utf-8", "utf8"}):
        message = f"Content-Type must be {media} in UTF-8, or left out"
        raise Refusal(415, "unsupported_media_type", message)
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise Refusal(415, "unsupported_media_type", "Content-Encoding must be identity")


def _read_body(request: HttpRequest, wanted: Operation) -> Mapping[str, Any]:
    _require_arrived(request, wanted)
    raw, shape = request.body, wanted.body
    if not raw and shape is None:
        return {}
    _require_media(request, "application/json")
    if not raw:
        if shape is not None and any(f.required for f in reader(shape).fields.values()):
            first = next(name for name, f in reader(shape).fields.items() if f.required)
            entry = {"type": "missing", "loc": ["body", first], "msg": "is required"}
            raise invalid([entry], f"{first} is required: the body is empty")
        return {}
    try:
        value = strict_json.read(raw)
    except strict_json.Malformed as error:
        raise unreadable(str(error)) from None
    if not isinstance(value, dict):
        raise unreadable("the body must be a JSON object")
    return value


def _check_query(request: HttpRequest, shape: type[Shape]) -> dict[str, Any]:
    """The known parameters of the query string; of one given twice the last counts."""
    raw = request.META.get("QUERY_STRING", "")
    pairs = parse_qsl(raw, keep_blank_values=True, errors="surrogateescape")
    fields = reader(shape).fields
    given = {name: value for name, value in pairs if name in fields}
    for name, value in given.items():
        try:
            broken = "\x00" in value or not value.encode()
        except UnicodeEncodeError:
            broken = True
        if broken and value:
            entry = {"type": "value_error", "loc": ["query", name], "msg": "is not UTF-8 text"}
            raise invalid([entry], f"{name} is not UTF-8 text without NUL")
    return check(shape, given, "query")
