"""`DELETE /v1/account`: for accounts that nobody signs in to."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.http.views import ApiView, operation
from korely.kernel.caller import WRITE, Caller
from korely.rest import answers, requests
from memories import services


class Account(ApiView):
    @operation(
        scope=WRITE,
        summary="Delete the whole account of this key",
        query=requests.DeleteAccount,
        answers=answers.DeletedAccount,
    )
    def delete(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        removed = services.delete_account(caller=caller, confirmed=query["confirm"])
        return {"deleted": True, "removed": removed}
