"""`/admin/webhooks` and below, for keys with the `admin` scope."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from accounts import services
from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import ADMIN, Caller
from korely.rest import answers, presentation, requests
from korely.rest.segments import object_id
from korely.webhooks import selectors


class Webhooks(ApiView):
    @operation(scope=ADMIN, summary="The account's webhooks", answers=answers.Webhooks)
    def get(self, request: HttpRequest, caller: Caller) -> dict[str, Any]:
        rows = selectors.list_endpoints(organisation_id=caller.organisation_id)
        return {"webhooks": [presentation.webhook(row) for row in rows]}

    @operation(
        scope=ADMIN,
        summary="Register a webhook; its secret is shown this once",
        body=requests.CreateWebhook,
        answers=answers.NewWebhook,
        status=201,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        project = body.pop("project_id", None)
        made = services.create_webhook(
            caller=caller,
            project_id=None if project is None else object_id(ids.PROJECT, project, "project"),
            **body,
        )
        return {**presentation.webhook(made.row), "secret": made.secret}


class Webhook(ApiView):
    @operation(
        scope=ADMIN,
        summary="Change a webhook, or turn it off and on",
        body=requests.UpdateWebhook,
        answers=answers.Webhook,
    )
    def patch(
        self, request: HttpRequest, caller: Caller, webhook_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.WEBHOOK, webhook_id, "webhook")
        row = services.update_webhook(caller=caller, webhook_id=wanted, **body)
        return presentation.webhook(row)

    @operation(scope=ADMIN, summary="Delete a webhook", answers=answers.DeletedWebhook)
    def delete(self, request: HttpRequest, caller: Caller, webhook_id: str) -> dict[str, Any]:
        wanted = object_id(ids.WEBHOOK, webhook_id, "webhook")
        services.delete_webhook(caller=caller, webhook_id=wanted)
        return {"id": ids.wire(ids.WEBHOOK, wanted), "deleted": True}


class WebhookSecret(ApiView):
    @operation(
        scope=ADMIN,
        summary="Replace a webhook's secret; the new one is shown this once",
        body=requests.NoFields,
        answers=answers.WebhookSecret,
    )
    def post(
        self, request: HttpRequest, caller: Caller, webhook_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.WEBHOOK, webhook_id, "webhook")
        made = services.rotate_webhook_secret(caller=caller, webhook_id=wanted)
        return {"id": ids.wire(ids.WEBHOOK, made.row.id), "secret": made.secret}


class WebhookTest(ApiView):
    @operation(
        scope=ADMIN,
        summary="Send a test event",
        body=requests.NoFields,
        answers=answers.SentTest,
        status=202,
    )
    def post(
        self, request: HttpRequest, caller: Caller, webhook_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.WEBHOOK, webhook_id, "webhook")
        message = services.send_test_event(caller=caller, webhook_id=wanted)
        return {"id": ids.wire(ids.WEBHOOK, wanted), "message_id": message}


class Deliveries(ApiView):
    @operation(
        scope=ADMIN,
        summary="What a webhook was sent",
        query=requests.ListDeliveries,
        answers=answers.Deliveries,
    )
    def get(
        self, request: HttpRequest, caller: Caller, webhook_id: str, query: dict[str, Any]
    ) -> dict[str, Any]:
        endpoint = selectors.get_endpoint(
            organisation_id=caller.organisation_id,
            endpoint_id=object_id(ids.WEBHOOK, webhook_id, "webhook"),
        )
        rows, total = selectors.list_deliveries(endpoint=endpoint, **query)
        return {"deliveries": [presentation.delivery(row) for row in rows], "total": total}


class Redelivery(ApiView):
    @operation(
        scope=ADMIN,
        summary="Deliver an event again",
        body=requests.NoFields,
        answers=answers.Delivery,
        status=202,
    )
    def post(
        self,
        request: HttpRequest,
        caller: Caller,
        webhook_id: str,
        delivery_id: str,
        body: dict[str, Any],
    ) -> dict[str, Any]:
        row = services.redeliver_event(
            caller=caller,
            webhook_id=object_id(ids.WEBHOOK, webhook_id, "webhook"),
            delivery_id=object_id(ids.DELIVERY, delivery_id, "delivery"),
        )
        return presentation.delivery(row)
