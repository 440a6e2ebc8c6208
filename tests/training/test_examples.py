"""Training texts as the numbers that the model is taught."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer

from facts.extraction.tagger.labels import OPEN, PREDICATES, SENSES, label_of
from facts.extraction.tagger.windows import CONTEXT_TOKENS, WINDOW_TOKENS, Window, windows_of
from facts.extraction.training.examples import UNTAUGHT, Example, examples_of
from facts.extraction.training.marked import read_marked
from korely.embedding.model_directory import BUNDLED


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    found = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


def examples(line: str, tokenizer: Tokenizer) -> list[Example]:
    return list(examples_of(read_marked(line, name="one"), tokenizer))


def windows(text: str, tokenizer: Tokenizer) -> list[Window]:
    return windows_of(text, tokenizer.encode(text, add_special_tokens=False))


def test_every_token_learns_its_part(tokenizer: Tokenizer) -> None:
    (one,) = examples("x :: Anna left [New York|lives_in|past|s:Anna]", tokenizer)
    assert len(one.window.ids) == 4
    assert one.objects == (UNTAUGHT, 0, 0, 1, 2, UNTAUGHT)
    assert one.subjects == (UNTAUGHT, 1, 0, 0, 0, UNTAUGHT)
    lives_in, past = PREDICATES.index("lives_in"), SENSES.index("past")
    assert one.predicates[3:5] == (lives_in, lives_in)
    assert one.senses[3:5] == (past, past)
    assert one.pointers[3:5] == (1, 1)
    assert set(one.predicates[:3]) == {UNTAUGHT}


def test_the_end_user_is_the_first_special_token(tokenizer: Tokenizer) -> None:
    (one,) = examples("x :: I live in [Rome|lives_in]", tokenizer)
    assert one.pointers[4] == 0


def test_words_in_code_are_not_taught(tokenizer: Tokenizer) -> None:
    line = "x :: I like tea\\n```\\n[Rome|lives_in]\\n```"
    (one,) = examples(line, tokenizer)
    assert set(one.predicates) == {UNTAUGHT}


def test_predicates_outside_the_table_share_labels() -> None:
    assert label_of("lives_in") == "lives_in"
    assert label_of("favorite_color") == "favorite_"
    assert label_of("has_dentist") == "has_"
    assert label_of("prefers_contact") == "prefers_contact"
    assert label_of("prefers_editor") == "prefers_"
    assert label_of("repairs") == OPEN


def test_a_long_text_is_read_once_with_the_end_of_the_window_before(tokenizer: Tokenizer) -> None:
    text = " ".join(f"Sentence number {number} is about plants and pots." for number in range(60))
    found = windows(text, tokenizer)
    assert len(found) > 4
    assert found[0].context == 0
    new = [place for window in found for place in window.places[window.context :]]
    assert new == tokenizer.encode(text, add_special_tokens=False).offsets
    for window in found[1:]:
        assert 0 < window.context <= CONTEXT_TOKENS
        assert len(window.ids) <= WINDOW_TOKENS - 2
        assert text[window.places[0][0] :].startswith("Sentence")


def test_a_sentence_longer_than_a_window_is_cut(tokenizer: Tokenizer) -> None:
    found = windows("word " * 400, tokenizer)
    assert sum(len(window.ids) - window.context for window in found) == 400


def test_how_a_word_is_written_is_kept(tokenizer: Tokenizer) -> None:
    (one,) = windows("Anna uses AWS v2\nBob too", tokenizer)
    text = "Anna uses AWS v2\nBob too"
    told = {text[b:e]: s for (b, e), s in zip(one.places, one.shapes, strict=True)}
    assert (told["Anna"], told["uses"], told["Bob"]) == (5, 0, 5)
    assert told["2"] == 3


def test_no_text_has_no_window(tokenizer: Tokenizer) -> None:
    assert windows("", tokenizer) == []
