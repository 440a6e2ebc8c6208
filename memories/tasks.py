import uuid
from collections.abc import Callable

import structlog
from celery import shared_task
from django.conf import settings
from django.db import close_old_connections, connection

from korely.work import services as work
from korely.work.models import Work
from korely.work.turns import Turns
from memories import services, writers
from memories.services.knowledge import run_files

log = structlog.get_logger(__name__)


def _in_thread(take_turn: Callable[[int], None]) -> Callable[[int], bool]:
    """A lane's turn in a thread, which keeps no connection of the pool between turns."""

    def run(lane: int) -> bool:
        close_old_connections()
        try:
            take_turn(lane)
        except Exception as error:
            # Its rows stay as they are, due again soon; the thread goes on to other lanes.
            log.error("memory.lane_failed", exc_info=(type(error), error, error.__traceback__))
        finally:
            connection.close()
        return False

    return run


_TURNS = Turns(
    _in_thread(lambda lane: services.extract_lane(lane=lane)),
    threads=settings.KORELY_WRITER_AT_ONCE,
    each=1,
    name="writer",
)
_FILES = Turns(_in_thread(lambda lane: run_files(lane=lane)), threads=2, each=1, name="files")


@shared_task(name="memories.extract")
def extract(project_id: str, memory_id: str) -> None:
    """At once by the local engine; by a language model in a thread, where it may take its time."""
    project, memory = uuid.UUID(project_id), uuid.UUID(memory_id)
    account = writers.served_account(project_id=project)
    if account is None:
        services.extract_memory(project_id=project, memory_id=memory)
        return
    lane = work.lane_of(project_id=project, kind=Work.EXTRACT, target_id=memory)
    if lane is not None:
        _TURNS.ask(account, lane)


@shared_task(name="memories.knowledge")
def knowledge(project_id: str, file_id: str) -> None:
    """In a thread: reading a document may take minutes, and the worker has other things to do."""
    project, file = uuid.UUID(project_id), uuid.UUID(file_id)
    lane = work.lane_of(project_id=project, kind=Work.KNOWLEDGE, target_id=file)
    if lane is not None:
        _FILES.ask(project, lane)


@shared_task(name="memories.batch")
def batch(project_id: str, batch_id: str) -> None:
    services.run_batch(project_id=uuid.UUID(project_id), batch_id=uuid.UUID(batch_id))
