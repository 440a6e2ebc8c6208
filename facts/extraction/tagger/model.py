"""The tagger's model: an ONNX session over the windows of a text."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from facts.extraction.tagger.decoding import Scores, Tag, tags_of
from facts.extraction.tagger.labels import PREDICATES, SENSES
from facts.extraction.tagger.windows import CLS, SEP, Window, windows_of
from korely.embedding.session import options

BUNDLED = Path(__file__).parent / "model"


class TaggerUnavailable(Exception):
    """The model's files are missing, or not those that its labels.json speaks of."""


class TaggerModel:
    """A loaded model. Safe to use from several threads; not across a fork.

    The same text always gives the same tags: windows are read one by one, so that none depends on
    its company.
    """

    def __init__(self, directory: Path = BUNDLED, threads: int = 1) -> None:
        """Raises TaggerUnavailable."""
        try:
            told = json.loads((directory / "labels.json").read_text(encoding="utf-8"))
            found = (directory / "model.onnx").read_bytes()
            self._tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
        except Exception as error:  # the tokenizers library raises bare Exception
            raise TaggerUnavailable(f"the tagger's model cannot be read: {error}") from error
        if hashlib.sha256(found).hexdigest() != told["sha256"]:
            raise TaggerUnavailable("the tagger's model is not the one that labels.json names")
        if told["predicates"] != list(PREDICATES) or told["senses"] != list(SENSES):
            raise TaggerUnavailable("the tagger's model has other labels than this version")
        slope, shift = told["calibration"]
        self.calibration: tuple[float, float] = (slope, shift)
        self.threshold: float = told["threshold"]
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._session = onnxruntime.InferenceSession(
            found, options(threads), providers=["CPUExecutionProvider"]
        )

    def tags(self, text: str) -> list[Tag]:
        """The tags of a text, in its order; `text` is masked and holds no lone surrogates."""
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        return [
            tag
            for window in windows_of(text, encoded)
            for tag in tags_of(text, window, self._run(window))
        ]

    def _run(self, window: Window) -> Scores:
        width = len(window.ids) + 2
        context = np.zeros((1, width), dtype=np.int64)
        context[0, 1 : window.context + 1] = 1
        found = self._session.run(
            None,
            {
                "ids": np.array([[CLS, *window.ids, SEP]], dtype=np.int64),
                "shapes": np.array([[0, *window.shapes, 0]], dtype=np.int64),
                "context": context,
                "mask": np.ones((1, width), dtype=np.int64),
            },
        )
        return Scores(*(np.asarray(scores[0], dtype=np.float32) for scores in found))
