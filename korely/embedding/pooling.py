"""Vectors of a text's windows to the one vector of the text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from korely.embedding.errors import ModelUnavailable

Vectors = NDArray[np.float32]

# Number of windows at which the balance below starts to count; measured, see docs/performance.md.
_BALANCED_FROM = 30


def unit(rows: Vectors) -> Vectors:
    """Rows (n, dims) scaled to length one. Raises ModelUnavailable when one has no direction."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
        raise ModelUnavailable("the model gave a vector without direction")
    return np.asarray(rows / lengths, dtype=np.float32)


def one_of(windows: Vectors) -> Vectors:
    """The unit vector (dims,) for unit window vectors (n, dims).

    For a handful of windows this is their mean. In a mean of many, a window that says something
    of its own drowns: one sentence in 8,000 characters is not found. So the weights w solve
    (G + r I) w = 1 with G the windows' cosines: for small r every window is equally near the
    result, however many others resemble each other; for large r it is the mean. r falls with the
    square of the number of windows.
    """
    count = len(windows)
    if count == 1:
        return np.asarray(windows[0])
    exact = windows.astype(np.float64)
    gram = exact @ exact.T + np.eye(count) * (_BALANCED_FROM / count) ** 2
    weights = np.linalg.solve(gram, np.ones(count))
    return np.asarray(unit(np.asarray((weights @ exact)[None], dtype=np.float32))[0])
