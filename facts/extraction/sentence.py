"""Reads one sentence after another of a memory, with what earlier ones have named."""

import re
from collections.abc import Sequence
from datetime import date

from facts.extraction import filters
from facts.extraction.asides import draft_asides, draft_foreign, draft_notes
from facts.extraction.clause_reading import ClauseReader
from facts.extraction.dates import find_dates
from facts.extraction.grammar.referent import Subject
from facts.extraction.memory import Mentions
from facts.extraction.statements.draft import Draft
from facts.extraction.text import Line, Sentence, Token, tokenize

_FIRST = re.compile(r"\b(?:i|i'm|im|i've|ive|my|me|we|our|user|customer|client)\b", re.I)
_YOU = frozenset({"you", "your"})
_CORRECTIONS = ("scratch that", "no wait", "correction", "i meant", "i misspoke")


class SentenceReader:
    """Keeps what a memory has named while its sentences are read in order."""

    def __init__(self) -> None:
        self.mentions = Mentions()

    def read_line(
        self, line: Line, sentences: Sequence[Sentence], me: Subject, today: date
    ) -> list[Draft]:
        """The drafts of one line of `me`, counted from `today`."""
        self.mentions.spoken |= line.labelled or _FIRST.search(line.text) is not None
        if any(
            filters.is_injection(s.text) and s.text.casefold().startswith(("system", "developer"))
            for s in sentences
        ):
            return []
        if sentences and filters.is_task(sentences[0].text):
            return []
        out: list[Draft] = []
        before: list[Draft] = []
        for sentence in sentences:
            drafts = self._sentence(line, sentence, me, today)
            if filters.is_only_joke_mark(sentence.text):
                out, before = out[: len(out) - len(before)], []
                continue
            low = sentence.text.casefold()
            if any(mark in low for mark in _CORRECTIONS):
                slots = {(d.subject.name, d.predicate) for d in drafts if d.move == "state"}
                out = [d for d in out if (d.subject.name, d.predicate) not in slots]
            out += drafts
            before = drafts
        return out

    def _sentence(self, line: Line, sentence: Sentence, me: Subject, today: date) -> list[Draft]:
        text = sentence.text
        if (
            filters.is_injection(text)
            or filters.is_joke(text)
            or filters.is_task(text)
            or line.is_heading
        ):
            return []
        tokens = tokenize(text, sentence.start)
        if not tokens:
            return []
        drafts = draft_asides(sentence, tokens, me, today, self.mentions)
        if filters.is_question(sentence, tokens) or filters.is_hearsay(text):
            self.mentions.add_names(tokens)
            return drafts
        if sentence.mark == "?":
            tokens = tokens[: filters.question_start(tokens)]
            if not tokens:
                return drafts
        noted = draft_notes(line, sentence, me, today)
        if noted is not None:
            return _merge(drafts, noted)
        abroad = draft_foreign(sentence, me)
        if abroad:
            return _merge(drafts, abroad)
        dates = find_dates(text, sentence.start)
        stated = ClauseReader(self.mentions, tokens, dates, me, today).read()
        if filters.is_hypothetical(text):
            stated = [d for d in stated if d.start > _turn(tokens)]
        self.mentions.add_names(tokens)
        return _merge(drafts, stated)

    def read_confirmed(
        self, sentences: Sequence[Sentence], me: Subject, today: date
    ) -> list[Draft]:
        """What an assistant said of the end user and the next line confirms."""
        out: list[Draft] = []
        for sentence in sentences:
            tokens = tokenize(sentence.text, sentence.start)
            first = next((i for i, token in enumerate(tokens) if token.low in _YOU), None)
            if first is None or filters.is_injection(sentence.text):
                continue
            tokens = [_turned(token) for token in tokens[first:]]
            dates = find_dates(sentence.text, sentence.start)
            out += ClauseReader(self.mentions, tokens, dates, me, today).read()
        return out


def _turned(token: Token) -> Token:
    """The second person as the first."""
    turned = {"you": "i", "your": "my", "are": "am"}.get(token.low)
    return Token(turned, turned, token.start, token.end) if turned else token


def _merge(first: list[Draft], second: list[Draft]) -> list[Draft]:
    """Both lists without a statement that another one makes already."""
    out: list[Draft] = list(second)
    for draft in first:
        same = any(
            d.predicate == draft.predicate
            and d.object.casefold() == draft.object.casefold()
            and d.subject.name == draft.subject.name
            for d in out
        )
        if not same:
            out.append(draft)
    out.sort(key=lambda draft: draft.start)
    return out


def _turn(tokens: Sequence[Token]) -> int:
    """Where a hypothetical sentence turns to what is so ("if …, but today it is so")."""
    for token in tokens:
        if token.low == "but":
            return token.start
    return tokens[-1].end if tokens else 0
