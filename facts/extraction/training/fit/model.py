"""The tagger as a PyTorch module: a small BERT encoder and four kinds of heads."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from facts.extraction.tagger.labels import PREDICATES, SENSES
from facts.extraction.tagger.windows import SHAPES

HIDDEN = 384
LAYERS = 6
HEADS = 12
FEED = 1536
POINTER = 128


class Layer(nn.Module):
    """One transformer layer, normalised behind each half."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query = nn.Linear(HIDDEN, HIDDEN)
        self.key = nn.Linear(HIDDEN, HIDDEN)
        self.value = nn.Linear(HIDDEN, HIDDEN)
        self.output = nn.Linear(HIDDEN, HIDDEN)
        self.attention_norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.up = nn.Linear(HIDDEN, FEED)
        self.down = nn.Linear(FEED, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        rows, width, _ = hidden.shape
        parts = (rows, width, HEADS, HIDDEN // HEADS)
        query = self.query(hidden).view(parts).transpose(1, 2)
        key = self.key(hidden).view(parts).transpose(1, 2)
        value = self.value(hidden).view(parts).transpose(1, 2)
        scores = query @ key.transpose(2, 3) / math.sqrt(HIDDEN // HEADS) + bias
        mixed = scores.softmax(dim=-1) @ value
        mixed = mixed.transpose(1, 2).reshape(rows, width, HIDDEN)
        hidden = self.attention_norm(hidden + self.dropout(self.output(mixed)))
        return self.norm(hidden + self.dropout(self.down(functional.gelu(self.up(hidden)))))


class Tagger(nn.Module):
    """Token ids to scores, per token: objects (3), subjects (3), predicates, senses, pointers."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(30_522, HIDDEN)
        self.positions = nn.Embedding(512, HIDDEN)
        self.types = nn.Embedding(2, HIDDEN)
        self.shapes = nn.Embedding(SHAPES, HIDDEN)
        self.embedding_norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dropout = nn.Dropout(dropout)
        self.objects = nn.Linear(HIDDEN, 3)
        self.subjects = nn.Linear(HIDDEN, 3)
        self.predicates = nn.Linear(HIDDEN, len(PREDICATES))
        self.senses = nn.Linear(HIDDEN, len(SENSES))
        self.asks = nn.Linear(HIDDEN, POINTER)
        self.answers = nn.Linear(HIDDEN, POINTER)
        nn.init.zeros_(self.shapes.weight)

    def forward(
        self, ids: Tensor, shapes: Tensor, context: Tensor, mask: Tensor
    ) -> tuple[Tensor, ...]:
        """`context` is 1 where a token was read in the window before, `mask` 1 for real tokens."""
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.positions(places) + self.types(context)
        hidden = self.dropout(self.embedding_norm(hidden + self.shapes(shapes)))
        bias = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -10_000.0
        for layer in self.layers:
            hidden = layer(hidden, bias)
        hidden = self.dropout(hidden)
        pointers = self.asks(hidden) @ self.answers(hidden).transpose(1, 2) / math.sqrt(POINTER)
        return (
            self.objects(hidden),
            self.subjects(hidden),
            self.predicates(hidden),
            self.senses(hidden),
            pointers + bias[:, 0],
        )


_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "output",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "norm",
}
_EMBEDDINGS = {
    "word_embeddings": "words",
    "position_embeddings": "positions",
    "token_type_embeddings": "types",
    "LayerNorm": "embedding_norm",
}


def load_encoder(model: Tagger, weights: Path) -> None:
    """Takes the encoder's weights over from a BERT checkpoint in safetensors."""
    found = load_file(weights)
    own = {}
    for name, tensor in found.items():
        short = name.removeprefix("bert.")
        if short.startswith("embeddings."):
            part, _, kind = short.removeprefix("embeddings.").rpartition(".")
            if part in _EMBEDDINGS:
                own[f"{_EMBEDDINGS[part]}.{kind}"] = tensor
        elif short.startswith("encoder.layer."):
            number, _, rest = short.removeprefix("encoder.layer.").partition(".")
            part, _, kind = rest.rpartition(".")
            own[f"layers.{number}.{_NAMES[part]}.{kind}"] = tensor
    missing, unknown = model.load_state_dict(own, strict=False)
    heads = {"objects", "subjects", "predicates", "senses", "asks", "answers", "shapes"}
    lacking = [name for name in missing if name.split(".")[0] not in heads]
    if lacking or unknown:
        raise ValueError(f"{weights} is not the encoder: lacks {lacking}, has {unknown}")
