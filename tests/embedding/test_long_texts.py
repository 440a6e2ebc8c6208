from __future__ import annotations

import itertools

import numpy as np
import pytest

from korely.embedding import Embedder
from korely.embedding.model_directory import BUNDLED, read
from korely.embedding.windows import Splitter

GARDEN = [
    "The tomatoes need water twice a day in July.",
    "Roses were pruned before the frost came.",
    "The compost heap is warm and full of worms.",
    "Slugs ate most of the lettuce last week.",
    "We planted garlic along the southern fence.",
]
OFFICE = [
    "The quarterly report is due on Friday.",
    "The printer on the third floor is jammed again.",
    "Marketing asked for new slides about the launch.",
    "Our meeting moved to the large room, so please bring your own chair and a notebook.",
    "The budget was cut by five percent.",
]
FILLERS = {
    "one sentence again and again": ["Filler words go on and on in this line."],
    "a garden": GARDEN,
    "an office": OFFICE,
    "both": [one for pair in zip(GARDEN, OFFICE, strict=True) for one in pair],
    "no sentence ends": ["filler words go on"],
}
UNIQUE = [
    "The hint for the old safe is the name of the purple giraffe Zebulon.",
    "Dr. Okonkwo prescribed 40 milligrams of fluvastatin to Priya.",
    "The lighthouse keeper Magnus collects antique Bolivian accordions.",
]
UNRELATED = [
    "I live in Rome.",
    "She works at a bank in Zurich.",
    "The dog is called Rex and hates thunderstorms.",
    "He likes jasmine tea in the morning.",
    "We fly to Lisbon on 3 May.",
    "The red car needs new brake pads.",
    "My brother plays the violin.",
    "The mortgage rate went up to four percent.",
    "Tom's birthday is in October.",
    "The boiler was repaired by Karl.",
]


def filled(sentences: list[str], size: int) -> str:
    return " ".join(itertools.islice(itertools.cycle(sentences), size // 18))[:size]


def around(sentence: str, position: int, filler: list[str], size: int = 16_000) -> str:
    """A text of `size` characters with the sentence beginning within a word of `position`."""
    text = filled(filler, size + 200)
    cut = text.rfind(" ", 0, position) if position else 0
    return f"{text[:cut]} {sentence} {text[cut:]}"[:size]


@pytest.fixture(scope="module")
def splitter() -> Splitter:
    described = read(BUNDLED)
    return Splitter(
        described.tokenizer,
        described.whole_tokens,
        described.window_tokens,
        described.covered_tokens,
    )


@pytest.fixture(scope="module")
def others(model: Embedder) -> np.ndarray:
    """Parts of unrelated memories, short ones and long ones."""
    long = [filled(filler, 9_000) for filler in FILLERS.values()]
    return np.vstack(model.embed_parts([*UNRELATED, *long]))


@pytest.mark.parametrize("filler", FILLERS.values(), ids=FILLERS.keys())
@pytest.mark.parametrize("position", [0, 4_000, 7_900])
def test_a_long_text_is_found_by_a_unique_sentence_in_its_first_8000_characters(
    model: Embedder, others: np.ndarray, filler: list[str], position: int
) -> None:
    without = model.embed([filled(filler, 16_000)])[0]
    for sentence in UNIQUE:
        start = min(position, 8_000 - len(sentence) - 1)
        parts = model.embed_parts([around(sentence, start, filler)])[0]
        query = model.embed_query(sentence)
        assert float(np.max(parts @ query)) > float(np.max(others @ query)) + 0.2
        assert float(parts[0] @ query) > float(without @ query) + 0.05, "not in its one vector"


def test_what_stands_behind_8000_characters_does_not_count(model: Embedder) -> None:
    text = filled(GARDEN, 8_000)
    first, second = model.embed([text, text + UNIQUE[0]])
    assert np.array_equal(first, second)
    assert not np.array_equal(first, model.embed([text[:7_000] + UNIQUE[0]])[0])


def test_what_stands_behind_the_covered_tokens_does_not_count(
    model: Embedder, splitter: Splitter
) -> None:
    covered = read(BUNDLED).covered_tokens
    text = "! " * covered
    assert covered >= 2_048
    assert np.array_equal(*model.embed([text, text + UNIQUE[0]]))
    assert sum(len(window) - 2 for window in splitter.split(text + UNIQUE[0])) == covered


def test_a_short_text_is_one_part_and_a_long_one_its_whole_and_its_windows(
    model: Embedder, splitter: Splitter
) -> None:
    long = filled(GARDEN, 3_000)
    short, many = model.embed_parts([UNIQUE[0], long])
    assert short.shape == (1, 384)
    assert many.shape == (1 + len(splitter.split(long)), 384)
    assert np.array_equal(np.vstack([short[0], many[0]]), model.embed([UNIQUE[0], long]))
    assert np.allclose(np.linalg.norm(many, axis=1), 1, atol=1e-5)


def test_windows_end_with_sentences_and_cover_every_token(splitter: Splitter) -> None:
    text = filled(OFFICE, 4_000) + "\nno end here\nnor here " + "word " * 300
    described = read(BUNDLED)
    windows = splitter.split(text)
    assert max(map(len, windows)) <= described.window_tokens
    whole = Splitter(described.tokenizer, 10**6, 10**6, 10**6).split(text)[0]
    assert [token for window in windows for token in window[1:-1]] == [*whole[1:-1]]
    assert all(window[0] == whole[0] and window[-1] == whole[-1] for window in windows)
    ends = [window[-2] for window in windows[:5]]
    assert set(ends) == {splitter.split("x.")[0][-2]}


def test_chinese_sentences_end_without_a_space(splitter: Splitter) -> None:
    windows = splitter.split("我搬到了柏林。" * 40)
    stop = splitter.split("。")[0][1]
    assert len(windows) > 1 and all(window[-2] == stop for window in windows)
