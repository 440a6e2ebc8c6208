"""Speakers, stamps, bullets: who says what, and when."""

from datetime import UTC, datetime

from facts.extraction.text import mask, read_lines, split_sentences, tokenize
from tests.engine.conftest import NOW


def test_a_named_speaker_is_the_i_of_his_line(told):
    text = "Mona: I live in Lyon.\nJoan: I work at Brightly, and my brother Otis does yoga."
    assert [(f.subject, f.predicate, f.object) for f in told(text)] == [
        ("Mona", "lives_in", "Lyon"),
        ("Joan", "works_at", "Brightly"),
        ("Joan", "has_sibling", "Otis"),
        ("Otis", "does_exercise", "yoga"),
    ]
    assert {f.subject_type for f in told("Mona: I live in Lyon.")} == {"person"}


def test_a_speaker_who_is_the_end_user_is_self(told):
    (fact,) = told("Kim: I live in Lyon.\nJoan: ok")
    assert (fact.subject, fact.subject_type) == ("kim", "self")
    (fact,) = told("Kimberly: I live in Lyon.", names=("Kimberly",))
    assert (fact.subject, fact.subject_type) == ("kim", "self")


def test_a_user_line_is_the_end_user(told):
    (fact,) = told("user: I live in Lyon.\nassistant: Lovely, I like Lyon!")
    assert (fact.subject, fact.subject_type) == ("kim", "self")


def test_a_stamp_is_the_time_of_its_line(told):
    text = (
        "[2026-05-01] user: I moved to Perm yesterday.\n"
        "[2026-06-01T10:30:00+02:00] user: I like tea."
    )
    moved, liked = told(text)
    assert moved.observed_at == datetime(2026, 5, 1, tzinfo=UTC)
    assert moved.valid_from == datetime(2026, 4, 30, tzinfo=UTC)
    assert liked.observed_at == datetime(2026, 6, 1, 8, 30, tzinfo=UTC)
    assert told("I like tea.")[0].observed_at == NOW


def test_a_broken_stamp_is_ordinary_text(told):
    (fact,) = told("[2026-13-45] user: I like tea.") or told("I like tea.")
    assert fact.observed_at == NOW


def test_what_an_assistant_says_counts_once_the_user_confirms_it(told):
    (fact,) = told("assistant: So you live in Lyon?\nuser: yes, exactly")
    assert (fact.subject, fact.predicate, fact.object) == ("kim", "lives_in", "Lyon")
    (fact,) = told("assistant: Shall I note that you no longer use Bazel?\nuser: correct")
    assert (fact.predicate, fact.object, fact.move) == ("uses", "Bazel", "end")
    assert told("assistant: So you live in Lyon?\nuser: no") == []


def test_a_key_of_a_note_is_nobodys_name():
    lines = read_lines("Budget: 90 euros\nTeam: search\nStatus: done", user_id="kim", names=())
    assert [line.role for line in lines] == ["user"] * 3
    assert [line.speaker for line in lines] == [None] * 3


def test_bullets_headings_and_offsets():
    text = "# Notes\n- I like tea.\n2. I like cider."
    lines = read_lines(text, user_id="kim", names=())
    assert [(line.is_heading, line.is_item) for line in lines] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    assert [text[line.start :].startswith(line.text) for line in lines] == [True] * 3


def test_masking_keeps_every_offset():
    text = "a ```x``` b\n```\ncode\n```\n<!-- c\nd --> e \u201cI say this and that too\u201d f"
    masked = mask(text)
    assert len(masked) == len(text)
    assert "code" not in masked and "say" not in masked and masked.endswith("f")


def test_sentences_end_where_they_should():
    text = (
        "Dr. Hale is in. I paid 3.50 at St. Mary's! ok? Yes\u2026 "
        "see e.g. page 2; done \U0001f600 bye"
    )
    found = split_sentences(text, 5)
    assert [s.text for s in found] == [
        "Dr. Hale is in", "I paid 3.50 at St. Mary's", "ok", "Yes", "see e.g. page 2", "done",
        "bye",
    ]  # fmt: skip
    assert [s.mark for s in found[:4]] == [".", "!", "?", "\u2026"]
    assert all(text[s.start - 5 :].startswith(s.text) for s in found)


def test_contractions_open_up_and_keep_their_place():
    tokens = tokenize("I'm sure they don't. Ada's cat", 0)
    assert [t.low for t in tokens] == [
        "i", "am", "sure", "they", "do", "not", ".", "ada", "'s", "cat",
    ]  # fmt: skip
    assert (tokens[1].start, tokens[1].end) == (0, 3)
