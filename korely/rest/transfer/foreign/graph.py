"""Nodes, edges and episodes, as Graphiti and Zep both have them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from korely.kernel import clock, ids
from korely.rest.transfer.foreign import values
from korely.rest.transfer.foreign.rows import OTHERS, Row
from korely.rest.transfer.foreign.skips import Reason, Skip
from korely.rest.transfer.foreign.values import Skipped

# The first label that says what an entity is (contract: a fact's subject_type).
_TYPES = {
    "user": "person",
    "person": "person",
    "organization": "organization",
    "organisation": "organization",
    "company": "organization",
    "location": "place",
    "place": "place",
    "product": "product",
    "event": "event",
    "concept": "concept",
    "topic": "concept",
}
_NO_USER = frozenset({"_", "\\_", "_default_"})  # Graphiti's names of the partition without a name


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    type: str = "unknown"


class Graph:
    """What edges refer to, and what they become."""

    def __init__(self, project_id: uuid.UUID, origin: str, user_id: str | None) -> None:
        self._project_id, self._origin, self._user_id = project_id, origin, user_id
        self.nodes: dict[str, Node] = {}
        self._stated: set[uuid.UUID] = set()  # names of episodes whose facts come along
        # By its name, an episode's id here and whose it is.
        self._stored: dict[uuid.UUID, tuple[uuid.UUID, str | None]] = {}
        self._declared: dict[tuple[str, str], tuple[int, Row | Skip]] = {}

    def user_of(self, *found: Any) -> str | None:
        """The end user: the first of these that is a name, else the one of the whole import."""
        for one in found:
            name = values.text({"user": one}, "user")
            if name is not None and name not in _NO_USER:
                return name
        return self._user_id

    def learn_node(self, value: Mapping[str, Any], *names: str | None) -> None:
        """Keep the name of an entity by each of the ids that edges may call it."""
        name = values.text(value, "name")
        if name is None:
            return
        node = Node(name.strip(), _type(value.get("labels")))
        for one in names:
            if one is not None:
                self.nodes[one] = node

    def declare(self, number: int, value: Mapping[str, Any], user_id: str) -> None:
        """This node is the end user: facts about its name are about them."""
        name = values.text(value, "name")
        if name is not None and name.strip() != user_id:
            found = _name(value, user_id, name.strip())
            self._declared.setdefault((user_id, name.strip()), (number, found))

    def names(self) -> Iterator[tuple[int, Row | Skip]]:
        yield from self._declared.values()

    def expect(self, value: Mapping[str, Any]) -> None:
        """The facts of the episodes that this edge names come along."""
        self._stated.update(self._name(one) for one in _episodes(value))

    def memory(
        self,
        value: Mapping[str, Any],
        user_id: str | None,
        *,
        kept: Mapping[str, Any],
        run_id: str | None = None,
        created: datetime | None = None,
    ) -> Row:
        """An episode or a message. `kept`: what has no field here; `created`: where it has none."""
        content = values.text(value, "content")
        if content is None:
            raise Skipped(Reason.NO_TEXT, "content is empty")
        said = values.moment(value, "valid_at", "reference_time")
        stored = values.moment(value, "created_at") or said or created
        if stored is None:
            raise Skipped(Reason.NO_DATE, "created_at is not given")
        name = self._name(values.own_name(value, "uuid", "id"))
        # A message is an episode as well, under the same id: whichever is read first.
        own, _ = self._stored.setdefault(name, (values.id_of(name, stored), user_id))
        role = values.text(value, "role_type", "role")
        line = {
            "type": "memory",
            "id": ids.wire(ids.MEMORY, own),
            "content": content,
            "user_id": user_id,
            "run_id": run_id,
            "metadata": values.metadata(value.get("metadata"), self._origin, kept),
            "timestamp": clock.write_or_none(said),
            "created_at": clock.write(stored),
        }
        mined = (
            value.get("source") not in ("json", "fact_triple")
            and (role or "").casefold() not in OTHERS
        )
        return Row(line, mined=mined and name not in self._stated)

    def fact(
        self,
        value: Mapping[str, Any],
        user_id: str | None,
        source: Node | None,
        target: Node | None,
    ) -> Row:
        """An edge between two entities, with both of its clocks."""
        if source is None or target is None:
            raise Skipped(Reason.UNKNOWN_NODE, "an edge whose two nodes the file does not name")
        created = values.moment(value, "created_at")
        if created is None:
            raise Skipped(Reason.NO_DATE, "created_at is not given")
        name = self._name(values.own_name(value, "uuid", "id"))
        found = map(self._stored.get, map(self._name, _episodes(value)))
        sources = [one for one, owner in filter(None, found) if owner == user_id]
        predicate = values.text(value, "name") or "related_to"
        line = {
            "type": "fact",
            "id": ids.wire(ids.FACT, values.id_of(name, created)),
            "subject": source.name,
            "subject_type": source.type,
            "predicate": predicate,
            "predicate_raw": predicate,
            "object": target.name,
            "object_is_literal": False,
            "user_id": user_id,
            **_clocks(value, created),
            "created_at": clock.write(created),
            "source_memory_ids": [ids.wire(ids.MEMORY, one) for one in sources],
        }
        return Row(line)

    def _name(self, name: str) -> uuid.UUID:
        return values.name_of(self._project_id, self._origin, name)


def _clocks(value: Mapping[str, Any], created: datetime) -> dict[str, Any]:
    begin = values.moment(value, "valid_at", "reference_time")
    end = values.moment(value, "invalid_at")
    expired = values.moment(value, "expired_at")
    end = end or expired
    if end is None:
        return {"valid_from": clock.write(begin or created)}
    if begin is not None and end < begin:
        raise Skipped(Reason.BAD_DATE, "it ends before valid_at")
    begin = begin or min(created, end)
    told_with_it = expired is None or end <= created
    return {
        "valid_from": clock.write(begin),
        "invalid_at": clock.write(end),
        "closed_known_at": clock.write(max(expired or created, created)),
        "closed_reason": "stated" if told_with_it else "superseded",
    }


def _name(value: Mapping[str, Any], user_id: str, name: str) -> Row | Skip:
    try:
        since = values.moment(value, "created_at")
    except Skipped as error:
        return error.skip
    if since is None:
        return Skip(Reason.NO_DATE, "created_at is not given")
    return Row({"type": "name", "user_id": user_id, "name": name, "since": clock.write(since)})


def _type(labels: Any) -> str:
    for label in labels if isinstance(labels, list) else ():
        found = _TYPES.get(str(label).casefold())
        if found is not None:
            return found
    return "unknown"


def _episodes(value: Mapping[str, Any]) -> list[str]:
    """The ids of the episodes that state an edge; Neptune's dialect joins them into one text."""
    found = value.get("episodes") or value.get("episode_uuids") or []
    if isinstance(found, str):
        found = found.split(",")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
