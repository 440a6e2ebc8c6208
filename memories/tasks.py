import uuid

from celery import shared_task

from memories import services


@shared_task(name="memories.extract")
def extract(project_id: str, memory_id: str) -> None:
    services.extract_memory(project_id=uuid.UUID(project_id), memory_id=uuid.UUID(memory_id))
