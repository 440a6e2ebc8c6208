"""Rows as the contract's JSON objects (section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import ApiKey, Project
from facts.selectors import FactHit, FactPage, FactView
from facts.services import Declared, ForgottenFact
from korely.http.errors import json_text
from korely.kernel import clock, ids
from korely.webhooks.models import Delivery, Endpoint
from korely.webhooks.services import message_id
from memories.context import Block
from memories.models import Batch, Memory
from memories.selectors import Counted, HistoryEvent, MemoryHit
from memories.services import SNIPPET, WrittenFact, shown_score, shown_text


def fact(view: FactView) -> dict[str, Any]:
    """The read shape: 24 keys, always present."""
    sources = [ids.wire(ids.MEMORY, source) for source in view.sources]
    return {
        "id": ids.wire(ids.FACT, view.id),
        "subject": view.subject,
        "subject_type": view.subject_type,
        "subject_canonical": view.subject_canonical,
        "predicate": view.predicate,
        "predicate_raw": view.predicate_raw,
        "predicate_family": view.predicate_family,
        "object": view.object,
        "object_is_literal": view.object_is_literal,
        "object_canonical": view.object_canonical,
        "confidence": view.confidence,
        "user_id": view.user_id,
        "agent_id": view.agent_id,
        "tense": view.tense,
        "valid_from": clock.write(view.valid_from),
        "invalid_at": clock.write_or_none(view.invalid_at),
        "invalidated_by": ids.wire_or_none(ids.FACT, view.invalidated_by),
        "closed_known_at": clock.write_or_none(view.closed_known_at),
        "closed_reason": view.closed_reason,
        "observation_count": view.observation_count,
        "last_confirmed_at": clock.write_or_none(view.last_confirmed_at),
        "source_memory_id": sources[0] if sources else None,
        "source_memory_ids": sources,
        "created_at": clock.write(view.created_at),
    }


def written_fact(done: WrittenFact) -> dict[str, Any]:
    """The write shape: the read shape and the ids this write ended."""
    return {
        **fact(done.fact),
        "invalidated": [ids.wire(ids.FACT, ended) for ended in done.invalidated],
    }


def forgotten_fact(done: ForgottenFact) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.FACT, done.fact_id),
        "status": "already_forgotten" if done.audit_id is None else "forgotten",
        "invalid_at": clock.write(done.invalid_at),
        "audit_id": done.audit_id,
    }


def profile_text(page: FactPage, query: Mapping[str, Any]) -> str:
    """The JSON text of a profile. `by_family` holds exactly the facts listed, in their order.

    Two hundred facts are most of what a profile costs, so each is put into text once.
    """
    families: dict[str, list[str]] = {}
    facts = []
    for view in page.facts:
        text = json_text(fact(view))
        facts.append(text)
        families.setdefault(view.predicate_family, []).append(text)
    head = {
        "user_id": query["user_id"],
        "as_of": query.get("as_of"),
        "known_as_of": query.get("known_as_of"),
        "total": page.total,
        "truncated": page.total > len(facts),
    }
    by_family = ",".join(f"{json_text(name)}:{_array(texts)}" for name, texts in families.items())
    return f'{json_text(head)[:-1]},"facts":{_array(facts)},"by_family":{{{by_family}}}}}'


def _array(texts: Sequence[str]) -> str:
    return f"[{','.join(texts)}]"


def declared_name(done: Declared) -> dict[str, Any]:
    return {
        "user_id": done.user_id,
        "name": done.name,
        "agent_id": done.agent_id,
        "since": clock.write(done.since),
    }


def memory(row: Memory, facts: Sequence[FactView] | None = None) -> dict[str, Any]:
    """A memory; with `facts`, those it states that hold now."""
    shown: dict[str, Any] = {
        "id": ids.wire(ids.MEMORY, row.id),
        "content": row.content,
        "user_id": row.user_id,
        "agent_id": row.agent_id,
        "run_id": row.run_id,
        "client": row.client,
        "kind": row.kind,
        "metadata": row.metadata,
        "timestamp": clock.write_or_none(row.timestamp),
        "status": row.status,
        "created_at": clock.write(row.created_at),
        "updated_at": clock.write(row.updated_at),
    }
    if facts is not None:
        shown["facts"] = [fact(view) for view in facts]
    return shown


def batch(row: Batch) -> dict[str, Any]:
    """How far a batch has come; errors by index."""
    return {
        "id": ids.wire(ids.JOB, row.id),
        "status": row.status,
        "received": row.received,
        "imported": row.imported,
        "failed": row.failed,
        "errors": sorted(row.errors, key=lambda one: one["index"]),
    }


def counted(row: Counted) -> dict[str, Any]:
    """How much is remembered of an end user or agent."""
    return {
        "memories": row.memories,
        "facts": row.facts,
        "last_active": clock.write(row.last_active),
    }


def event(row: Memory) -> dict[str, Any]:
    return {
        "memory_id": ids.wire(ids.MEMORY, row.id),
        "user_id": row.user_id,
        "agent_id": row.agent_id,
        "status": row.status,
        "created_at": clock.write(row.created_at),
    }


def history_event(entry: HistoryEvent) -> dict[str, Any]:
    return {
        "event": entry.event,
        "at": clock.write_or_none(entry.at),
        "fact": entry.fact,
        "fact_id": ids.wire_or_none(ids.FACT, entry.fact_id),
    }


def memory_hit(hit: MemoryHit, *, typed: bool, full_text: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": ids.wire(ids.MEMORY, hit.id),
        "score": shown_score(hit.score),
        "snippet": hit.content[:SNIPPET],
        "user_id": hit.user_id,
        "agent_id": hit.agent_id,
        "metadata": hit.metadata,
    }
    if typed:
        shown["type"] = "memory"
    if full_text:
        shown["content"] = hit.content
    return shown


def fact_hit(hit: FactHit, *, full_text: bool) -> dict[str, Any]:
    text = shown_text(hit)
    shown: dict[str, Any] = {
        "id": ids.wire(ids.FACT, hit.fact.id),
        "score": shown_score(hit.score),
        "snippet": text[:SNIPPET],
        "user_id": hit.fact.user_id,
        "agent_id": hit.fact.agent_id,
        "metadata": {},
        "type": "fact",
    }
    if full_text:
        shown["content"] = text
    shown["fact"] = fact(hit.fact)
    return shown


def context(block: Block) -> dict[str, Any]:
    return {
        "context": block.context,
        "tokens": block.tokens,
        "sources": [ids.wire(ids.FACT, i) for i in block.facts]
        + [ids.wire(ids.MEMORY, i) for i in block.memories],
        "stable": block.stable,
        "volatile": block.volatile,
        "stable_hash": block.stable_hash,
        "degraded": bool(block.degraded_parts),
        "degraded_parts": block.degraded_parts,
    }


def project(row: Project) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.PROJECT, row.id),
        "name": row.name,
        "description": row.description,
        "region": row.region,
        "is_default": row.is_default,
        "archived_at": clock.write_or_none(row.archived_at),
        "created_at": clock.write(row.created_at),
    }


def api_key(row: ApiKey) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.KEY, row.id),
        "name": row.name,
        "masked": row.masked,
        "state": row.state,
        "scopes": list(row.scopes),
        "project_id": ids.wire(ids.PROJECT, row.project_id),
        "project_name": row.project.name,
        "users": None if row.users is None else list(row.users),
        "created_at": clock.write(row.created_at),
        "last_used_at": clock.write_or_none(row.last_used_at),
        "expires_at": clock.write_or_none(row.expires_at),
        "revoked_at": clock.write_or_none(row.revoked_at),
    }


def webhook(row: Endpoint) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.WEBHOOK, row.id),
        "url": row.url,
        "events": list(row.events),
        "project_id": ids.wire_or_none(ids.PROJECT, row.project_id),
        "description": row.description,
        "state": "enabled" if row.enabled else "disabled",
        "disabled_reason": row.disabled_reason,
        "created_at": clock.write(row.created_at),
        "last_success_at": clock.write_or_none(row.last_success_at),
        "last_failure_at": clock.write_or_none(row.last_failure_at),
    }


def delivery(row: Delivery) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.DELIVERY, row.id),
        "message_id": message_id(row.id),
        "event": row.event,
        "state": row.state,
        "attempts": row.attempts,
        "response_status": row.response_status,
        "error": row.error,
        "created_at": clock.write(row.created_at),
        "next_attempt_at": clock.write_or_none(row.next_attempt_at),
        "delivered_at": clock.write_or_none(row.delivered_at),
    }
