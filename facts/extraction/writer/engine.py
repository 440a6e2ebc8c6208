"""The engine that has a language model read, and keeps what the text bears out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from facts.extraction.candidate import Candidate
from facts.extraction.pattern import unique
from facts.extraction.text import Composed, mask
from facts.extraction.writer.answer import Stated, read_reply
from facts.extraction.writer.asking import readable, request
from facts.extraction.writer.breaker import Breaker
from facts.extraction.writer.calling import call
from facts.extraction.writer.endpoint import Budget, Endpoint, Patience
from facts.extraction.writer.metrics import DROPPED, KEPT
from facts.extraction.writer.passages import read_passages
from facts.extraction.writer.replying import Turn, conversation, read_text
from facts.extraction.writer.subjects import Who
from facts.extraction.writer.verifying import Unfounded, Verifier
from facts.vocabulary import BUILT_IN, Vocabulary

MOST_FACTS = 50  # of one memory; what a model states beyond is dropped


class WriterEngine:
    """Reads with a language model. Keep one an endpoint and process: it knows how that fares."""

    name = "writer"

    def __init__(
        self, endpoint: Endpoint, *, patience: Patience, breaker: Breaker, budget: Budget
    ) -> None:
        self.endpoint = endpoint
        self._patience, self._breaker, self._budget = patience, breaker, budget

    def extract(
        self,
        text: str,
        *,
        user_id: str | None,
        names: Sequence[str],
        timestamp: datetime,
        vocabulary: Vocabulary = BUILT_IN,
    ) -> list[Candidate]:
        """See `Engine.extract`. Nothing is sent of a text that states nothing by our own rules.

        Raises:
            WriterUnavailable: the model did not read it.
        """
        composed = Composed(text)
        passages = read_passages(composed.text, user_id=user_id, names=names, timestamp=timestamp)
        if not passages:
            return []
        answer = call(
            self.endpoint,
            request(self.endpoint, readable(composed.text), timestamp),
            patience=self._patience,
            breaker=self._breaker,
            budget=self._budget,
        )
        verifier = Verifier(mask(composed.text), passages, Who(user_id or "user", tuple(names)))
        found = unique(self._verified(read_reply(answer), verifier), vocabulary)
        KEPT.labels(self.endpoint.name).inc(len(found))
        return [
            replace(one, span=(composed.origin(one.span[0]), composed.origin(one.span[1])))
            for one in found
        ]

    def reply(self, turns: Sequence[Turn], options: Mapping[str, Any]) -> str:
        """What the model says next. Raises WriterUnavailable."""
        answer = call(
            self.endpoint,
            conversation(self.endpoint, turns, options),
            patience=self._patience,
            breaker=self._breaker,
            budget=self._budget,
        )
        return read_text(answer)

    def _verified(self, stated: Sequence[Stated | None], verifier: Verifier) -> list[Candidate]:
        found: list[Candidate] = []
        for one in stated:
            try:
                if one is None:
                    raise Unfounded("shape")
                if len(found) >= MOST_FACTS:
                    raise Unfounded("limit")
                found.append(verifier.candidate(one))
            except Unfounded as error:
                DROPPED.labels(self.endpoint.name, str(error)).inc()
        found.sort(key=lambda candidate: candidate.span)
        return found
