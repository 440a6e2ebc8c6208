"""Measure what a relativity of 0.45 tells apart, on labelled questions.

    .venv/bin/python -m benchmarks.relevance [--fit]

A question is put, with the bundled model, to texts that answer it, to near misses (of the same
subject or with the same words), and to what answers three other questions of its part. Words weigh
what they do in one store that holds every text of the set; facts take turns at six spellings of an
end user, since those are part of what is embedded. Prints the tables of docs/quality.md; `--fit`
the middles that do best on the first part, which `memories/relativity.py` has.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from korely.embedding import load
from memories import lexicon, relativity
from memories.relativity import Curve

QUESTIONS = Path(__file__).parent.parent / "tests" / "openmem" / "relevance.jsonl"
CURVES = {
    "memory": relativity.MEMORY,
    "fact": relativity.FACT,
    "preference": relativity.PREFERENCE,
    "tool": relativity.TOOL,
}
IN_WORDS = ("fact", "preference")  # kinds of three words: subject, predicate, object
FLOOR = 0.45
FLOORS = (0.25, 0.30, 0.35, 0.40, FLOOR, 0.50, 0.55, 0.60, 0.70)
OTHERS = (7, 19, 31)  # how many questions on those are whose answers are far from a question
SUBJECTS = (
    "u",
    "dana",
    "maria.rossi@example.com",
    "3f2c9a4e-77b1-4c8e-9a51-0d4be2f0c1aa",
    "user_48213",
    "https://idp.example.com/realms/main/users/8f14e45fceea167a",
)
# How fast repetition saturates and how length counts, as in memories/selectors/relevance.py.
K1, B = 0.9, 0.4


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a text. `label`: relevant, near or far."""

    kind: str
    label: str
    question: str
    text: str
    cosine: float
    coverage: float

    @property
    def is_relevant(self) -> bool:
        return self.label == "relevant"

    @property
    def relativity(self) -> float:
        return relativity.shown(CURVES[self.kind].of(cosine=self.cosine, coverage=self.coverage))


class Store:
    """What the words of a question weigh among texts, as memories/selectors counts them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = {text: lexicon.terms(text) for text in texts}
        self._having = Counter(term for found in self._texts.values() for term in found)
        total = sum(found.total() for found in self._texts.values())
        self._mean = max(1.0, total / max(1, len(self._texts)))

    def coverage(self, question: str, text: str) -> float:
        """The share of the question's words that one of the texts has."""
        has = self._texts[text]
        length = 1 - B + B * has.total() / self._mean
        return self._share(question, lambda term: has[term] * (K1 + 1) / (has[term] + K1 * length))

    def coverage_of_words(self, question: str, text: str) -> float:
        """That of a text of few words, which is no text of the store."""
        has = lexicon.terms(text)
        return self._share(question, lambda term: float(term in has))

    def _share(self, question: str, found: Callable[[int], float]) -> float:
        asked = lexicon.terms(question)
        whole = sum(map(self._weight, asked))
        return sum(self._weight(term) * found(term) for term in asked) / whole if whole else 0.0

    def _weight(self, term: int) -> float:
        return relativity.rarity(texts=len(self._texts), having=self._having[term])


def questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUESTIONS.open(encoding="utf-8")]


@lru_cache
def pairs(part: str) -> tuple[Pair, ...]:
    """Every question of a part with its texts, measured."""
    asked, model = questions(), load()
    stores = {
        kind: Store([text for number in range(len(asked)) for text in _texts(asked, number, kind)])
        for kind in ("memory", "tool")
    }
    embedded = lru_cache(maxsize=None)(lambda text: model.embed_parts([text])[0])
    found = []
    for number, one in enumerate(asked):
        if one["part"] != part:
            continue
        query = model.embed_query(one["question"])
        for kind, label, text in _labelled(asked, number):
            vectors = embedded(text)[: 1 if kind in IN_WORDS else None]
            store = stores["tool" if kind == "tool" else "memory"]
            share = store.coverage_of_words if kind in IN_WORDS else store.coverage
            cosine, coverage = float((vectors @ query).max()), share(one["question"], text)
            found.append(Pair(kind, label, one["question"], text, cosine, coverage))
    return tuple(found)


def _labelled(asked: list[dict[str, Any]], number: int) -> Iterator[tuple[str, str, str]]:
    part = [at for at, one in enumerate(asked) if one["part"] == asked[number]["part"]]
    place = part.index(number)
    for kind in CURVES:
        for label, side in (("relevant", "relevant"), ("near", "other")):
            yield from ((kind, label, text) for text in _side(asked, number, kind, side))
        answering = [at for at in part if at != number and asked[at]["relevant"].get(kind)]
        for step in OTHERS:
            other = answering[(place + step) % len(answering)]
            yield kind, "far", _side(asked, other, kind, "relevant")[0]


