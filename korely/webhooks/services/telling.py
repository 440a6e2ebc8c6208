"""An event written down for whoever listens, in the transaction that makes it true."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from korely.kernel import prepared
from korely.kernel.clock import now
from korely.webhooks.models import Delivery, Endpoint, Payload
from korely.work import services as work
from korely.work.models import Work

# Every write asks this. The lock keeps a found endpoint until the deliveries that name it are
# committed; one that is just being deleted is waited for, and then not found.
_LISTENING = """
    SELECT e.id FROM webhooks_endpoint e
    JOIN accounts_project p ON p.organisation_id = e.organisation_id
    WHERE p.id = %s AND (e.project_id IS NULL OR e.project_id = p.id)
      AND e.enabled AND (%s = ANY (e.events) OR '*' = ANY (e.events))
    ORDER BY e.id FOR KEY SHARE OF e
"""


@dataclass(frozen=True, slots=True)
class Told:
    """One event's `data` as the contract has it, and whom it concerns: erased with them."""

    data: Mapping[str, Any]
    user_id: str | None = None
    agent_id: str | None = None


def tell(*, project_id: uuid.UUID, event: str, told: Callable[[], Sequence[Told]]) -> None:
    """Leave one delivery an endpoint and event to the worker; `told` is asked if anyone listens.

    Call it in a transaction in the project's scope: it is told if, and only if, that commits.
    """
    found = prepared.run(_LISTENING, [project_id, event])
    if found:
        leave(project_id, event, [endpoint for (endpoint,) in found], told())


def leave(
    project_id: uuid.UUID, event: str, endpoints: Sequence[uuid.UUID], told: Sequence[Told]
) -> list[Delivery]:
    """One delivery of each event for each of these endpoints, which the caller holds."""
    moment = now()
    deliveries: list[Delivery] = []
    payloads: list[Payload] = []
    for one in told:
        body = json.dumps({"event": event, "data": dict(one.data)}, separators=(",", ":"))
        for endpoint in endpoints:
            row = Delivery(
                endpoint_id=endpoint,
                project_id=project_id,
                event=event,
                created_at=moment,
                next_attempt_at=moment,
            )
            deliveries.append(row)
            payloads.append(
                Payload(
                    id=row.id,
                    project_id=project_id,
                    user_id=one.user_id,
                    agent_id=one.agent_id,
                    body=body,
                )
            )
    Delivery.objects.bulk_create(deliveries)
    Payload.objects.bulk_create(payloads)
    lanes = {endpoint: Endpoint(id=endpoint).lane for endpoint in endpoints}
    work.put_all(
        project_id=project_id,
        kind=Work.WEBHOOK,
        targets=[(row.id, lanes[row.endpoint_id], moment) for row in deliveries],
    )
    return deliveries
