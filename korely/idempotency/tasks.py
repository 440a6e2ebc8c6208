import uuid

from celery import shared_task

from korely.idempotency import services


@shared_task(name="idempotency.expire")
def expire(project_id: str, target_id: str) -> None:
    services.expire(project_id=uuid.UUID(project_id))
