"""Measure where two facts of one subject and predicate count as one, on labelled pairs.

    .venv/bin/python -m benchmarks.restatements

A pair is a restatement when its words say so, or leave it open and the vectors of both facts are
at least as near as the threshold. Every pair is tried with each of five spellings of the subject,
since those are part of what is embedded. Prints the tables of docs/quality.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facts.reconciliation import NEAR, compare_words
from korely.embedding import load

PAIRS = Path(__file__).parent.parent / "tests" / "reconciliation" / "paraphrases.jsonl"
THRESHOLDS = (0.80, 0.84, 0.86, 0.88, 0.90, NEAR, 0.94, 0.96)
SUBJECTS = (
    "u",
    "dana",
    "maria.rossi@example.com",
    "3f2c9a4e-77b1-4c8e-9a51-0d4be2f0c1aa",
    "https://idp.example.com/realms/main/users/8f14e45fceea167a",
)


@dataclass(frozen=True, slots=True)
class Tried:
    """A labelled pair under one spelling of the subject."""

    same: bool
    verdict: str
    cosine: float

    def found(self, threshold: float, *, words: bool) -> bool:
        near = self.cosine >= threshold
        return self.verdict == "same" or (self.verdict == "open" and near) if words else near


def tried(part: str) -> list[Tried]:
    pairs = [json.loads(line) for line in PAIRS.open(encoding="utf-8")]
    pairs = [pair for pair in pairs if pair["part"] == part]
    model, found = load(), []
    for subject in SUBJECTS:
        starts = [f"{subject} {pair['predicate'].replace('_', ' ')}" for pair in pairs]
        left, right = (
            model.embed([f"{s} {pair[side]}" for s, pair in zip(starts, pairs, strict=True)])
            for side in ("left", "right")
        )
        for pair, cosine in zip(pairs, np.sum(left * right, axis=1).tolist(), strict=True):
            verdict = compare_words(pair["left"], pair["right"])
            found.append(Tried(pair["same"], verdict, cosine))
    return found


def row(pairs: Sequence[Tried], threshold: float, *, words: bool) -> str:
    found = [pair for pair in pairs if pair.found(threshold, words=words)]
    right = sum(pair.same for pair in found)
    precision = right / len(found) if found else 1.0
    recall = right / sum(pair.same for pair in pairs)
    return f"{precision:9.1%} {recall:7.1%}"


def main() -> None:
    parts = {part: tried(part) for part in ("choose", "report")}
    for part, pairs in parts.items():
        count, same = len(pairs) // len(SUBJECTS), sum(p.same for p in pairs) // len(SUBJECTS)
        print(f"{part}: {count} pairs, {same} of them the same")
    print("threshold   choose: precision  recall   report: precision  recall")
    for words, title in ((True, "words, then likeness"), (False, "likeness alone")):
        print(title)
        for threshold in THRESHOLDS:
            cells = [row(pairs, threshold, words=words) for pairs in parts.values()]
            mark = "*" if words and threshold == NEAR else " "
            print(f"     {threshold:.2f}{mark}           {cells[0]}           {cells[1]}")


if __name__ == "__main__":
    main()
