"""Drafts of what a sentence tells beside its clauses: in passing, in notes, in other languages."""

from collections.abc import Sequence
from datetime import date

from facts.extraction.candidate import Move, Tense
from facts.extraction.dates import find_dates
from facts.extraction.grammar.nouns import Gender
from facts.extraction.grammar.referent import Subject
from facts.extraction.memory import Mentions
from facts.extraction.statements import notes
from facts.extraction.statements.draft import Draft
from facts.extraction.statements.foreign import read_foreign
from facts.extraction.statements.passing import Aside, subject_of
from facts.extraction.statements.passing.contacts import read_channels, read_contacts
from facts.extraction.statements.passing.relations import (
    read_name_is,
    read_relations,
    read_titles,
)
from facts.extraction.statements.passing.trips import read_cancelled, read_first_days, read_trips
from facts.extraction.text import Line, Sentence, Token


def draft_asides(
    sentence: Sentence, tokens: Sequence[Token], me: Subject, today: date, mentions: Mentions
) -> list[Draft]:
    """What is told in passing: names of relations, titles, addresses, trips."""
    text = sentence.text
    found = read_relations(tokens, me.name)
    if sentence.mark != "?":
        found += read_titles(tokens)
        found += read_contacts(text, sentence.start, tokens)
        found += read_channels(text, sentence.start)
        found += read_name_is(tokens)
    drafts = _trips(sentence, me, today)
    for aside in found:
        subject = _owner(aside, me, mentions)
        if subject is not None:
            drafts.append(_draft(subject, aside, aside.predicate))
    return drafts


def _owner(aside: Aside, me: Subject, mentions: Mentions) -> Subject | None:
    noun = {"his": "he", "her": "she", "their": "they"}.get(aside.owner)
    if noun is None:
        return subject_of(aside, me)
    pronoun = Subject("pronoun", "", 0, 0, gender=_GENDERS[noun], noun=noun)
    owners = mentions.resolve(pronoun)
    return owners[0] if len(owners) == 1 else None


_GENDERS: dict[str, Gender] = {"he": "m", "she": "f", "they": ""}


def _draft(
    subject: Subject,
    aside: Aside,
    predicate: str,
    *,
    tense: Tense = "current",
    move: Move = "state",
    start: date | None = None,
) -> Draft:
    return Draft(
        subject, predicate, aside.raw, aside.value, tense, move, start, None, (), 0.8,
        aside.start, aside.end,
    )  # fmt: skip


def _trips(sentence: Sentence, me: Subject, today: date) -> list[Draft]:
    """Reads "our flight to Peru on 9 June": a plan when a date says that it lies ahead."""
    text, place = sentence.text, sentence.start
    drafts = [
        _draft(me, aside, "travels_to", tense="planned", move="end")
        for aside in read_cancelled(text, place)
    ]
    for aside in read_first_days(text, place):
        first = next(iter(find_dates(text, place)), None)
        day = first.day(today, forward=False) if first and first.role == "at" else None
        drafts.append(_draft(me, aside, "works_at", start=day))
    for aside in read_trips(text, place):
        phrase = next((p for p in find_dates(text, place) if p.start >= aside.end), None)
        if phrase is None or phrase.start - aside.end > 3 or phrase.role not in {"at", "start"}:
            continue
        day = phrase.day(today, forward=True)
        if day is not None and day >= today:
            drafts.append(_draft(me, aside, "travels_to", tense="planned", start=day))
    return drafts


def draft_foreign(sentence: Sentence, me: Subject) -> list[Draft]:
    """Plain statements in other languages than English."""
    place = sentence.start
    return [
        _draft(
            me,
            Aside(
                "",
                said.predicate,
                said.predicate,
                said.object,
                place + said.start,
                place + said.end,
            ),
            said.predicate,
            tense=said.tense,
            move=said.move,
        )
        for said in read_foreign(sentence.text)
    ]


def draft_notes(line: Line, sentence: Sentence, me: Subject, today: date) -> list[Draft] | None:
    """A "Key: value" note; None when the sentence is none."""
    if line.role == "speaker" and not line.is_item:
        return None
    found = notes.read_note(sentence.text, sentence.start)
    if found is None:
        found = notes.read_equation(sentence.text, sentence.start)
        if not found:
            return None
    drafts: list[Draft] = []
    for note in found:
        subject = Subject("name", note.about, note.start, note.end) if note.about else me
        dates = find_dates(note.dated) if note.dated else []
        begun = dates[0].day(today, forward=False) if dates else None
        value = _birthday(note.value, today) if note.predicate == "born_on" else note.value
        aside = Aside("", note.predicate, note.raw, value, note.start, note.end)
        drafts.append(_draft(subject, aside, note.predicate, start=begun))
    return drafts


def _birthday(value: str, today: date) -> str:
    """An ISO day for a full date, else the words of the text."""
    dates = find_dates(value)
    moment = dates[0].moment if dates else None
    day = moment.resolve(today, forward=False) if moment and moment.year and moment.day else None
    return day.isoformat() if day else value