def _texts(asked: list[dict[str, Any]], number: int, kind: str) -> list[str]:
    return [*_side(asked, number, kind, "relevant"), *_side(asked, number, kind, "other")]


def _side(asked: list[dict[str, Any]], number: int, kind: str, side: str) -> list[str]:
    """The texts of a kind that a question has, as they are embedded."""
    sent = asked[number][side].get(kind, [])
    if kind not in IN_WORDS:
        return list(sent)
    own = SUBJECTS[number % len(SUBJECTS)]
    return [f"{subject or own} {verb.replace('_', ' ')} {value}" for subject, verb, value in sent]


@dataclass(frozen=True, slots=True)
class Score:
    """How a floor tells pairs apart; `balanced`: the mean of recall and of what is kept out."""

    precision: float
    recall: float
    near: float  # shares of the near misses and of the far ones that pass
    far: float
    balanced: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def score(measured: Sequence[Pair], floor: float) -> Score:
    found = [one for one in measured if one.relativity >= floor]
    right = sum(one.is_relevant for one in found)
    wrong = [one for one in measured if not one.is_relevant]
    recall = _passing([one for one in measured if one.is_relevant], floor)
    return Score(
        precision=right / len(found) if found else 1.0,
        recall=recall,
        near=_passing([one for one in wrong if one.label == "near"], floor),
        far=_passing([one for one in wrong if one.label == "far"], floor),
        balanced=(recall + 1 - _passing(wrong, floor)) / 2,
    )


def _passing(measured: Sequence[Pair], floor: float) -> float:
    return sum(one.relativity >= floor for one in measured) / max(1, len(measured))


def of(part: str, kind: str | None = None) -> list[Pair]:
    return [one for one in pairs(part) if kind in (None, one.kind)]


def best_floor(measured: Sequence[Pair]) -> float:
    """The hundredth that tells them apart best; of equal ones the nearest to the floor."""
    hundredths = [number / 100 for number in range(1, 100)]
    return max(hundredths, key=lambda at: (score(measured, at).balanced, -abs(at - FLOOR)))


def best_middle(measured: Sequence[Pair], curve: Curve) -> float:
    """Where a curve's middle has to be for the floor to tell them apart best: the mean of all that
    come within a hundredth of the best balanced accuracy, which is a step or two of pairs.
    """
    sums = [(curve.weight(one.cosine, one.coverage), one.is_relevant) for one in measured]
    relevant = sum(right for _, right in sums)

    def balanced(at: float) -> float:
        right = sum(right and found >= at for found, right in sums)
        wrong = sum(not right and found >= at for found, right in sums)
        return (right / relevant + 1 - wrong / (len(sums) - relevant)) / 2

    tried = {number / 20: balanced(number / 20) for number in range(100)}
    flat = [at for at, found in tried.items() if found >= max(tried.values()) - 0.01]
    return sum(flat) / len(flat) + relativity.middle_over(FLOOR)


def line(name: str, one: Score) -> str:
    shares = (one.precision, one.recall, one.f1, one.near, one.far, one.balanced)
    return f"{name:22}" + "".join(f"{share:10.1%}" for share in shares)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relevance", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="the middles that do best on fit")
    if parser.parse_args().fit:
        for kind, curve in CURVES.items():
            print(f"{kind:12}{best_middle(of('fit', kind), curve):6.2f}  now {curve.middle:.2f}")
        return
    for part in ("fit", "report"):
        print(f"{part}: {len({one.question for one in of(part)})} questions, {counts(part)}")
    columns = ("precision", "recall", "F1", "near", "far", "balanced")
    print(f"{'report, at ' + str(FLOOR):22}" + "".join(f"{name:>10}" for name in columns))
    for kind in CURVES:
        measured = of("report", kind)
        print(line(f"{kind}, best at {best_floor(measured):.2f}", score(measured, FLOOR)))
    every = of("report")
    print(line(f"all, best at {best_floor(every):.2f}", score(every, FLOOR)))
    print("all, at")
    for floor in FLOORS:
        print(line(f"  {floor:.2f}{'*' if floor == FLOOR else ''}", score(every, floor)))
    print("relevant ones that pass, by whether they share a word with the question")
    for name, shares in (("  some word", True), ("  none", False)):
        measured = [one for one in every if one.is_relevant and (one.coverage > 0) is shares]
        print(f"{name:22}{_passing(measured, FLOOR):10.1%} of {len(measured)}")


def counts(part: str) -> str:
    found = Counter(one.label for one in of(part))
    return ", ".join(f"{number} {label}" for label, number in found.items())


if __name__ == "__main__":
    main()
