"""`Idempotency-Key`: a request sent again is answered as it was the first time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.http import HttpRequest, HttpResponse

from korely.http.errors import answer_text, json_text
from korely.idempotency import services as idempotency
from korely.idempotency.services import Keyed
from korely.kernel import errors
from korely.kernel.caller import Caller

HEADER = "Idempotency-Key"

_KEY = re.compile(r"[\x20-\x7e]{1,255}")

Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


class Make(Protocol[Made_co]):
    """A service that calls `within` with what it made, last in the transaction that makes it."""

    def __call__(self, *, within: Callable[[Any], None] | None) -> Made_co: ...


@dataclass(frozen=True, slots=True)
class Repeat:
    """A request with an `Idempotency-Key`, and the status of its success."""

    keyed: Keyed
    status: int


def read_repeat(request: HttpRequest, body: Any, status: int) -> Repeat | None:
    """The request's key with the JSON value it came with; None when it has no key.

    Raises:
        Refusal: 422 naming `Idempotency-Key` for one that is not 1-255 printable ASCII characters.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise errors.invalid(HEADER, "must be 1 to 255 printable ASCII characters")
    route = request.resolver_match
    assert route is not None
    return Repeat(Keyed.of(route=route.route, key=key, body=body), status)


def once(
    caller: Caller,
    repeat: Repeat | None,
    concerned: Sequence[Mapping[str, Any]],
    shape: Callable[[Made], Mapping[str, Any]],
    make: Make[Made],
) -> Mapping[str, Any] | HttpResponse:
    """Make something and shape it; for a key that did so before, what was answered then.

    `concerned`: objects whose `user_id` and `agent_id` say whom the answer concerns.

    Raises:
        Refusal: 409 `idempotency_conflict`, and whatever `make` raises, which is not remembered.
    """
    if repeat is None:
        return shape(make(within=None))
    keyed = repeat.keyed

    def keep(made: Made) -> None:
        idempotency.keep(
            keyed=keyed,
            status=repeat.status,
            body=json_text(shape(made)),
            user_ids=_names(concerned, "user_id"),
            agent_ids=_names(concerned, "agent_id"),
        )

    with idempotency.turn(project_id=caller.project_id, keyed=keyed):
        known = idempotency.find(project_id=caller.project_id, keyed=keyed)
        if known is not None:
            return answer_text(known.body, known.status, {"Idempotency-Replayed": "true"})
        return shape(make(within=keep))


def _names(concerned: Sequence[Mapping[str, Any]], field: str) -> list[str]:
    return sorted({one[field] for one in concerned if one.get(field) is not None})
