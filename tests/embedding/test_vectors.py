from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korely.embedding import Embedder

ODD = {
    "empty": "",
    "blank": " \n\t",
    "NUL": "a\0b",
    "only NUL": "\0",
    "a lone surrogate": "x\ud800y",
    "emoji": "🙂" * 16_000,
    "one long word": "a" * 16_000,
    "punctuation": "! " * 8_000,
    "Chinese": "我搬到了柏林。" * 2_000,
    "family emoji": "👨‍👩‍👧‍👦 " * 100,
    "right to left": "\u202eabc\u202c שלום",
    "combining": "e\u0301" * 500,
    "control": "\x01\x02\x1f\x7f\x80",
    "special tokens": "[CLS] [SEP] [PAD] [MASK]",
}


def similar(model: Embedder, query: str, texts: list[str]) -> np.ndarray:
    return np.asarray(model.embed(texts) @ model.embed_query(query))


def test_texts_of_like_meaning_are_nearer_than_others(model: Embedder) -> None:
    texts = ["She drinks jasmine tea every morning.", "The car needs new brake pads."]
    tea, car = similar(model, "what does she like to drink?", texts)
    assert tea > car + 0.2


def test_rows_are_float32_of_length_one_in_the_order_of_the_texts(model: Embedder) -> None:
    texts = ["I live in Rome.", "x " * 400, "Lunch with Sara on Thursday.", "I live in Rome."]
    rows = model.embed(texts)
    assert rows.shape == (4, 384) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.array_equal(rows[0], rows[3])
    assert int(np.argmax(rows @ model.embed_query("Lunch with Sara on Thursday."))) == 2


def test_no_text_is_no_row(model: Embedder) -> None:
    assert model.embed([]).shape == (0, 384)
    assert model.embed_parts([]) == []


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_string_has_a_vector(model: Embedder, text: str) -> None:
    row = model.embed([text])[0]
    assert np.all(np.isfinite(row)) and abs(float(row @ row) - 1) < 1e-4
    assert np.array_equal(row, model.embed_query(text))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=300), min_size=1, max_size=4))
def test_arbitrary_texts_have_vectors(model: Embedder, texts: list[str]) -> None:
    assert np.all(np.isfinite(model.embed(texts)))


def test_a_vector_does_not_depend_on_what_is_embedded_beside_it(model: Embedder) -> None:
    draw = np.random.default_rng(7)
    words = "the red car needs a new clutch and she drinks tea in Rome on Monday .".split()
    texts = [" ".join(draw.choice(words, size)) for size in draw.integers(1, 120, 20)]
    together = model.embed(texts)
    backwards = model.embed(texts[::-1])[::-1]
    alone = np.vstack([model.embed([text]) for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(backwards, alone)


def test_a_question_that_quotes_a_text_has_its_vector(model: Embedder) -> None:
    text = "The observatory dome opens at dusk. " * 20
    assert float(model.embed([text])[0] @ model.embed_query(text)) == pytest.approx(1, abs=1e-5)
