"""Whatever a model answers to whatever text: facts of the text, or a fixed word."""

from __future__ import annotations

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from facts.extraction.text import Composed, mask
from facts.extraction.writer import WriterUnavailable
from facts.extraction.writer.answer import Stated, read_reply, read_tokens
from facts.extraction.writer.passages import read_passages
from facts.extraction.writer.subjects import Who
from facts.extraction.writer.verifying import Unfounded, Verifier
from tests.writer.conftest import NOW

WORDS = """I my user the Anna Bob's live in Rome work at Acme since 2019 until June next Friday
 tea and coffee . , ? ! " ' $1,200 sister not if but 3 May 2027 \u4e1c\u4eac \u00df \u0130 e\u0301
 assistant: Caroline: [2026-05-01] ``` yes \n \u2019 \U0001f600""".split(" ")
texts = st.lists(st.sampled_from(WORDS), min_size=5, max_size=14).map(" ".join)
parts = st.one_of(texts, st.text(max_size=12), st.sampled_from(WORDS))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, Stated]:
    """A text, and a statement whose parts are mostly pieces of it."""
    text = draw(texts)

    def piece() -> str:
        first = draw(st.integers(0, len(text)))
        return draw(st.sampled_from([text, text[first : first + draw(st.integers(0, 30))]]))

    some = st.one_of(st.builds(piece), parts)
    return text, Stated(
        quote=draw(st.builds(piece) | st.just(text) | parts),
        subject=draw(some | st.sampled_from(["user", "I", "my sister", "user's rent", "she"])),
        predicate=draw(st.sampled_from(["lives_in", "scheduled_for", "uses", "works_at"]) | parts),
        verb=draw(some),
        object=draw(st.sampled_from(text.split() or [""]) | some),
        tense=draw(st.sampled_from(["current", "past", "planned"])),
        denied=draw(st.booleans()),
        when=draw(some),
        replaces=tuple(draw(st.lists(some, max_size=2))),
    )


@settings(max_examples=150, deadline=None)
@given(cases())
def test_what_is_kept_is_words_of_the_text_or_a_day(case: tuple[str, Stated]) -> None:
    text, stated = case
    composed = Composed(text).text
    passages = read_passages(composed, user_id="ana", names=("Bob",), timestamp=NOW)
    verifier = Verifier(mask(composed), passages, Who("ana", ("Bob",)))
    try:
        found = verifier.candidate(stated)
    except Unfounded as error:
        assert str(error) in {
            "quote", "silent", "object", "subject", "predicate", "bounds",
        }  # fmt: skip
        return
    begin, end = found.span
    assert 0 <= begin < end <= len(composed)
    said = composed[begin:end]
    assert found.object in said or found.object[:4].isdigit()
    assert all(value in composed for value in found.replaces)
    assert (
        found.subject == "ana"
        or found.subject.removeprefix("ana's ") in composed.lower() + composed
    )
    assert found.tense in ("current", "past", "planned")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40) | json_values.map(lambda value: json.dumps(value).encode()))
@example(b"[" * 200_000)
@example(b'{"usage": {"total_tokens": ' + b"9" * 5_000 + b"}}")
@example(b'{"choices": [{"message": {"content": "' + b"[" * 200_000 + b'"}}]}')
@example(b'{"choices": {"0": 1}}')
def test_any_answer_is_read_or_refused(body: bytes) -> None:
    tokens = read_tokens(body)
    assert tokens is None or tokens > 0
    try:
        read_reply(body)
    except WriterUnavailable as error:
        assert error.reason == "unusable"


@settings(max_examples=100, deadline=None)
@given(json_values)
def test_any_content_is_read_entry_by_entry_or_refused(content: object) -> None:
    for value in (content, {"facts": content}, {"facts": [content]}):
        message = {"content": json.dumps(value)}
        body = json.dumps({"choices": [{"message": message}]}).encode()
        try:
            assert all(one is None or isinstance(one, Stated) for one in read_reply(body))
        except WriterUnavailable as error:
            assert error.reason == "unusable"
