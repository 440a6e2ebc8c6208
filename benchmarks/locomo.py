"""How often retrieval finds the turns that answer a question, on LoCoMo-10.

Maharana et al., 2024: ten conversations whose questions name the turns that answer them. The
measure is recall@10: the share of a question's evidence turns among the first ten, averaged over
questions.

Each turn is one `add/message` of the MemOS dialect, a user's message "Speaker: text", and so one
memory. Evidence is a list of texts that hold turn ids (`D1:3`, several in one text at times); a
memory counts as the turn that it was made of, by its id. Left out are adversarial questions
(category 5), and those whose evidence names no turn of the conversation. No worker runs, so that
no extracted fact takes a turn's place.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks.installation import Installation, client
from benchmarks.result import Result

ANSWERABLE = (1, 2, 3, 4)
FIRST = 10
LEAST = 0.66  # recall@10 of `search/memory`
USER = "listener"
DIALECT = "/api/openmem/v1"
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: set[str]


def locomo(installation: Installation, path: Path) -> Iterator[Result]:
    """Each turn stored as a memory, a project for each conversation; then every question asked."""
    conversations = json.loads(path.read_text(encoding="utf-8"))
    recalls: dict[str, list[float]] = {name: [] for name in RANKINGS}
    turns = asked = 0
    installation.stack.hold("worker")
    for number, conversation in enumerate(conversations):
        project = installation.create(f"conversation-{number}")
        with _http(installation, project) as http:
            stored = _store(http, _turns(conversation["conversation"]))
            turns += len(stored)
            for question in _questions(conversation["qa"], set(stored.values())):
                asked += 1
                for name, found in _ask(http, project, question.text).items():
                    hits = {stored[id_] for id_ in found[:FIRST]} & question.evidence
                    recalls[name].append(len(hits) / len(question.evidence))
    parameters = {"conversations": len(conversations), "turns": turns, "questions": asked}
    for name, scores in recalls.items():
        recall = round(sum(scores) / len(scores), 3)
        figures = {"recall_at_10": recall, "missed_at_10": round(1 - recall, 3)}
        bar = {"missed_at_10": round(1 - LEAST, 3)} if name == "locomo_memos" else {}
        yield Result(name, parameters, figures, bar=bar)


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


def _http(installation: Installation, project: uuid.UUID) -> httpx.Client:
    made = installation.boot.post(
        "/admin/keys", json={"name": f"locomo-{project.hex}", "project_id": f"prj_{project.hex}"}
    )
    return client(installation.stack, made.raise_for_status().json()["key"])


def _store(http: httpx.Client, turns: dict[str, str]) -> dict[uuid.UUID, str]:
    """Turns by the ids of their memories: each add is found again by its conversation."""
    for id_, text in turns.items():
        body = {
            "user_id": USER,
            "conversation_id": id_,
            "messages": [{"role": "user", "content": text}],
        }
        http.post(f"{DIALECT}/add/message", json=body).raise_for_status()
    stored: dict[uuid.UUID, str] = {}
    offset = 0
    while True:
        page = http.get("/v1/memories", params={"limit": 200, "offset": offset})
        rows = page.raise_for_status().json()["memories"]
        stored |= {_id(row["id"]): row["run_id"] for row in rows}
        offset += len(rows)
        if not rows:
            return stored


def _ask(http: httpx.Client, project: uuid.UUID, question: str) -> dict[str, list[uuid.UUID]]:
    """The memories that each ranking finds, best first."""
    wanted = {"user_id": USER, "query": question}
    memos = http.post(
        f"{DIALECT}/search/memory",
        json={**wanted, "memory_limit_number": FIRST, "include_preference": False},
    )
    cosine = http.post("/v1/memories/search", json={**wanted, "limit": FIRST})
    found = memos.raise_for_status().json()["data"]["memory_detail_list"]
    near = cosine.raise_for_status().json()["results"]
    words, fused = _ranked(project, question)
    return {
        "locomo_memos": [_id(one["id"]) for one in found],
        "locomo_cosine": [_id(one["id"]) for one in near],
        "locomo_words": words,
        "locomo_context": fused,
    }


RANKINGS = ("locomo_memos", "locomo_cosine", "locomo_words", "locomo_context")
_WORDS = """, rarity AS (
    SELECT term, ln(1 + (n - count(*) + .5) / (count(*) + .5)) AS idf
    FROM matched, size WHERE part = 0 GROUP BY term, n
)
SELECT id FROM matched JOIN rarity USING (term), size WHERE part = 0
GROUP BY id ORDER BY sum(idf * {saturated}) DESC, id DESC LIMIT %(limit)s
"""


def _ranked(project: uuid.UUID, question: str) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """The rankings by words alone (BM25) and of a context, which no call shows by itself."""
    from django.db import connection

    from korely.kernel.tenancy import project_scope
    from memories import lexicon
    from memories.selectors import SearchFilter
    from memories.selectors.relevance import LEGS, SATURATED, rank_memories
    from memories.vectors import embed_for_search

    caller = _caller(project)
    vector = embed_for_search(caller, question)
    statement = LEGS.format(where="v.project_id = %(project)s")
    statement += _WORDS.format(saturated=SATURATED)
    values: dict[str, Any] = {
        "project": project,
        "vector": vector.text,
        "model": vector.model,
        "terms": list(lexicon.terms(question)),
        "limit": FIRST,
    }
    with project_scope(project):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            words = [row[0] for row in cursor.fetchall()]
        fused = rank_memories(
            caller=caller, wanted=SearchFilter(), query=question, vector=vector, limit=FIRST
        )
    return words, fused


def _id(spelled: str) -> uuid.UUID:
    return uuid.UUID(spelled.rpartition("_")[2])


def _caller(project: uuid.UUID) -> Any:
    from accounts.models import Project
    from korely.kernel.caller import Caller

    organisation = Project.objects.values_list("organisation_id", flat=True).get(pk=project)
    return Caller(organisation_id=organisation, project_id=project)
