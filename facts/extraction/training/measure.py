"""How well an engine reads marked texts, on the same terms as `manage.py score_facts`.

A fact is found when subject and predicate agree and the objects share most of their words (a
token-set F1 of 0.6). An open verb may be named in any way. Optional facts count neither way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from facts.extraction.candidate import Candidate, Engine, written
from facts.extraction.tagger.labels import OPEN, label_of
from facts.extraction.training.rows import SENSES, TIMESTAMP, Marked, Row

_LIKENESS = 0.6


@dataclass(slots=True)
class Counts:
    """Facts that were found, that should have been, and that were stated wrongly."""

    right: int = 0
    missed: int = 0
    wrong: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, 2 * self.right + self.missed + self.wrong)


@dataclass(slots=True)
class Measured:
    """What came of reading rows: in all, by tag, and each fact's confidence with its verdict."""

    counts: Counts = field(default_factory=Counts)
    by_tag: dict[str, Counts] = field(default_factory=dict)
    silent: int = 0
    fact_free: int = 0
    tenses: Counter[bool] = field(default_factory=Counter)
    verdicts: list[tuple[float, bool]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def line(self) -> str:
        """The figures in one line."""
        found, tenses = self.counts, self.tenses
        return (
            f"F1 {found.f1:.3f}  precision {found.precision:.3f}  recall {found.recall:.3f}  "
            f"no-fact {self.silent / max(1, self.fact_free):.3f}  "
            f"tense {tenses[True] / max(1, tenses.total()):.3f}"
        )


def measure(engine: Engine, rows: Iterable[Row]) -> Measured:
    """Reads every row with the engine and holds the facts against the marks."""
    found = Measured()
    moment = datetime.fromisoformat(TIMESTAMP)
    for row in rows:
        stated = written(engine.extract(row.text, user_id=None, names=(), timestamp=moment))
        _count(found, row, [one for one in stated if not _is_past_of_replaced(one, row)])
    return found


def reliability(
    verdicts: Sequence[tuple[float, bool]], bins: int = 10
) -> Iterator[tuple[float, float, int]]:
    """For each tenth of confidence: its mean, the share that was right, and how many there were."""
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [one for one in verdicts if low <= one[0] < high or (one[0] == high == 1)]
        if inside:
            yield (
                sum(sure for sure, _ in inside) / len(inside),
                sum(right for _, right in inside) / len(inside),
                len(inside),
            )


def _count(found: Measured, row: Row, stated: Sequence[Candidate]) -> None:
    wanted = [mark for mark in row.marks if mark.sense in SENSES[:3]]
    left = list(stated)
    counts = [found.counts, *(found.by_tag.setdefault(tag, Counts()) for tag in row.tags)]
    if not wanted:
        found.fact_free += 1
        found.silent += not stated
    for mark in wanted:
        match = next((one for one in left if _agrees(one, mark)), None)
        if match is not None:
            left.remove(match)
            found.verdicts.append((match.confidence, True))
            found.tenses[match.tense == mark.sense] += 1
        if mark.optional:
            continue
        for count in counts:
            count.right += match is not None
            count.missed += match is None
        if match is None:
            found.errors.append(f"missed {_told(mark)}\t{row.text}")
    for one in left:
        for count in counts:
            count.wrong += 1
        found.verdicts.append((one.confidence, False))
        told = f"{one.subject} · {one.predicate} · {one.object} · {one.tense}"
        found.errors.append(f"wrong {told} ({one.confidence:.2f})\t{row.text}")


def _told(mark: Marked) -> str:
    return f"{mark.subject} · {mark.predicate} · {mark.object} · {mark.sense}"


def _agrees(one: Candidate, mark: Marked) -> bool:
    if one.subject.casefold() != mark.subject.casefold():
        return False
    if one.predicate != mark.predicate and label_of(mark.predicate) != OPEN:
        return False
    ours, theirs = set(one.object.casefold().split()), set(mark.object.casefold().split())
    return 2 * len(ours & theirs) >= _LIKENESS * (len(ours) + len(theirs))


def _is_past_of_replaced(one: Candidate, row: Row) -> bool:
    """Of "switched from X to Y" a past fact about X may be written, need not."""
    return one.tense == "past" and any(
        mark.sense == "replaced" and mark.object.casefold() == one.object.casefold()
        for mark in row.marks
    )
