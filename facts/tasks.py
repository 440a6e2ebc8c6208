import uuid

from celery import shared_task

from facts.services.rereading import reread_project


@shared_task(name="facts.reread")
def reread(project_id: str, target_id: str) -> None:
    reread_project(project_id=uuid.UUID(project_id))
