"""Texts to unit vectors."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from korely.embedding import model_directory
from korely.embedding.pooling import Vectors, one_of
from korely.embedding.session import Session, Turn
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

        The first 8,000 characters and 2,048 tokens of each text count. Any string has a vector.
        The same text always gets the same one, whatever it is embedded together with.

        Raises:
            Busy: the call waited `timeout` seconds for its turn.
            ModelUnavailable: the model failed.
        """
        return self._embed(texts, self._document_prefix, timeout)

    def embed_query(self, text: str, timeout: float = PATIENCE) -> Vectors:
        """The vector (dimensions,) of a question; as `embed` in every other respect."""
        return np.asarray(self._embed([text], self._query_prefix, timeout)[0])

    def _embed(self, texts: Sequence[str], prefix: str, timeout: float) -> Vectors:
        turn = Turn(timeout)
        per_text = [self._splitter.split(text, prefix) for text in texts]
        vectors = self._session.vectors([one for windows in per_text for one in windows], turn)
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        begin = 0
        for row, windows in enumerate(per_text):
            found[row] = one_of(vectors[begin : begin + len(windows)])
            begin += len(windows)
        return found


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
