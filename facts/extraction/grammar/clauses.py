"""Cuts a sentence into clauses: who does what, from which token to which."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from facts.extraction.grammar.leads import skip_leads
from facts.extraction.grammar.lexicon import (
    SUBORDINATORS,
)
from facts.extraction.grammar.referent import Subject
from facts.extraction.grammar.subjects import read_subjects
from facts.extraction.grammar.verbs import VerbGroup, read_verb_group
from facts.extraction.text.tokens import Token
from facts.vocabulary.words import words

_BREAKS = words("; : ( ) -- — – … [ ]")
_JOINS = words(", and but so or & yet then plus nor")
# Words that can be a noun where a coordinated verb could stand ("tea and work").
_OPENERS = words("for in at with on as after during besides apart outside despite thanks")
_RELATIVE = words("who which whose whom")
_NOUN_VERBS = words(
    """work study love like hate need want use play drink run walk visit talk call text plan train
    test order travel change show sleep rest smoke watch ride drive swim dance help offer start
    stop share trade report book cook guard coach nurse model judge design market stay back
    pack park sort skate box fish camp garden cycle surf ski race film sail hike frame produce
    view paint"""
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `link` is the word that introduces it ("because", "which", ""), `begin` its first
    token, `rest` the index where its complement begins, `end` the index after its last token.

    A clause without a verb is a fragment ("Vegetarian", "rent 900").
    """

    link: str
    subjects: tuple[Subject, ...]
    verb: VerbGroup | None
    begin: int
    rest: int
    end: int
    inherited: bool = False


def read_clauses(tokens: Sequence[Token], me: str, date_ends: dict[int, int]) -> list[Clause]:
    """The clauses of a sentence in its order.

    `date_ends` maps the index of a date phrase's first token to the index after it, so that leading
    dates are passed over.
    """
    return _Splitter(tokens, me, date_ends).split()


@dataclass(frozen=True, slots=True)
class _Head:
    link: str
    subjects: tuple[Subject, ...]
    verb: VerbGroup
    begin: int
    inherited: bool


