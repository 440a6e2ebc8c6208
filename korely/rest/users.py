"""`/v1/users`: the end users of a project, and their erasure."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import services as billing
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.tenancy import reading_scope
from korely.rest import answers, presentation, requests
from korely.rest.segments import person_id
from memories import selectors, services


class Users(ApiView):
    @operation(
        scope=READ,
        summary="The end users something is remembered of",
        query=requests.ListUsers,
        answers=answers.Users,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        with billing.spending(caller, "queries"), reading_scope(caller.project_id):
            page = selectors.list_users(caller=caller, **query)
            meta = {"call": "users", "returned": len(page.rows)}
            billing.record(caller, "read", meta=meta, memories=[], facts=[])
        shown = [{"user_id": row.name, **presentation.counted(row)} for row in page.rows]
        return {"users": shown, "total": page.total}


class UserMemories(ApiView):
    @operation(
        scope=WRITE,
        summary="Erase an end user, physically",
        answers=answers.ErasedUser,
    )
    def delete(self, request: HttpRequest, caller: Caller, user_id: str) -> dict[str, Any]:
        wanted = person_id(user_id, "user_id")
        done = services.erase_user(caller=caller, user_id=wanted)
        return {
            "user_id": wanted,
            "memories_deleted": done.memories,
            "facts_deleted": done.facts,
            "memories_forgotten": done.memories,
            "facts_invalidated": done.facts,
            "erasure": "permanent",
            "audit_id": done.audit_id,
        }
