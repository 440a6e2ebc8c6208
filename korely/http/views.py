"""The base of every view of the API: the guard, with bodies, queries and answers of the API.

A handler is a method marked with `operation`; it gets the caller and the validated values, calls a
service or a selector, and returns a JSON object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.views import APIView

from korely.http import bodies, marks
from korely.http.errors import answer, refuse
from korely.http.guard import Guard, Handler
from korely.http.repeats import read_repeat
from korely.http.shapes import Shape, check, invalid, reader
from korely.kernel.errors import Refusal


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


class ApiView(Guard, APIView):
    """One route. Subclasses define `get`, `post`… marked with `operation`."""

    def read(self, request: HttpRequest, wanted: Operation) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if wanted.lines:
            bodies.require_arrived(request, marks.MAX_LINES)
            bodies.require_media(request, marks.LINES)
            values["read_line"] = request.readline
        elif wanted.body is not None:
            sent = _read_body(request, wanted.body)
            values["body"] = check(wanted.body, sent, "body")
            if wanted.repeatable:
                values["repeat"] = read_repeat(request, sent, wanted.status)
        elif request.method not in {"GET", "HEAD"}:
            check(Shape, _read_body(request, None), "body")
        if wanted.query is not None:
            values["query"] = _check_query(request, wanted.query)
        return values

    def shaped(self, result: Mapping[str, Any], wanted: Operation) -> HttpResponse:
        return answer(result, wanted.status)

    def refused(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        return refuse(refusal)


def _read_body(request: HttpRequest, shape: type[Shape] | None) -> Mapping[str, Any]:
    bodies.require_arrived(request, marks.MAX_BODY)
    raw = request.body
    if not raw and shape is None:
        return {}
    bodies.require_media(request, bodies.JSON)
    if not raw:
        if shape is not None and any(f.required for f in reader(shape).fields.values()):
            first = next(name for name, f in reader(shape).fields.items() if f.required)
            entry = {"type": "missing", "loc": ["body", first], "msg": "is required"}
            raise invalid([entry], f"{first} is required: the body is empty")
        return {}
    return bodies.read_object(raw)


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
