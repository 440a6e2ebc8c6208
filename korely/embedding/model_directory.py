"""A model in a directory: what `embedding.json` says about it, and whether its files are those.

    embedding.json   the description below
    tokenizer.json   a tokenizer of the `tokenizers` library
    model.onnx       a sentence-embedding export; may lie in an installed data package instead

Fields of `embedding.json` (all required but those with a default):

    name              shown and stored beside vectors, part of the identity
    dimensions        length of a vector
    pooling           "mean" or "cls" of the token vectors, or "none" when the model pools itself
    whole_tokens      a text of at most so many tokens is read in one piece
    window_tokens     a longer one in windows of at most so many tokens, special tokens included
    covered_tokens    tokens of a text that count, default 2,048
    query_prefix      put before a question, default ""
    document_prefix   put before a text to be found, default ""
    model             {"file", "sha256", "package"?}: `package` is an importable data package
    tokenizer         {"file", "sha256"}
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from korely.embedding.errors import ModelUnavailable

BUNDLED = Path(__file__).parent / "models" / "all-MiniLM-L6-v2"

Pooling = Literal["mean", "cls", "none"]
_POOLINGS = ("mean", "cls", "none")

# Part of every identity. Raised when the way from text to vector changes in a release: vectors of
# two ways are not compared.
_METHOD = 1


@dataclass(frozen=True, slots=True)
class ModelDirectory:
    """A described model whose two files were checked against their sha256."""

    name: str
    identity: str
    dimensions: int
    pooling: Pooling
    whole_tokens: int
    window_tokens: int
    covered_tokens: int
    query_prefix: str
    document_prefix: str
    model: Path
    tokenizer: Path


def read(path: Path) -> ModelDirectory:
    """Read and verify a model directory.

    The identity is the name and eight hex digits over everything that shapes a vector, so any
    change of weights, tokenizer, windows, pooling or prefixes makes another identity.

    Raises:
        ModelUnavailable: a file is missing, unreadable, malformed, or not the one described.
    """
    try:
        described = json.loads((path / "embedding.json").read_bytes())
        return _checked(path, described)
    except OSError as error:
        raise ModelUnavailable(f"cannot read the model: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailable(f"{path / 'embedding.json'} is malformed: {error}") from error


def _checked(path: Path, described: Mapping[str, Any]) -> ModelDirectory:
    pooling = described["pooling"]
    if pooling not in _POOLINGS:
        raise ValueError(f"pooling is one of {', '.join(_POOLINGS)}")
    shape = {
        name: int(described.get(name, default))
        for name, default in (
            ("dimensions", 0),
            ("whole_tokens", 0),
            ("window_tokens", 0),
            ("covered_tokens", 2_048),
        )
    }
    if min(shape.values()) < 8:
        raise ValueError(f"one of {', '.join(shape)} is missing or below 8")
    prefixes = [str(described.get(name, "")) for name in ("query_prefix", "document_prefix")]
    model = _verified(path, described["model"])
    tokenizer = _verified(path, described["tokenizer"])
    name = str(described["name"])
    decisive = [
        _METHOD,
        described["model"]["sha256"],
        described["tokenizer"]["sha256"],
        pooling,
        shape,
        prefixes,
    ]
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
    return ModelDirectory(
        name=name,
        identity=f"{name}-{digest[:8]}",
        dimensions=shape["dimensions"],
        pooling=cast(Pooling, pooling),
        whole_tokens=shape["whole_tokens"],
        window_tokens=shape["window_tokens"],
        covered_tokens=shape["covered_tokens"],
        query_prefix=prefixes[0],
        document_prefix=prefixes[1],
        model=model,
        tokenizer=tokenizer,
    )


def _verified(path: Path, described: Mapping[str, str]) -> Path:
    file = _folder(path, described.get("package")) / described["file"]
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != described["sha256"]:
        raise ModelUnavailable(
            f"{file} is not the file described: its sha256 is {found}, not {described['sha256']}"
        )
    return file


def _folder(path: Path, package: str | None) -> Path:
    if package is None:
        return path
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ModelUnavailable(f"the package {package} with the model's weights is not installed")
    return Path(found.origin).parent
