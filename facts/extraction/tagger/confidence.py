"""What a score of the model is worth."""

from __future__ import annotations

import math


def confidence(score: float, calibration: tuple[float, float]) -> float:
    """The share of tags with such a score that are right: a line through log-odds."""
    slope, shift = calibration
    return 1 / (1 + math.exp(-(slope * log_odds(score) + shift)))


def log_odds(score: float) -> float:
    """The log-odds of a score, which is kept away from 0 and 1 by a millionth."""
    kept = min(max(score, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))
