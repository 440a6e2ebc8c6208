"""Facts and preferences by how close they are to a question, as items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facts.selectors import FactFilter
from facts.selectors.listing import conditions
from facts.selectors.rows import fetch
from facts.selectors.view import columns, from_row
from korely.kernel.caller import Caller
from memories import relativity
from memories.selectors.items import Held
from memories.selectors.narrowed import Condition
from memories.selectors.preferences import IS_PREFERENCE_SQL
from memories.selectors.recollection import Question, Weights, closeness, enough

_READ = 60  # of each kind, the nearest in meaning, whose words are then compared
_CURVES = {True: relativity.PREFERENCE, False: relativity.FACT}


def find_facts(
    *, caller: Caller, question: Question, weights: Weights, facts: int, preferences: int
) -> tuple[list[Held], list[Held]]:
    """The end user's facts and preferences that hold now, at most so many of each.

    Closest first, no two of a list alike. 403 for an end user out of reach.
    """
    nearest = _Nearest(caller, question, weights)
    return (
        enough(lambda most: nearest.read(most, preferences=False), facts) if facts else [],
        enough(lambda most: nearest.read(most, preferences=True), preferences)
        if preferences
        else [],
    )


@dataclass(slots=True)
class _Nearest:
    """What was read so far: both kinds by one statement."""

    caller: Caller
    question: Question
    weights: Weights
    most: int = 0
    found: dict[bool, list[Held]] = field(default_factory=dict)

    def read(self, most: int, *, preferences: bool) -> list[Held]:
        """The nearest of a kind, at least `most` where there are so many."""
        if most > self.most:
            self.most = max(most, _READ)
            self.found = self._by_kind(self.most)
        return self.found[preferences]

    def _by_kind(self, most: int) -> dict[bool, list[Held]]:
        found: dict[bool, list[Held]] = {True: [], False: []}
        terms = self.question.terms
        for row in self._rows(most):
            held, preferred = Held(from_row(row), row[-3], row[-2]), row[-1]
            coverage = self.weights.coverage(terms, held.text)
            close = _CURVES[preferred].of(cosine=held.relativity or 0.0, coverage=coverage)
            held.relativity = self._prior(held.run_id, close)
            found[preferred].append(held)
        return {kind: sorted(held, key=closeness, reverse=True) for kind, held in found.items()}

    def _rows(self, most: int) -> list[tuple[Any, ...]]:
        question = self.question
        wanted = FactFilter(user_id=question.user_id, agent_id=question.agent_id)
        where, values = conditions(self.caller, wanted)
        condition = Condition("fact")
        narrowed = condition.on_facts(question.narrowing.user)
        statement = f"""
            SELECT {columns(wanted.reading)}, f.run_id, f.cosine, f.preferred FROM (
                SELECT f.*, row_number() OVER (
                    PARTITION BY preferred ORDER BY cosine DESC, created_at DESC, id DESC
                ) AS place FROM (
                    SELECT f.*, 1 - (v.vector <=> %(vector)s::halfvec) AS cosine,
                        {IS_PREFERENCE_SQL} AS preferred
                    FROM facts_fact f
                    JOIN facts_factvector v ON v.project_id = f.project_id AND v.id = f.id
                    WHERE {where} AND v.model = %(model)s AND f.tense <> 'planned' AND {narrowed}
                ) f WHERE preferred IS NOT NULL
            ) f WHERE place <= %(limit)s
        """
        values |= condition.values
        values |= {
            "vector": question.vector.text,
            "model": question.vector.model,
            "limit": most,
        }
        return fetch(statement, values)

    def _prior(self, run_id: str | None, close: float) -> float:
        """What is shown of a relativity, with the priority of the conversation that asks."""
        conversation = self.question.conversation_id
        if conversation is not None and run_id == conversation:
            close *= relativity.PRIORITY
        return relativity.shown(close)
