import uuid

from celery import shared_task

from memories import services


@shared_task(name="memories.extract")
def extract(project_id: str, memory_id: str) -> None:
    services.extract_memory(project_id=uuid.UUID(project_id), memory_id=uuid.UUID(memory_id))


@shared_task(name="memories.batch")
def batch(project_id: str, batch_id: str) -> None:
    services.run_batch(project_id=uuid.UUID(project_id), batch_id=uuid.UUID(batch_id))
