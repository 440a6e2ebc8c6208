"""The model card: what the model was taught, what it can do, where it fails."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from facts.extraction.training.measure import Measured, reliability

_LEAST_ROWS = 5  # a tag of fewer facts says nothing


@dataclass(frozen=True, slots=True)
class Card:
    """The figures of one training."""

    learnt: int
    held_out: int
    epochs: int
    minutes: float
    rules: Measured
    both: Measured


def write_card(out: Path, card: Card) -> None:
    """Writes README.md beside the model."""
    model = (out / "model.onnx").read_bytes()
    tags = [
        f"| {tag} | {counts.f1:.2f} | {counts.precision:.2f} | {counts.recall:.2f} |"
        f" {counts.right + counts.missed} |"
        for tag, counts in sorted(card.both.by_tag.items())
        if counts.right + counts.missed >= _LEAST_ROWS
    ]
    sure = [
        f"| {mean:.2f} | {right:.2f} | {count} |"
        for mean, right, count in reliability(card.both.verdicts)
    ]
    (out / "README.md").write_text(
        "\n".join([*_head(card, model), *tags, *_BETWEEN, *sure, ""]), encoding="utf-8"
    )


def _head(card: Card, model: bytes) -> list[str]:
    return [
        "# The tagger's model",
        "",
        "Token tags over the MiniLM-L6 encoder (all-MiniLM-L6-v2, Apache-2.0; the notice is in the",
        "project's NOTICE): objects and subjects (begin, inside, outside), predicate, sense, and a",
        "pointer from each object to its subject. Made by `make train` from the texts in",
        "`facts/extraction/training/data`; licence as the project's.",
        "",
        f"- SHA-256 `{hashlib.sha256(model).hexdigest()}`, {len(model) / 1e6:.1f} MB, int8",
        f"- taught with {card.learnt} texts, {card.epochs} epochs, {card.minutes:.0f} minutes",
        f"- measured on {card.held_out} texts that it was not taught, of the same writers: a text",
        "  from elsewhere is harder",
        "",
        f"    rules alone      {card.rules.line()}",
        f"    rules and model  {card.both.line()}",
        "",
        "## By tag, rules and model together",
        "",
        "| tag | F1 | precision | recall | facts |",
        "|---|---|---|---|---|",
    ]


_BETWEEN = ["", "## Confidence", "", "| said | right | facts |", "|---|---|---|"]
