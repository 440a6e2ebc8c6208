"""The local engine: rules of language first, the tagger for what they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from facts.extraction.candidate import Candidate
from facts.extraction.pattern import PatternEngine, unique
from facts.extraction.tagger.confidence import confidence
from facts.extraction.tagger.model import TaggerModel
from facts.extraction.tagger.reading import TagReader
from facts.extraction.text import Composed, mask, read_lines
from facts.vocabulary import BUILT_IN, Vocabulary


class TaggerEngine:
    """Reads with the pattern engine and adds what the model finds beside it."""

    name = "tagger"

    def __init__(self, model: TaggerModel, *, with_rules: bool = True) -> None:
        """`with_rules` off leaves the model alone, to be measured."""
        self._model = model
        self._pattern = PatternEngine() if with_rules else None

    def extract(
        self,
        text: str,
        *,
        user_id: str | None,
        names: Sequence[str],
        timestamp: datetime,
        vocabulary: Vocabulary = BUILT_IN,
    ) -> list[Candidate]:
        """See `Engine.extract`."""
        stated: list[Candidate] = []
        if self._pattern is not None:
            stated = self._pattern.extract(
                text, user_id=user_id, names=names, timestamp=timestamp, vocabulary=vocabulary
            )
        composed = Composed(text)
        lines = read_lines(composed.text, user_id=user_id, names=names)
        reader = TagReader(
            composed.text, lines, user=user_id or "user", names=names, timestamp=timestamp
        )
        tags = [
            replace(tag, score=confidence(tag.score, self._model.calibration))
            for tag in self._model.tags(_encodable(mask(composed.text)))
        ]
        marked = [
            replace(one, span=(composed.origin(one.span[0]), composed.origin(one.span[1])))
            for one in reader.read([tag for tag in tags if tag.score >= self._model.threshold])
        ]
        added = [one for one in marked if not any(_is_told(one, other) for other in stated)]
        both = sorted([*stated, *added], key=lambda one: one.span)
        return unique(both, vocabulary)


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_told(tagged: Candidate, stated: Candidate) -> bool:
    """Whether the rules have read the same words already."""
    if tagged.subject.casefold() != stated.subject.casefold():
        return False
    ours, theirs = set(_words(tagged.object)), set(_words(stated.object))
    shared = len(ours & theirs)
    if shared * 2 >= 0.6 * (len(ours) + len(theirs)):
        return True
    return (
        tagged.predicate == stated.predicate
        and shared > 0
        and tagged.span[0] < stated.span[1]
        and stated.span[0] < tagged.span[1]
    )


def _words(value: str) -> list[str]:
    return value.casefold().split()
