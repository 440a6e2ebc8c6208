"""Texts to unit vectors."""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from korely.embedding import model_directory
from korely.embedding.pooling import Vectors, one_of
from korely.embedding.session import Session
from korely.embedding.windows import Splitter

# Seconds that a call may wait for its turn (contract, section 3: search_unavailable).
PATIENCE = 20.0


class Embedder:
    """One loaded model. Safe to use from several threads; not across a fork (see `embedder`).

    `identity` names the model and all that shapes its vectors: only vectors of the same identity
    may be compared. `dimensions` is the length of a vector.
    """

    def __init__(self, directory: model_directory.ModelDirectory, threads: int) -> None:
        self.identity = directory.identity
        self.dimensions = directory.dimensions
        self._query_prefix = directory.query_prefix
        self._document_prefix = directory.document_prefix
        self._splitter = Splitter(
            directory.tokenizer,
            directory.whole_tokens,
            directory.window_tokens,
            directory.covered_tokens,
        )
        self._session = Session(directory, threads, max(1, cores() // threads))

    def embed(self, texts: Sequence[str], timeout: float = PATIENCE) -> Vectors:
        """Vectors (n, dimensions) of texts to be stored; float32 rows of length one.

        The first 8,000 characters of each text count, as far as the model's `covered_tokens`
        reach (bundled: 3,072, some 12,000 characters of English). Any string has a vector.
        The same text always gets the same one, whatever it is embedded together with.

        Raises:
            Busy: the call waited `timeout` seconds for its turn.
            ModelUnavailable: the model failed.
        """
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, windows in enumerate(self._windows(texts, self._document_prefix, timeout)):
            found[row] = one_of(windows)
        return found

    def embed_parts(self, texts: Sequence[str], timeout: float = PATIENCE) -> list[Vectors]:
        """For each text its vector and, when it is long, those of its windows: (1 + k, dimensions).

        A text's likeness to a question is then the highest of its rows: what a long text says in
        one place is found as if it stood alone. Row 0 is what `embed` gives; a text of one window
        has no other. Promises and errors as of `embed`.
        """
        found = []
        for windows in self._windows(texts, self._document_prefix, timeout):
            rows = [one_of(windows)[None], windows] if len(windows) > 1 else [windows]
            found.append(np.concatenate(rows))
        return found

    def embed_query(self, text: str, timeout: float = PATIENCE) -> Vectors:
        """The vector (dimensions,) of a question; as `embed` in every other respect."""
        (windows,) = self._windows([text], self._query_prefix, timeout)
        return one_of(windows)

    def _windows(self, texts: Sequence[str], prefix: str, timeout: float) -> list[Vectors]:
        """For each text the unit vectors of its windows (k, dimensions), k at least one."""
        per_text = [self._splitter.split(text, prefix) for text in texts]
        vectors = self._session.vectors([one for windows in per_text for one in windows], timeout)
        ends = list(itertools.accumulate(map(len, per_text), initial=0))
        return [vectors[begin:end] for begin, end in itertools.pairwise(ends)]


def load(path: Path | None = None, threads: int = 1) -> Embedder:
    """Load and warm a model; `path` is a model directory, the bundled model when None.

    Raises:
        ModelUnavailable: the files are missing or not the expected ones, or the model fails.
    """
    loaded = Embedder(model_directory.read(path or model_directory.BUNDLED), threads)
    loaded.embed_query("warm")
    _give_memory_back()
    return loaded


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _give_memory_back() -> None:
    """Loading leaves about 60 MB free inside glibc's heap; other C libraries have no such call."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
