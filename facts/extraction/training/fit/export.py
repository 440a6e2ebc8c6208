"""From PyTorch's weights to the int8 ONNX file with its labels and tokenizer."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from facts.extraction.tagger.labels import PREDICATES, SENSES
from facts.extraction.training.fit.model import Tagger

_INPUTS = ("ids", "shapes", "context", "mask")
_OUTPUTS = ("objects", "subjects", "predicates", "senses", "pointers")


def export(model: Tagger, tokenizer: Path, out: Path) -> None:
    """Writes model.onnx, tokenizer.json and labels.json into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    example = tuple(torch.ones((1, 8), dtype=torch.long) for _ in _INPUTS)
    axes = {name: {0: "rows", 1: "tokens"} for name in (*_INPUTS, *_OUTPUTS)}
    axes["pointers"] = {0: "rows", 1: "tokens", 2: "targets"}
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            model, example, str(plain), input_names=list(_INPUTS), output_names=list(_OUTPUTS),
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
        quantize_dynamic(plain, out / "model.onnx", weight_type=QuantType.QInt8, per_channel=True)
    shutil.copyfile(tokenizer, out / "tokenizer.json")
    write_labels(out, calibration=(1.0, 0.0), threshold=0.0)


def write_labels(out: Path, *, calibration: tuple[float, float], threshold: float) -> None:
    """Writes labels.json beside a model; see `TaggerModel` for what it is for."""
    told = {
        "sha256": hashlib.sha256((out / "model.onnx").read_bytes()).hexdigest(),
        "predicates": PREDICATES,
        "senses": SENSES,
        "calibration": calibration,
        "threshold": threshold,
    }
    (out / "labels.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
