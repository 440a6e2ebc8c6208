"""The notation of training texts, and the rows that it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from facts.extraction.training.convert import main
from facts.extraction.training.marked import Malformed, read_marked
from facts.extraction.training.rows import Marked, Row, read_row


def row(line: str) -> Row:
    return read_marked(line, name="one")


def only(line: str) -> Marked:
    (mark,) = row(line).marks
    return mark


def test_a_mark_says_what_its_words_are_the_object_of() -> None:
    found = row("short place :: I used to live in [Rome#city|lives_in|past|until=2024-01-01].")
    assert found.text == "I used to live in Rome."
    assert found.tags == ("short", "place")
    (mark,) = found.marks
    assert found.text[slice(*mark.place)] == "Rome"
    assert (mark.subject, mark.predicate, mark.object) == ("user", "lives_in", "Rome")
    assert (mark.sense, mark.invalid_at, mark.about) == ("past", "2024-01-01", None)
    assert [(one.place, one.kind) for one in found.fillers] == [(mark.place, "city")]


def test_a_subject_is_the_nearest_of_its_words_before_the_object() -> None:
    text = "third :: Anna met {Anna#woman}. She lives in [Rome|lives_in|s:Anna]; Anna is fine."
    mark = only(text)
    assert (mark.subject, mark.about) == ("Anna", (9, 13))


def test_a_spelling_variant_becomes_the_predicate_of_the_table() -> None:
    assert only("x :: I am in charge of [billing|responsible_for]").predicate == "manages"
    assert only("x :: My dentist is [Hale|has_dentist]").predicate == "has_dentist"


def test_a_subject_may_carry_an_ending() -> None:
    mark = only("de :: {Annika#woman}s Hund heißt [Fiete|has_pet|s:Annika].")
    assert (mark.subject, mark.about) == ("Annika", (0, 6))


def test_an_unnamed_relation_belongs_to_who_speaks() -> None:
    assert only("kin :: My sister is [30|age|s:My sister]").subject == "user's sister"
    chat = "chat :: Tom: hi\\nBea: my sister is [30|age|s:my sister]"
    assert only(chat).subject == "Bea's sister"
    assert only("it :: mia sorella ha [30|age|s:mia sorella] anni").subject == "user's sorella"


def test_a_thing_goes_without_its_article() -> None:
    mark = only("event :: The kickoff is on [3 May|scheduled_for=2027-05-03|s:The kickoff].")
    assert (mark.subject, mark.object) == ("kickoff", "2027-05-03")


def test_denied_and_replaced_words_are_no_facts() -> None:
    found = row("deny :: I own no [car|owns|deny]; from [Vim|uses|replaced] to [Emacs|uses].")
    assert [mark.sense for mark in found.marks] == ["denied", "replaced", "current"]
    assert '"expected": [{"subject": "user", "predicate": "uses", "object": "Emacs"' in found.line()


def test_a_row_survives_its_line() -> None:
    found = row(
        "chat :: \\[2026-05-01\\] {Bea#woman}: [Oslo#city|lives_in|planned|s:Bea|from=2027-01-01], "
        "no [cat|has_pet|deny|s:Bea], [tea|likes|optional|s:Bea]"
    )
    assert found.text.startswith("[2026-05-01] Bea: Oslo")
    assert read_row(found.line()) == found


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("no separator", "between tags and text"),
        ("x :: I live in [Rome].", "neither an object nor a filler"),
        ("x :: I live in {Rome}.", "neither an object nor a filler"),
        ("x :: I live in {Rome#city|lives_in}.", "neither an object nor a filler"),
        ("x :: I live in [Rome|lives_in", "stray bracket"),
        ("x :: I live in [ Rome|lives_in].", "blank space"),
        ("x :: I live in [Rome|Lives In].", "no predicate"),
        ("x :: I live in [Rome|lives_in|soon].", "none of the parts"),
        ("x :: I live in [Rome|lives_in|s:Anna].", "'Anna' is not in the text"),
        ("none :: I live in [Rome|lives_in].", "tagged none"),
    ],
)
def test_a_malformed_line_says_what_is_wrong(line: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        row(line)


def test_converting_names_every_fault_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "a.jsonl"
    source.write_text("x :: [Rome|lives_in]\n\nx :: [Rome|lives_in]\nx :: [Rome]\n")
    assert main(source, target) == 1
    told = capsys.readouterr().err
    assert "a.txt:3: this text stood before" in told
    assert "a.txt:4:" in told
    assert not target.exists()
    source.write_text("x :: [Rome|lives_in]\n")
    assert main(source, target) == 0
    assert read_row(target.read_text()).id == "a-0001"
