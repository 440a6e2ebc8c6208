"""mem0: what `get_all`, the platform's list or a dump of either gives (docs/migration.md)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from korely.kernel import clock, ids
from korely.rest.transfer.foreign import values
from korely.rest.transfer.foreign.records import Record
from korely.rest.transfer.foreign.rows import OTHERS, Row
from korely.rest.transfer.foreign.skips import Reason, Skip
from korely.rest.transfer.foreign.values import Skipped

NAME = "mem0"
_RELATIONS = "relations"
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")
_KEPT = (
    "id app_id actor_id role attributed_to categories expiration_date immutable memory_type"
    " structured_attributes"
).split()


class Mem0:
    keys = frozenset({"results", "memories", _RELATIONS})
    wrappers = frozenset({"results", "data"})
    surveys = False
    nodes = 0

    def __init__(self, project_id: uuid.UUID, user_id: str | None) -> None:
        self._project_id, self._user_id = project_id, user_id

    def learn(self, record: Record) -> None:
        """Memories refer to nothing."""

    def learn_more(self, record: Record) -> None:
        """Nor now."""

    def names(self) -> Iterator[tuple[int, Row | Skip]]:
        return iter(())

    def memory(self, record: Record) -> Row | None:
        value = _spelled(record.value)
        if record.key == _RELATIONS or "relationship" in value:
            raise Skipped(Reason.NO_COUNTERPART, "a relation without dates")
        if not {"memory", "text", "content"} & set(value):
            raise Skipped(Reason.UNKNOWN_KIND, "is no memory")
        _require_kept(value)
        content = values.text(value, "memory", "text", "content")
        if content is None:
            raise Skipped(Reason.NO_TEXT, "memory is empty")
        created = values.moment(value, "created_at")
        if created is None:
            raise Skipped(Reason.NO_DATE, "created_at is not given")
        name = values.name_of(self._project_id, NAME, values.own_name(value, "id"))
        updated = values.moment(value, "updated_at") or created
        kept = {name: value.get(name) for name in _KEPT}
        around = {"user_id": record.around.get("user_id")}
        line = {
            "type": "memory",
            "id": ids.wire(ids.MEMORY, values.id_of(name, created)),
            "content": content,
            "user_id": values.text(value, "user_id")
            or values.text(around, "user_id")
            or self._user_id,
            "agent_id": values.text(value, "agent_id"),
            "run_id": values.text(value, "run_id"),
            "metadata": values.metadata(value.get("metadata"), NAME, kept),
            "created_at": clock.write(created),
            "updated_at": clock.write(max(created, updated)),
        }
        return Row(line, mined=value.get("role") not in OTHERS)

    def fact(self, record: Record) -> Row | None:
        return None


def _spelled(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Names of fields as Python's client has them: that of TypeScript writes `createdAt`."""
    return {
        _CAPITAL.sub(lambda found: f"_{found[1].lower()}", name): one for name, one in value.items()
    }


def _require_kept(value: Mapping[str, Any]) -> None:
    ends = values.moment(value, "expiration_date")
    if ends is not None and ends.date() < clock.now().date():
        raise Skipped(Reason.EXPIRED, "its expiration_date has passed")
