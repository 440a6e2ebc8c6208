"""`/admin/keys` and below, for keys with the `admin` scope."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts import selectors, services
from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import ADMIN, Caller
from korely.rest import answers, presentation, requests
from korely.rest.segments import object_id


class Keys(ApiView):
    @operation(scope=ADMIN, summary="The account's keys", answers=answers.ApiKeys)
    def get(self, request: HttpRequest, caller: Caller) -> dict[str, Any]:
        rows = selectors.list_keys(organisation_id=caller.organisation_id)
        return {"keys": [presentation.api_key(row) for row in rows]}

    @operation(
        scope=ADMIN,
        summary="Create a key; its secret is shown this once",
        body=requests.CreateKey,
        answers=answers.NewApiKey,
        status=201,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        project = body.pop("project_id", None)
        made = services.create_key(
            caller=caller,
            name=body["name"],
            project_id=None if project is None else object_id(ids.PROJECT, project, "project"),
            users=body.get("users"),
            expires_in_days=body.get("expires_in_days", settings.KEY_DEFAULT_DAYS),
            **({"scopes": tuple(body["scopes"])} if "scopes" in body else {}),
        )
        return {**presentation.api_key(made.row), "key": made.key}


class KeyRevocation(ApiView):
    @operation(
        scope=ADMIN,
        summary="Revoke a key, at once",
        body=requests.NoFields,
        answers=answers.ApiKey,
    )
    def post(
        self, request: HttpRequest, caller: Caller, key_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        row = services.revoke_key(caller=caller, key_id=object_id(ids.KEY, key_id, "key"))
        return presentation.api_key(row)


class KeyMove(ApiView):
    @operation(
        scope=ADMIN,
        summary="Move a key to another project",
        body=requests.MoveKey,
        answers=answers.ApiKey,
    )
    def post(
        self, request: HttpRequest, caller: Caller, key_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        row = services.move_key(
            caller=caller,
            key_id=object_id(ids.KEY, key_id, "key"),
            project_id=object_id(ids.PROJECT, body["project_id"], "project"),
        )
        return presentation.api_key(row)


class KeyRotation(ApiView):
    @operation(
        scope=ADMIN,
        summary="Replace a key by a new one; its secret is shown this once",
        body=requests.RotateKey,
        answers=answers.NewApiKey,
        status=201,
    )
    def post(
        self, request: HttpRequest, caller: Caller, key_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        overlap = body.get("overlap_seconds")
        made = services.rotate_key(
            caller=caller,
            key_id=object_id(ids.KEY, key_id, "key"),
            **({} if overlap is None else {"overlap": timedelta(seconds=overlap)}),
        )
        return {**presentation.api_key(made.row), "key": made.key}
