"""What stands before every handler of a face: it refuses in one order, whatever the face.

Method (405) → declared size (413) → key (401) → rate limit (429) → scope (403) → body and fields
(the face's own `read`) → the handler. A face says how a caller shows its key, how a body is read,
and how an answer and a refusal are spelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views import View

from billing import services as billing
from korely.http import bodies, marks, rate_limits
from korely.http.authentication import authenticate
from korely.http.errors import as_refusal
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal, forbidden, method_not_allowed, unavailable
from korely.kernel.tenancy import project_scope

Handler = Callable[..., Mapping[str, Any] | Sequence[Any] | HttpResponseBase]


class Guarded(Protocol):
    """What a handler's `operation` says to the guard.

    `counted`: the account's rate limits count it. `public`: it needs no key. `lines`: its body may
    be as long as lines of JSON are.
    """

    @property
    def scope(self) -> str | None: ...
    @property
    def counted(self) -> bool: ...
    @property
    def public(self) -> bool: ...
    @property
    def lines(self) -> bool: ...


class Guard:
    """Mixed into a view class, before it. Handlers are methods named after HTTP's, marked with an
    `operation`.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.standing: rate_limits.Standing | None = None
        try:
            response: HttpResponseBase = self._answer(request, kwargs)
        except Exception as error:
            response = self.refused(request, as_refusal(error))
        if self.standing is not None:
            self.standing.write(response)
        return response

    def authenticate(self, request: HttpRequest) -> Caller:
        """The caller behind a request's key. Raises 401."""
        return authenticate(request)

    def most(self, wanted: Any) -> int:
        """Bytes that a body may have at the most."""
        return marks.MAX_LINES if wanted.lines else marks.MAX_BODY

    def read(self, request: HttpRequest, wanted: Any) -> dict[str, Any]:
        """What the handler takes beside the caller. Raises for what cannot be taken."""
        raise NotImplementedError

    def shaped(self, result: Any, wanted: Any) -> HttpResponse:
        """What a handler returned, as a response."""
        raise NotImplementedError

    def refused(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        """A refusal as a response."""
        raise NotImplementedError

    def _allowed(self) -> list[str]:
        names = [name for name in View.http_method_names if hasattr(self, name)]
        return [name.upper() for name in names if name != "options"] + ["OPTIONS"]

    def _answer(self, request: HttpRequest, segments: Mapping[str, str]) -> HttpResponseBase:
        allow = {"Allow": ", ".join(self._allowed())}
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=allow)
        name = "get" if request.method == "HEAD" else str(request.method).lower()
        handler = getattr(self, name, None)
        wanted: Guarded | None = getattr(handler, "operation", None)
        if handler is None or wanted is None:
            raise method_not_allowed(request.method or "", allow["Allow"])
        if marks.body_mark(request) == "too_large_declared":
            raise bodies.too_large(self.most(wanted))
        caller = None if wanted.public else self._admit(request, wanted)
        if marks.body_mark(request) == "unasked":
            raise unavailable()  # the key is known by now and was not when its body could be read
        values: dict[str, Any] = dict(segments)
        if caller is not None:
            values["caller"] = caller
        values |= self.read(request, wanted)
        try:
            result = handler(request, **values)
        except Refusal as refusal:
            if refusal.status == 403 and caller is not None:
                audit_denied(caller, wanted.scope)
            raise
        if isinstance(result, HttpResponseBase):
            return result
        return self.shaped(result, wanted)

    def _admit(self, request: HttpRequest, wanted: Guarded) -> Caller:
        """The caller, once key, rate limit and scope allow the operation."""
        caller = self.authenticate(request)
        if wanted.counted:
            self.standing = rate_limits.count(caller)
            if self.standing is not None and self.standing.exceeded:
                raise self.standing.refusal()
        if wanted.scope is not None and wanted.scope not in caller.scopes:
            audit_denied(caller, wanted.scope)
            raise forbidden(f"API key missing required scope(s): {wanted.scope}")
        return caller


def audit_denied(caller: Caller, scope: str | None) -> None:
    """A 403 of a known key is an event of its project."""
    with project_scope(caller.project_id):
        action = (scope or "access").removeprefix("memories:")
        billing.record(caller, action, result="denied", meta={"scope": scope})
