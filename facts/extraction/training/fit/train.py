"""Teaches the tagger."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from facts.extraction.tagger.windows import CLS, SEP
from facts.extraction.training.examples import UNTAUGHT, Example, examples_of
from facts.extraction.training.fit.model import Tagger, load_encoder
from facts.extraction.training.rows import Row
from facts.extraction.training.swapping import Choice, fillers_of, variant

SEED = 20_261_201
EPOCHS = 12
BATCH_TOKENS = 400  # with padding
ENCODER_RATE, HEAD_RATE = 7e-5, 1e-3
WARM_UP = 0.1  # share of all steps
# The part of each head in the loss.
WEIGHTS = (1.0, 0.3, 0.7, 0.5, 0.5)


def batches(
    examples: Sequence[Example], chance: random.Random | None
) -> Iterator[tuple[tuple[Tensor, ...], tuple[Tensor, ...]]]:
    """Inputs and targets; examples of like length together, in a random order of batches."""
    order = sorted(
        range(len(examples)),
        key=lambda number: (len(examples[number].window.ids), chance.random() if chance else 0),
    )
    groups: list[list[int]] = []
    for number in order:
        width = len(examples[number].window.ids) + 2
        if groups and (len(groups[-1]) + 1) * width <= BATCH_TOKENS:
            groups[-1].append(number)
        else:
            groups.append([number])
    if chance:
        chance.shuffle(groups)
    for group in groups:
        yield collate([examples[number] for number in group])


def collate(examples: Sequence[Example]) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Windows of one batch, padded."""
    width = max(len(one.window.ids) for one in examples) + 2
    shape = (len(examples), width)
    ids, shapes, context, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(4))
    targets = tuple(torch.full(shape, UNTAUGHT, dtype=torch.long) for _ in range(5))
    for row, one in enumerate(examples):
        window = one.window
        length = len(window.ids) + 2
        ids[row, :length] = torch.tensor([CLS, *window.ids, SEP])
        shapes[row, 1 : length - 1] = torch.tensor(window.shapes)
        context[row, 1 : window.context + 1] = 1
        mask[row, :length] = 1
        said = (one.objects, one.subjects, one.predicates, one.senses, one.pointers)
        for target, values in zip(targets, said, strict=True):
            target[row, :length] = torch.tensor(values)
    return (ids, shapes, context, mask), targets


def loss_of(scores: Sequence[Tensor], targets: Sequence[Tensor]) -> Tensor:
    """The weighted sum of the heads' cross entropies."""
    total = torch.zeros(())
    for weight, score, target in zip(WEIGHTS, scores, targets, strict=True):
        if bool((target != UNTAUGHT).any()):
            total = total + weight * functional.cross_entropy(
                score.flatten(0, 1), target.flatten(), ignore_index=UNTAUGHT
            )
    return total


def train(rows: Sequence[Row], encoder: Path, *, epochs: int = EPOCHS) -> Tagger:
    """A model taught with `rows`; `encoder` is a directory with weights and tokenizer."""
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    tokenizer = plain_tokenizer(encoder / "tokenizer.json")
    choice = fillers_of(rows)
    model = Tagger()
    load_encoder(model, encoder / "model.safetensors")
    # Words that no text has stay where the encoder puts them, beside those that it has.
    model.words.weight.requires_grad_(False)
    heads = {"objects", "subjects", "predicates", "senses", "asks", "answers", "shapes"}
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for n, p in named if n.split(".")[0] not in heads], "lr": ENCODER_RATE},
            {"params": [p for n, p in named if n.split(".")[0] in heads], "lr": HEAD_RATE},
        ],
        weight_decay=0.01,
    )
    first = _epoch(rows, choice, chance, tokenizer)
    steps = epochs * sum(1 for _ in batches(first, None))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    began = time.monotonic()
    for number in range(epochs):
        model.train()
        examples = first if number == 0 else _epoch(rows, choice, chance, tokenizer)
        total = count = 0.0
        for inputs, targets in batches(examples, chance):
            loss = loss_of(model(*inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        spent = time.monotonic() - began
        print(f"epoch {number + 1}: loss {total / count:.4f}, {spent:.0f} s", flush=True)
    return model.eval()


def _epoch(
    rows: Sequence[Row], choice: Choice, chance: random.Random, tokenizer: Tokenizer
) -> list[Example]:
    """Every row once, its fillers new."""
    return [
        example for row in rows for example in examples_of(variant(row, choice, chance), tokenizer)
    ]


def _rate(step: int, steps: int) -> float:
    warm = max(1, int(WARM_UP * steps))
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / (steps - warm))


def plain_tokenizer(path: Path) -> Tokenizer:
    """The encoder's tokenizer, neither padding nor truncating."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
