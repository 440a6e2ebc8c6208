import uuid

import structlog
from celery import shared_task
from django.conf import settings
from django.db import close_old_connections, connection

from korely.webhooks import services
from korely.webhooks.models import Delivery
from korely.work.turns import Turns

log = structlog.get_logger(__name__)


def _deliver(endpoint_id: uuid.UUID) -> bool:
    """A turn's work in its thread, which keeps no connection of the pool between turns."""
    close_old_connections()
    try:
        return services.deliver_next(endpoint_id=endpoint_id)
    except Exception as error:
        # The row stays as it is, due again soon; the thread goes on to others.
        log.error(
            "webhook.turn_failed",
            webhook=endpoint_id.hex,
            exc_info=(type(error), error, error.__traceback__),
        )
        return False
    finally:
        connection.close()


_THREADS = 16
_TURNS = Turns(_deliver, threads=_THREADS, each=_THREADS // 4, name="webhooks")


@shared_task(name="webhooks.deliver")
def deliver(project_id: str, delivery_id: str) -> None:
    """Leave the delivery's endpoint to the threads that send: this process has other work too."""
    row = Delivery.objects.filter(pk=uuid.UUID(delivery_id)).select_related("endpoint").first()
    if row is not None:
        _TURNS.ask(row.endpoint.organisation_id, row.endpoint_id)


@shared_task(name="webhooks.age")
def age() -> int:
    return services.remove_aged(days=settings.WEBHOOK_KEEP_DAYS)
