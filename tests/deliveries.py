"""Deliveries as rows, for tests that need one without a receiver."""

from __future__ import annotations

from korely.kernel import ids


def ended_delivery(webhook: str) -> str:
    """The id of a delivery of a webhook of one project that is over: nothing came of it."""
    from korely.kernel.tenancy import project_scope
    from korely.webhooks import events
    from korely.webhooks.models import Delivery, Endpoint, Payload

    endpoint = Endpoint.objects.get(pk=ids.parse(ids.WEBHOOK, webhook))
    project_id = endpoint.project_id
    assert project_id is not None
    with project_scope(project_id):
        row = Delivery.objects.create(
            endpoint=endpoint,
            project_id=project_id,
            event=events.QUOTA_WARNING,
            state=Delivery.DEAD,
            attempts=8,
            error="no answer in time",
        )
        body = '{"event":"quota.warning","data":{"used":8,"limit":10,"percent":80}}'
        Payload.objects.create(id=row.id, project_id=project_id, body=body)
    return ids.wire(ids.DELIVERY, row.id)
