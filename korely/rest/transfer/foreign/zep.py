"""Zep: threads with messages, graphs of users, facts of sessions (docs/migration.md)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from korely.rest.transfer.foreign import values
from korely.rest.transfer.foreign.graph import Graph, Node
from korely.rest.transfer.foreign.records import Record
from korely.rest.transfer.foreign.rows import Row
from korely.rest.transfer.foreign.skips import Reason, Skip
from korely.rest.transfer.foreign.values import Skipped

NAME = "zep"
_ENDS = ("source_node_uuid", "source_node_name", "target_node_uuid", "target_node_name")
_WITHOUT_TEXT = frozenset({"threads", "sessions", "users", "observations", "thread_summaries"})
_KEPT = ("uuid", "thread_id", "role", "role_type", "name", "source", "source_description")


class Zep:
    keys = frozenset(
        {"messages", "facts", "relevant_facts", "edges", "nodes", "episodes"} | _WITHOUT_TEXT
    )
    wrappers = frozenset({"graph", "data", "memory"})
    surveys = True

    def __init__(self, project_id: uuid.UUID, user_id: str | None) -> None:
        self._graph = Graph(project_id, NAME, user_id)
        self._users: list[Record] = []
        self.nodes = 0

    def learn(self, record: Record) -> None:
        value = record.value
        if not _is_node(record):
            return
        self.nodes += 1
        self._graph.learn_node(value, values.text(value, "uuid"))
        labels = value.get("labels")
        if isinstance(labels, list) and "User" in labels:
            self._users.append(record)

    def learn_more(self, record: Record) -> None:
        if _is_edge(record.value) and None not in self._nodes_of(record.value):
            self._graph.expect(record.value)

    def names(self) -> Iterator[tuple[int, Row | Skip]]:
        for record in self._users:  # now that all is read, also a user_id that stands last
            attributes = record.value.get("attributes")
            own = attributes.get("user_id") if isinstance(attributes, dict) else None
            user_id = values.text({"user_id": own}, "user_id") or self._user_of(record)
            if user_id is not None:
                self._graph.declare(record.number, record.value, user_id)
        return self._graph.names()

    def memory(self, record: Record) -> Row | None:
        value, around = record.value, record.around
        if _is_edge(value) or _is_node(record):
            return None
        if record.key in _WITHOUT_TEXT or ("content" not in value and "thread_id" in value):
            raise Skipped(Reason.NO_COUNTERPART, "a thread, user or summary without messages")
        if "content" not in value:
            raise Skipped(Reason.UNKNOWN_KIND, "is neither message, episode, fact, edge nor node")
        return self._graph.memory(
            value,
            self._user_of(record),
            kept={name: value.get(name) for name in _KEPT},
            run_id=values.text(value, "thread_id", "session_id")
            or values.text(around, "thread_id", "session_id"),
            created=values.moment(around, "thread_created_at"),
        )

    def fact(self, record: Record) -> Row | None:
        if not _is_edge(record.value):
            return None
        return self._graph.fact(record.value, self._user_of(record), *self._nodes_of(record.value))

    def _user_of(self, record: Record) -> str | None:
        return self._graph.user_of(record.value.get("user_id"), record.around.get("user_id"))

    def _nodes_of(self, value: Mapping[str, Any]) -> tuple[Node | None, Node | None]:
        return self._end(value, "source"), self._end(value, "target")

    def _end(self, value: Mapping[str, Any], end: str) -> Node | None:
        known = self._graph.nodes.get(values.text(value, f"{end}_node_uuid") or "")
        name = values.text(value, f"{end}_node_name")
        return known or (None if name is None else Node(name.strip()))


def _is_edge(value: Mapping[str, Any]) -> bool:
    """A fact of a session names its entities, an edge of a graph has their ids."""
    return "fact" in value or any(name in value for name in _ENDS)


def _is_node(record: Record) -> bool:
    value = record.value
    if _is_edge(value) or "content" in value or record.key in _WITHOUT_TEXT:
        return False
    return record.key == "nodes" or ("name" in value and "labels" in value)
