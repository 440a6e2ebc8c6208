from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korely.embedding import Embedder, load
from korely.embedding.model_directory import BUNDLED

Directory = Callable[..., Path]


@pytest.fixture(scope="session")
def model() -> Embedder:
    return load()


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    """A model directory like the bundled one, with some fields of its description changed."""

    def make(**changed: Any) -> Path:
        described = json.loads((BUNDLED / "embedding.json").read_text())
        (tmp_path / "embedding.json").write_text(json.dumps({**described, **changed}))
        (tmp_path / "tokenizer.json").write_bytes((BUNDLED / "tokenizer.json").read_bytes())
        return tmp_path

    return make
