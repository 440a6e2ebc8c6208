"""How often retrieval finds the turns that answer a question, on LoCoMo-10.

Maharana et al., 2024: ten conversations whose questions name the turns that answer them. The
measure is recall@10: the share of a question's evidence turns among the first ten, averaged over
the answerable questions (categories 1 to 4) that name evidence.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.installation import Installation
from benchmarks.result import Result

ANSWERABLE = (1, 2, 3, 4)
FIRST = 10
ROOM = 4 * 8_000  # characters: the largest block a caller may ask for
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: set[str]


def locomo(installation: Installation, path: Path) -> Iterator[Result]:
    """Each turn stored as a memory, a project for each conversation; then every question asked."""
    conversations = json.loads(path.read_text(encoding="utf-8"))
    recalls: dict[str, list[float]] = {"locomo_search": [], "locomo_context": []}
    turns = asked = 0
    installation.stack.hold("worker")
    for number, conversation in enumerate(conversations):
        project = installation.create(f"conversation-{number}")
        stored = _store(project, _turns(conversation["conversation"]))
        turns += len(stored)
        for question in _questions(conversation["qa"], set(stored.values())):
            asked += 1
            for found, recall in zip(_ask(project, question.text), recalls.values(), strict=True):
                hits = {stored[id_] for id_ in found[:FIRST]} & question.evidence
                recall.append(len(hits) / len(question.evidence))
    parameters = {"conversations": len(conversations), "turns": turns, "questions": asked}
    for name, scores in recalls.items():
        yield Result(name, parameters, {"recall_at_10": round(sum(scores) / len(scores), 3)})


def _turns(conversation: dict[str, Any]) -> dict[str, str]:
    """Texts by their id, in the order they were said."""
    sessions = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    said = {}
    for name in sorted(sessions, key=lambda name: int(name.rpartition("_")[2])):
        for turn in conversation[name]:
            said[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}"
    return said


def _questions(asked: list[dict[str, Any]], known: set[str]) -> Iterator[Question]:
    """The answerable ones; ids of turns that the conversation has not are left out."""
    for one in asked:
        evidence = {id_ for text in one.get("evidence", []) for id_ in _TURN.findall(text)} & known
        if one["category"] in ANSWERABLE and evidence:
            yield Question(one["question"], evidence)


def _store(project: uuid.UUID, turns: dict[str, str]) -> dict[uuid.UUID, str]:
    from memories import services

    caller = _caller(project)
    return {services.add_memory(caller=caller, content=text).id: id_ for id_, text in turns.items()}


def _ask(project: uuid.UUID, question: str) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """The memories of a search and of a context's ranking, best first."""
    from korely.kernel.tenancy import project_scope
    from memories.selectors import SearchFilter, nearest_memories
    from memories.selectors.relevance import recall_memories
    from memories.vectors import embed_for_search

    caller, wanted = _caller(project), SearchFilter()
    vector = embed_for_search(caller, question)
    with project_scope(project):
        near = nearest_memories(caller=caller, wanted=wanted, vector=vector, limit=FIRST)
        fused = recall_memories(
            caller=caller,
            wanted=wanted,
            query=question,
            vector=vector,
            known_as_of=None,
            room=ROOM,
        )
    return [hit.id for hit in near], [memory.id for memory in fused]


def _caller(project: uuid.UUID) -> Any:
    from accounts.models import Project
    from korely.kernel.caller import Caller

    organisation = Project.objects.values_list("organisation_id", flat=True).get(pk=project)
    return Caller(organisation_id=organisation, project_id=project)
