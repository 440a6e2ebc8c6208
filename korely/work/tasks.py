from celery import shared_task

from korely.work import services


@shared_task(name="korely.work.sweep")
def sweep() -> int:
    return services.sweep()
