"""What each call takes (contract, sections 9 to 17), beside `http.asking` and `http.stating`."""

from __future__ import annotations

from korely.http.asking import CONTENT_LENGTH, QUERY_LENGTH, AddMemory
from korely.http.fields import (
    MAX_OFFSET,
    Boolean,
    Identifier,
    Instant,
    InstantText,
    Integer,
    Patterns,
    Text,
    Verbatim,
    Word,
    Words,
)
from korely.http.items import Items
from korely.http.shapes import Shape, has, one_of_them, sent
from korely.http.stating import FACT_PART_LENGTH
from korely.kernel.caller import SCOPES
from korely.kernel.outbound.targets import MOST_URL
from korely.webhooks.events import EVENTS, EVERYTHING

BATCH_ITEMS = 500
NAME_LENGTH = 100
CALLER_LENGTH = 255
MAX_OVERLAP = 2_592_000  # seconds: 30 days


class NoFields(Shape):
    """A body that may be empty or `{}`."""


class BatchItem(AddMemory):
    content = Verbatim(most=CONTENT_LENGTH)


class AddBatch(Shape):
    memories = Items(BatchItem, least=1, most=BATCH_ITEMS)


class UpdateMemory(Shape):
    content = Text(most=CONTENT_LENGTH)
    expected_updated_at = InstantText(required=False)


class ListMemories(Shape):
    user_id = Identifier(required=False)
    agent_id = Identifier(required=False)
    run_id = Identifier(required=False)
    limit = Integer(least=1, most=200, query=True, default=50)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)
    exclude_sessions = Boolean(query=True, default=False)


class GetProfile(Shape):
    user_id = Identifier()
    agent_id = Identifier(required=False)
    as_of = InstantText(required=False)
    known_as_of = InstantText(required=False)
    exclude_sessions = Boolean(query=True, default=False)


class DeclareName(Shape):
    name = Text(most=FACT_PART_LENGTH)
    agent_id = Identifier(segment=True, required=False)


class ListEvents(Shape):
    user_id = Identifier(required=False)
    status = Word("processing", "ready", "error", required=False)
    limit = Integer(least=1, most=200, query=True, default=50)


class ListUsers(Shape):
    agent_id = Identifier(required=False)
    limit = Integer(least=1, most=200, query=True, default=50)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)


class ListAgents(Shape):
    limit = Integer(least=1, most=200, query=True, default=50)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)


class ExportProject(Shape):
    user_id = Identifier(required=False)


class ListAudit(Shape):
    user_id = Identifier(required=False)
    action = Text(most=QUERY_LENGTH, required=False)
    since = Instant(required=False)
    until = Instant(required=False)
    limit = Integer(least=1, most=1_000, query=True, default=100)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)


class DeleteAccount(Shape):
    confirm = Boolean(query=True, default=False)


class ListProjects(Shape):
    include_archived = Boolean(query=True, default=False)


class DeleteProject(Shape):
    erase = Boolean(query=True, default=False)


class CreateProject(Shape):
    name = Text(most=NAME_LENGTH)
    region = Word("eu", "global", required=False)
    description = Text(least=0, most=QUERY_LENGTH, required=False)


class UpdateProject(Shape):
    name = Text(most=NAME_LENGTH, required=False)
    description = Text(least=0, most=QUERY_LENGTH, required=False)
    rules = one_of_them("name", "description")


class CreateKey(Shape):
    name = Text(most=NAME_LENGTH)
    project_id = Text(most=QUERY_LENGTH, required=False)
    scopes = Words(*SCOPES, required=False)
    users = Patterns(required=False)
    expires_in_days = Integer(least=0, most=3_650, required=False, allow_null=True)
    rules = {"not": {"allOf": [sent("users"), has("scopes", "admin")]}}


class MoveKey(Shape):
    project_id = Text(most=QUERY_LENGTH)


class RotateKey(Shape):
    overlap_seconds = Integer(least=0, most=MAX_OVERLAP, required=False)


class InitAgent(Shape):
    agent_caller = Text(least=0, most=CALLER_LENGTH, required=False)
    processing_region = Word("eu", "global", required=False)


class CreateWebhook(Shape):
    url = Text(most=MOST_URL)
    events = Words(EVERYTHING, *EVENTS, required=False)
    project_id = Text(most=QUERY_LENGTH, required=False)
    description = Text(least=0, most=QUERY_LENGTH, required=False)


class UpdateWebhook(Shape):
    url = Text(most=MOST_URL, required=False)
    events = Words(EVERYTHING, *EVENTS, required=False)
    description = Text(least=0, most=QUERY_LENGTH, required=False)
    enabled = Boolean(required=False)
    rules = one_of_them("url", "events", "description", "enabled")


class ListDeliveries(Shape):
    state = Word("pending", "delivered", "dead", required=False)
    limit = Integer(least=1, most=200, query=True, default=50)
    offset = Integer(least=0, most=MAX_OFFSET, query=True, default=0)
