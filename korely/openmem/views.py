"""The base of the dialect's views: the guard, with its own keys' header, fields and envelope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import View

from korely.http import bodies, marks
from korely.http.authentication import authenticate
from korely.http.errors import answer
from korely.http.guard import Guard, Handler
from korely.http.repeats import read_repeat
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from korely.openmem import envelope
from korely.openmem.sent import Sent

Reader = Callable[[Sent], Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """How a call is guarded, and what reads its fields."""

    scope: str
    reads: Reader
    repeatable: bool
    counted: bool = True
    public: bool = False
    lines: bool = False


def operation(
    *, scope: str, reads: Reader, repeatable: bool = False
) -> Callable[[Handler], Handler]:
    """Mark a handler, which gets the caller and what `reads` made of the body's fields as `body`,
    and returns the answer's `data`, or a response.

    `repeatable`: it also gets `repeat` (`korely.http.repeats`), and returns the whole envelope.
    """

    def mark(handler: Handler) -> Handler:
        handler.operation = Operation(scope, reads, repeatable)  # type: ignore[attr-defined]
        return handler

    return mark


class CallView(Guard, View):
    """One call. Subclasses define `post`, marked with `operation`."""

    def authenticate(self, request: HttpRequest) -> Caller:
        return authenticate(request, schemes=("token", "bearer"))

    def read(self, request: HttpRequest, wanted: Operation) -> dict[str, Any]:
        bodies.require_arrived(request, marks.MAX_BODY)
        bodies.require_media(request, bodies.JSON)
        sent = bodies.read_object(request.body)
        values: dict[str, Any] = {"body": wanted.reads(Sent(sent))}
        if wanted.repeatable:
            values["repeat"] = read_repeat(request, sent, 200)
        return values

    def shaped(self, result: Any, wanted: Operation) -> HttpResponse:
        return answer(result if wanted.repeatable else envelope.success(result))

    def refused(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        return envelope.refusal(request, refusal)
