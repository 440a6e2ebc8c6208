"""The ONNX session: windows of token ids to unit vectors, a bounded number at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
import onnxruntime

from korely.embedding.errors import Busy, ModelUnavailable
from korely.embedding.model_directory import ModelDirectory
from korely.embedding.pooling import Vectors, unit
from korely.embedding.windows import Window

# One run: at most so many windows, and so many tokens with padding. Activations are below 10 MB.
_RUN_WINDOWS = 16
_RUN_TOKENS = 512
_RUN_COST = 16  # tokens that take as long as a run does beside its tokens; measured


def options(threads: int) -> onnxruntime.SessionOptions:
    """How a model runs here: so many threads, and no memory kept from one run for the next."""
    found = onnxruntime.SessionOptions()
    found.intra_op_num_threads = threads
    found.inter_op_num_threads = 1
    # The arena keeps the largest activations for good, and mem patterns keep one per shape.
    found.enable_cpu_mem_arena = False
    found.enable_mem_pattern = False
    # Idle threads sleep instead of burning a core that another process needs.
    found.add_session_config_entry("session.intra_op.allow_spinning", "0")
    found.log_severity_level = 3
    return found


class Session:
    """A loaded model. Safe to use from several threads; not across a fork."""

    def __init__(self, directory: ModelDirectory, threads: int, at_once: int) -> None:
        """`threads` work on one run, `at_once` runs go in parallel."""
        try:
            self._session = onnxruntime.InferenceSession(
                str(directory.model), options(threads), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the runtime's errors share no base class
            raise ModelUnavailable(f"the model cannot be loaded: {error}") from error
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._output = self._session.get_outputs()[0].name
        self._pooling = directory.pooling
        self._dimensions = directory.dimensions
        self._turns = threading.Semaphore(at_once)

    def vectors(self, windows: Sequence[Window], timeout: float) -> Vectors:
        """Unit vectors (n, dims), in the order of the windows.

        Equal windows are read once. Every run waits for a turn, so that a long text lets short
        ones pass between its runs. Raises Busy when all its waiting takes more than `timeout`
        seconds.

        Windows of similar length share a run. A window's vector does not depend on its company
        (the weights are int8 but the arithmetic is float32, and padding is masked out).
        """
        number_of = {window: number for number, window in enumerate(dict.fromkeys(windows))}
        distinct = list(number_of)
        found = np.empty((len(distinct), self._dimensions), dtype=np.float32)
        for chosen in _runs([len(window) for window in distinct]):
            timeout -= self._turn(timeout)
            try:
                found[chosen] = self._run([distinct[number] for number in chosen])
            finally:
                self._turns.release()
        return np.asarray(unit(found)[[number_of[window] for window in windows]])

    def _turn(self, patience: float) -> float:
        """Wait for a place; the seconds that took."""
        began = time.monotonic()
        if not self._turns.acquire(timeout=max(0.0, patience)):
            raise Busy("the embedding model is busy")
        return time.monotonic() - began

    def _run(self, windows: Sequence[Window]) -> Vectors:
        width = max(len(window) for window in windows)
        ids = np.zeros((len(windows), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        feed = {name: value for name, value in known.items() if name in self._inputs}
        try:
            output = self._session.run([self._output], feed)[0]
        except Exception as error:  # the runtime's errors share no base class
            raise ModelUnavailable(f"the model failed: {error}") from error
        pooled = _pooled(np.asarray(output, dtype=np.float32), mask, self._pooling)
        if pooled.shape != (len(windows), self._dimensions):
            raise ModelUnavailable(f"the model's vectors have the shape {pooled.shape}")
        return pooled


def _pooled(tokens: Vectors, mask: np.ndarray, pooling: str) -> Vectors:
    """Sums instead of means: only the direction counts."""
    if pooling == "none":
        return tokens
    if pooling == "cls":
        return np.asarray(tokens[:, 0])
    # One row at a time: a sum over a padded axis would depend on the padding's width.
    lengths = mask.sum(axis=1)
    return np.stack([row[:length].sum(axis=0) for row, length in zip(tokens, lengths, strict=True)])


def _runs(lengths: Sequence[int]) -> list[list[int]]:
    """Numbers of the windows that run together, shortest first: the cheapest way to part them.

    A run costs its tokens, padding included, and what `_RUN_COST` says.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    costs, begins = [0], [0]  # of the best way for the first so many, and where its last run begins
    for end in range(1, len(order) + 1):
        width = lengths[order[end - 1]]
        most = max(1, min(end, _RUN_WINDOWS, _RUN_TOKENS // width))
        cost, begin = min(
            (costs[end - count] + count * width, end - count) for count in range(1, most + 1)
        )
        costs.append(cost + _RUN_COST)
        begins.append(begin)
    runs: list[list[int]] = []
    end = len(order)
    while end:
        runs.append(order[begins[end] : end])
        end = begins[end]
    return runs[::-1]
