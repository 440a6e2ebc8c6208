"""Graphiti: its nodes and edges as JSON, or as Neo4j exports them (docs/migration.md)."""

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

NAME = "graphiti"
_EDGES = frozenset({"edges", "entity_edges", "rels", "relationships"})
_STRUCTURE = frozenset(
    "episodic_edges community_nodes community_edges communities sagas saga_nodes"
    " has_episode_edges next_episode_edges".split()
)
_STRUCTURE_LABELS = frozenset({"Community", "Saga"})
_KEPT = ("uuid", "name", "source", "source_description", "group_id")


class Graphiti:
    keys = _EDGES | _STRUCTURE | {"nodes", "entity_nodes", "episodes", "episodic_nodes"}
    wrappers = frozenset({"graph", "data"})
    surveys = True

    def __init__(self, project_id: uuid.UUID, user_id: str | None) -> None:
        self._graph = Graph(project_id, NAME, user_id)
        self.nodes = 0

    def learn(self, record: Record) -> None:
        value = _plain(record.value)
        if _kind(record.key, value) == "node":
            self.nodes += 1
            self._graph.learn_node(value, values.text(value, "uuid"), _internal(value.get("neo4j")))

    def learn_more(self, record: Record) -> None:
        value = _plain(record.value)
        if _kind(record.key, value) == "edge" and None not in self._nodes_of(value):
            self._graph.expect(value)

    def names(self) -> Iterator[tuple[int, Row | Skip]]:
        return self._graph.names()

    def memory(self, record: Record) -> Row | None:
        value = _plain(record.value)
        kind = _kind(record.key, value)
        if kind == "structure":
            raise Skipped(Reason.NO_COUNTERPART, "a community, a saga or a link between nodes")
        if kind is None:
            raise Skipped(Reason.UNKNOWN_KIND, "is neither episode, edge nor node")
        if kind != "episode":
            return None
        kept = {name: value.get(name) for name in _KEPT}
        value = {**value, "metadata": value.get("episode_metadata")}
        return self._graph.memory(value, self._user_of(value), kept=kept)

    def fact(self, record: Record) -> Row | None:
        value = _plain(record.value)
        if _kind(record.key, value) != "edge":
            return None
        return self._graph.fact(value, self._user_of(value), *self._nodes_of(value))

    def _user_of(self, value: Mapping[str, Any]) -> str | None:
        return self._graph.user_of(value.get("group_id"))

    def _nodes_of(self, value: Mapping[str, Any]) -> tuple[Node | None, Node | None]:
        return self._end(value, "source", "start"), self._end(value, "target", "end")

    def _end(self, value: Mapping[str, Any], end: str, point: str) -> Node | None:
        found = self._graph.nodes.get(values.text(value, f"{end}_node_uuid") or "")
        if found is None:
            name = values.text(value, f"{end}_node_name")
            found = None if name is None else Node(name.strip())
        at = value.get(point)
        if found is None and isinstance(at, dict):
            found = self._graph.nodes.get(_internal(at.get("id")) or "")
        return found


def _plain(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A node or relationship of a Neo4j export with its properties as its own fields."""
    inner = value.get("properties")
    if value.get("type") not in ("node", "relationship") or not isinstance(inner, dict):
        return value
    if value["type"] == "node":
        return {**inner, "labels": value.get("labels"), "neo4j": value.get("id")}
    ends = {point: value.get(point) for point in ("start", "end")}
    return {**inner, **ends, "label": value.get("label")}


def _internal(found: Any) -> str | None:
    """What Neo4j calls a node; a relationship of an export names its ends so."""
    return f"neo4j:{found}" if isinstance(found, str | int) else None


def _kind(key: str | None, value: Mapping[str, Any]) -> str | None:
    labels = value.get("labels")
    named = set(labels) if isinstance(labels, list) else set()
    if key in _STRUCTURE or named & _STRUCTURE_LABELS:
        return "structure"
    if "fact" in value:
        return "edge"
    if "source_node_uuid" in value or "label" in value:
        return "edge" if key == "entity_edges" else "structure"
    if "content" in value:
        return "episode"
    return "node" if "name" in value else None
