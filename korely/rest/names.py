"""`POST /v1/users/{user_id}/names`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from facts import services
from korely.http.views import ApiView, operation
from korely.kernel.caller import WRITE, Caller
from korely.rest import answers, presentation, requests
from korely.rest.segments import person_id


class Names(ApiView):
    @operation(
        scope=WRITE,
        summary="Declare a name of an end user",
        body=requests.DeclareName,
        answers=answers.DeclaredName,
        status=201,
    )
    def post(
        self, request: HttpRequest, caller: Caller, user_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = person_id(user_id, "user_id")
        return presentation.declared_name(
            services.declare_name(caller=caller, user_id=wanted, **body)
        )
