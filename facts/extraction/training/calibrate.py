"""What a model's scores are worth: a line through their log-odds, and the least to be believed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from facts.extraction.tagger.confidence import log_odds

Verdict = tuple[float, bool]  # a score and whether the fact was right


def calibration(verdicts: Sequence[Verdict], steps: int = 200) -> tuple[float, float]:
    """Slope and shift of the logistic line from a score's log-odds to the chance of being right.

    Platt scaling, fitted by Newton's method with a little ridge.
    """
    slope, shift = 1.0, 0.0
    points = [(log_odds(score), float(right)) for score, right in verdicts]
    for _ in range(steps):
        gradient = [1e-3 * (slope - 1), 1e-3 * shift]
        curve = [1e-3, 0.0, 1e-3]
        for odds, right in points:
            chance = 1 / (1 + math.exp(-(slope * odds + shift)))
            miss, weight = chance - right, chance * (1 - chance)
            gradient[0] += miss * odds
            gradient[1] += miss
            curve[0] += weight * odds * odds
            curve[1] += weight * odds
            curve[2] += weight
        spread = curve[0] * curve[2] - curve[1] ** 2
        move = (
            (curve[2] * gradient[0] - curve[1] * gradient[1]) / spread,
            (curve[0] * gradient[1] - curve[1] * gradient[0]) / spread,
        )
        slope, shift = slope - move[0], shift - move[1]
        if max(map(abs, move)) < 1e-6:
            break
    return round(slope, 4), round(shift, 4)


def least(verdicts: Sequence[Verdict], missed: int, *, precision: float) -> float:
    """The confidence from which on F1 is best while precision is at least that of the bar.

    `missed` counts the facts that were not found at any confidence.
    """
    total = missed + sum(right for _, right in verdicts)
    best, threshold, right = -1.0, 1.0, 0
    for number, (sure, was_right) in enumerate(sorted(verdicts, reverse=True), 1):
        right += was_right
        f1 = 2 * right / (number + total)
        if right / number >= precision and f1 > best:
            best, threshold = f1, sure
    return round(threshold, 3)
