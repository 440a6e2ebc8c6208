"""A conversation taken in: its messages, the memories made of them, a task to ask about."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings

from billing import services as billing
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, writing_scope
from memories.conversation import Said, Text, ToolText, as_texts, as_tools, unlabelled
from memories.models import Memory, Message, Task
from memories.services.knowledge.telling import Told, prepare, tell
from memories.services.repeating import find_again, take_turn
from memories.services.settling import await_extraction
from memories.services.storing import Parts, store
from memories.vectors import embed_for_write
from memories.writers import require_budget

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Added:
    """A task, and whether all that it took in was extracted when it was answered."""

    task_id: uuid.UUID
    completed: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Whose a conversation is, and what is kept beside it. `bases`: knowledge bases of the project
    that it is written into as well.
    """

    user_id: str
    conversation_id: str | None = None
    agent_id: str | None = None
    metadata: dict[str, Any] | None = None
    public: bool = False
    bases: tuple[uuid.UUID, ...] = ()


def add_messages(
    *,
    caller: Caller,
    place: Place,
    messages: Sequence[Said],
    waits: bool = False,
    mark: bytes | None = None,
    within: Callable[[Added], None] | None = None,
) -> Added:
    """Take in messages whose fields are valid already. Costs one write.

    Texts are embedded outside any transaction; then one transaction holds the messages, one memory
    of the user's and the assistant's lines (more when they are long), the memories of tools, the
    task, audit events and rows of work, and `within` is called last in it. A conversation without
    an id gets a fresh one. `waits`: the call returns once everything was extracted, or after
    `settling.LONGEST` seconds. `mark` (`repeating.mark_of`): where an add with the same one was
    just taken in, this is that one sent again; it is free and stores nothing.

    Raises:
        Refusal: 403 out of the key's reach or past the plan's agents, 429 `quota_exceeded`, 503
            `service_paused`, `model_unavailable` or `writes_paused`; nothing was stored.
    """
    caller.require_write(place.user_id)
    billing.check_agent(caller, place.agent_id)
    try:
        task = _again(caller, place, mark) or _take_in(
            caller, place, messages, waits=waits, mark=mark, within=within
        )
    except _KnownError as known:
        task = known.task
    done = waits and await_extraction(project_id=caller.project_id, memory_ids=task.memory_ids)
    return Added(task.id, completed=done)


class _KnownError(Exception):
    """Another request with the same mark was first."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.task = task


def _again(caller: Caller, place: Place, mark: bytes | None) -> Task | None:
    if mark is None:
        return None
    with project_scope(caller.project_id):
        return _known(caller, place, mark)


def _known(caller: Caller, place: Place, mark: bytes) -> Task | None:
    return find_again(
        caller=caller, user_id=place.user_id, conversation_id=place.conversation_id, mark=mark
    )


def _take_in(
    caller: Caller,
    place: Place,
    messages: Sequence[Said],
    *,
    waits: bool,
    mark: bytes | None,
    within: Callable[[Added], None] | None,
) -> Task:
    made: list[Text | ToolText] = [*as_texts(messages), *as_tools(messages)]
    with billing.spending(caller, "writes"):
        if settings.KORELY_PAUSED:
            raise errors.service_paused()
        require_budget(project_id=caller.project_id)
        parts = [embed_for_write(caller, unlabelled(one.content)) for one in made]
        texts = [one.content for one in made if isinstance(one, Text)]
        told = prepare(caller=caller, bases=place.bases, contents=texts)
        with writing_scope(caller.project_id):
            if mark is not None:
                take_turn(caller=caller, mark=mark)
                if known := _known(caller, place, mark):
                    raise _KnownError(known)
            billing.admit_agent(caller, place.agent_id)
            found = list(zip(made, parts, strict=True))
            task = keep(caller, place, messages, found, told=told, mark=mark)
            if within is not None:
                within(Added(task.id, completed=waits))
    log.info("conversation.added", task=task.id.hex, memories=len(task.memory_ids))
    return task


def keep(
    caller: Caller,
    place: Place,
    messages: Sequence[Said],
    made: Sequence[tuple[Text | ToolText, Parts]],
    *,
    told: Told,
    said_at: datetime | None = None,
    mark: bytes | None = None,
) -> Task:
    """Store messages and the memories made of them, in the caller's transaction; and what is told
    to knowledge bases.

    The memories date from `said_at`, else from the last message that says when it was said, else
    from now.
    """
    moment = now()
    task = Task(
        project_id=caller.project_id,
        user_id=place.user_id,
        agent_id=place.agent_id,
        sent=mark,
        created_at=moment,
    )
    conversation = place.conversation_id or task.id.hex
    place = replace(place, conversation_id=conversation)
    dated = (one.chat_time for one in reversed(messages) if one.chat_time)
    said_at = said_at or next(dated, moment)
    found = [(_memory(caller, place, task, one, said_at), parts) for one, parts in made]
    task.memory_ids = [memory.id for memory, _ in found]
    Task.objects.bulk_create([task])
    sources = [(memory.id, one.numbers) for (memory, _), (one, _) in zip(found, made, strict=True)]
    _keep_messages(task, conversation, messages, sources)
    tell(
        caller=caller,
        told=told,
        user_id=place.user_id,
        agent_id=place.agent_id,
        metadata=place.metadata or {},
    )
    if found:
        store(caller, found)
    else:
        billing.record(
            caller,
            "write",
            user_id=place.user_id,
            target=ids.wire(ids.TASK, task.id),
            meta={"messages": len(messages)},
        )
    return task


def _memory(
    caller: Caller, place: Place, task: Task, made: Text | ToolText, said_at: datetime
) -> Memory:
    of_tool = isinstance(made, ToolText)
    return Memory(
        project_id=caller.project_id,
        user_id=place.user_id,
        agent_id=place.agent_id,
        run_id=place.conversation_id,
        client=caller.client,
        kind=Memory.TOOL if of_tool else Memory.NOTE,
        content=made.content,
        metadata=place.metadata or {},
        timestamp=said_at,
        status=Memory.READY if of_tool else Memory.PROCESSING,
        created_at=task.created_at,
        updated_at=task.created_at,
        task_id=task.id,
        public=place.public,
        tool={"type": made.type, "used": made.used} if isinstance(made, ToolText) else None,
    )


def _keep_messages(
    task: Task,
    conversation: str,
    messages: Sequence[Said],
    sources: Sequence[tuple[uuid.UUID, tuple[int, ...]]],
) -> None:
    """Store the messages; `sources` are memories with the numbers of what they were made of."""
    Message.objects.bulk_create(
        [
            Message(
                project_id=task.project_id,
                user_id=task.user_id,
                agent_id=task.agent_id,
                conversation_id=conversation,
                task_id=task.id,
                number=number,
                role=one.role,
                said={"content": one.content, **one.extras},
                chat_time=one.chat_time,
                memory_ids=[memory_id for memory_id, numbers in sources if number in numbers],
                created_at=task.created_at,
            )
            for number, one in enumerate(messages)
        ]
    )