class _Splitter:
    def __init__(self, tokens: Sequence[Token], me: str, date_ends: dict[int, int]) -> None:
        self.tokens, self.me, self.date_ends = tokens, me, date_ends
        self.previous: _Head | None = None

    def split(self) -> list[Clause]:
        clauses: list[Clause] = []
        at = self._skip_adverbial(skip_leads(self.tokens, 0, self.date_ends))
        link = ""
        if at < len(self.tokens) and self.tokens[at].low in SUBORDINATORS:
            link = self.tokens[at].low
            at += 1
        while at < len(self.tokens):
            head = self._head(at, link, first=not clauses)
            scan_from = head.verb.after if head else at
            end, following, link = self._end(scan_from, head)
            if head is not None:
                clauses.append(
                    Clause(
                        head.link, head.subjects, head.verb, head.begin, head.verb.after, end,
                        head.inherited,
                    )
                )  # fmt: skip
                self.previous = head
            elif end > at:
                clauses.append(Clause(link if following == at else "", (), None, at, at, end))
            at = max(following, at + 1)
        return clauses

    def _skip_adverbial(self, at: int) -> int:
        """Passes an opening adverbial ("After the exam we bought a boat") up to its "I" or "we"."""
        tokens = self.tokens
        if at < len(tokens) and tokens[at].low in _OPENERS:
            for index in range(at + 1, min(len(tokens), at + 10)):
                if tokens[index].low in {"i", "we"} and tokens[index - 1].low not in {"and", "or"}:
                    return index
                if tokens[index].low in SUBORDINATORS | {"."}:
                    break
        return at

    def _head(self, at: int, link: str, *, first: bool) -> _Head | None:
        found = read_subjects(self.tokens, at, self.me)
        if found is not None:
            after = self._skip_aside(found.after)
            verb = read_verb_group(self.tokens, after, found.subjects[0])
            if verb is not None and verb.after > after:
                if found.neither:
                    verb = replace(verb, negated=True)
                return _Head(link, found.subjects, verb, at, False)
        if link in {"which", "who", "that"}:
            verb = read_verb_group(self.tokens, at, None)
            return _Head(link, (), verb, at, True) if verb else None
        verb = read_verb_group(self.tokens, at, None)
        if verb is None:
            return None
        if first:
            return _Head(link, (), verb, at, False)
        if self.previous is not None and self._agrees(verb):
            return _Head(link, self.previous.subjects, verb, at, True)
        return None

    def _skip_aside(self, at: int) -> int:
        """Passes ", who ..." free asides of the form "from accounting" before the verb."""
        tokens = self.tokens
        if at + 1 < len(tokens) and tokens[at].low == "," and tokens[at + 1].low in _RELATIVE:
            for index in range(at + 2, min(len(tokens), at + 25)):
                if tokens[index].low == ",":
                    return index + 1
            return at
        if at < len(tokens) and tokens[at].low in {"from", "at", "in"}:
            for step in (2, 3, 4):
                if at + step < len(tokens) and read_verb_group(tokens, at + step, _SOMEBODY):
                    if any(t.low in {",", ".", "and"} for t in tokens[at : at + step]):
                        break
                    return at + step
        return at

    def _agrees(self, verb: VerbGroup) -> bool:
        """Whether a verb without a subject continues the previous clause."""
        if self.previous is None:
            return False
        before = self.previous.verb
        low = self.tokens[verb.after - 1].low if verb.after else ""
        first = self.tokens[verb.begin].low
        if first in {"is", "are", "am", "was", "were", "has", "have", "had", "will", "can", "do",
                     "does", "did", "would", "could", "never", "not", "no"}:  # fmt: skip
            return first not in {"no"} or verb.over
        if first in {"be", "being", "been"}:
            return False
        comma = verb.begin > 0 and self.tokens[verb.begin - 1].low == ","
        if verb.form == "ing":
            if comma and not self._spoken() and verb.base in {"learn", "study", "work", "live"}:
                return True
            return before.progressive and verb.base not in {"be"} and first == low
        if verb.form in {"past", "participle"}:
            unspoken = comma and before.base == "be" and not self._spoken()
            return before.time in {"past", "perfect"} or before.passive or unspoken
        if verb.form == "third":
            return (
                before.form == "third"
                or (before.base in {"be", "have"} and before.form != "base")
                or (before.base == "be" and before.time == "present")
            )
        if comma:
            return False
        if low in _NOUN_VERBS and verb.after >= len(self.tokens):
            return False
        if low in _NOUN_VERBS and not self._object_follows(verb.after):
            return False
        plain = before.time in {"present", "future"} and before.form == "base"
        return plain or (before.base == "be" and self._is_self(self.previous.subjects))

    def _spoken(self) -> bool:
        """Whether the previous clause has a subject of its own."""
        return self.previous is not None and bool(self.previous.subjects)

    def _object_follows(self, at: int) -> bool:
        return (
            at < len(self.tokens)
            and self.tokens[at].is_word
            and self.tokens[at].low not in {"and", "or"}
        )

    def _is_self(self, subjects: tuple[Subject, ...]) -> bool:
        return bool(subjects) and subjects[0].kind == "self"

    def _end(self, at: int, head: _Head | None) -> tuple[int, int, str]:
        """Where the clause from `at` ends, where the next begins, and the word that links them."""
        tokens = self.tokens
        index = at
        while index < len(tokens):
            low = tokens[index].low
            if index in self.date_ends:
                index = self.date_ends[index]
                continue
            if low in _BREAKS and tokens[index].text != "-":
                return index, skip_leads(tokens, index + 1, self.date_ends), ""
            if low in SUBORDINATORS and low not in {"as", "than"}:
                step = index + 1
                if low in {"so", "since", "until", "till", "before", "after", "but", "that"}:
                    step = skip_leads(tokens, step, self.date_ends)
                    if low != "but" and not self._starts_clause(step, head):
                        index += 1
                        continue
                return self._cut(index), step, low
            if low in _JOINS and not tokens[index].is_capitalised:
                step = skip_leads(tokens, index + 1, self.date_ends)
                if step < len(tokens) and tokens[step].low in SUBORDINATORS - {
                    "as",
                    "than",
                    "that",
                }:
                    inner = skip_leads(tokens, step + 1, self.date_ends)
                    return index, inner, tokens[step].low
                if self._starts_clause(step, head):
                    return index, step, "but" if low == "but" else ""
            index += 1
        return len(tokens), len(tokens), ""

    def _cut(self, index: int) -> int:
        return index - 1 if index and self.tokens[index - 1].low == "," else index

    def _starts_clause(self, at: int, head: _Head | None) -> bool:
        if at >= len(self.tokens):
            return False
        found = read_subjects(self.tokens, at, self.me)
        if found is not None:
            after = self._skip_aside(found.after)
            verb = read_verb_group(self.tokens, after, found.subjects[0])
            if verb is not None and verb.after > after:
                return True
        saved = self.previous
        self.previous = head or saved
        verb = read_verb_group(self.tokens, at, None)
        agrees = verb is not None and self.previous is not None and self._agrees(verb)
        self.previous = saved
        return agrees


_SOMEBODY = Subject("name", "", 0, 0)
