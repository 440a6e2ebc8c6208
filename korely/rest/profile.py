"""`GET /v1/profile`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from billing import services as billing
from facts import selectors
from facts.selectors import Reading
from korely.http.errors import answer_text
from korely.http.views import ApiView, operation
from korely.kernel import clock
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import reading_scope
from korely.rest import answers, presentation, requests


class Profile(ApiView):
    @operation(
        scope=READ,
        summary="What is known about an end user, now or at any instant",
        query=requests.GetProfile,
        answers=answers.Profile,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> HttpResponse:
        user_id = query["user_id"]
        caller.require_read(user_id)
        reading = Reading(
            as_of=_instant(query.get("as_of")),
            known_as_of=_instant(query.get("known_as_of")),
            exclude_sessions=query["exclude_sessions"],
        )
        with billing.spending(caller, "queries"), reading_scope(caller.project_id):
            page = selectors.read_profile(
                caller=caller, user_id=user_id, agent_id=query.get("agent_id"), reading=reading
            )
            billing.record(
                caller,
                "read",
                user_id=user_id,
                meta={"call": "profile", "returned": len(page.facts)},
                memories=[],
                facts=[fact.id for fact in page.facts],
            )
        return answer_text(presentation.profile_text(page, query))


def _instant(text: str | None) -> datetime | None:
    return None if text is None else clock.read(text)
