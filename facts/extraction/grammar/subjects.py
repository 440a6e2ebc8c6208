"""Noun phrases that can be subjects, and who they are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from facts.extraction.grammar.lexicon import (
    ADVERBS,
    BE,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    SELF_NOUNS,
    SUBORDINATORS,
)
from facts.extraction.grammar.nouns import (
    ANIMALS,
    FAMILY_WORDS,
    JOBS,
    OCCASIONS,
    RELATIONS,
    Gender,
)
from facts.extraction.text.tokens import Token
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

Kind = Literal["self", "you", "name", "relation", "pet", "thing", "pronoun"]

_TITLES = words("mr mrs ms dr prof mme mr. mrs. ms. dr. prof. mme. sir miss")
_NAME_LINKS = words("de von van der la le di da del dos bin al el du zu of")
_NOT_NAMES = words(
    """i the a an my our your his her their this that these those it he she they we you and or but if
    when while where what who how why which there here yes no ok not never please thanks sorry
    also now today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays christmas easter
    january february march april may june july august september october november december since
    because although though after before until from in on at for with without about as so then
    just still only even some any all both each every most many more few one two three next last
    time people everyone someone nobody nothing something everything anything lunch dinner
    breakfast call ticket status budget decision deadline session update note spring summer autumn
    winter good great big new old let lets total current would could should might will can is are
    was were do does did have has had customer user client to by of lol haha omg ugh hi hey hello life work school things being always never must've could've should've would've"""
)
_NAMES_LIKE_VERBS = words(
    "mark will grant frank bill rob chase pat grace rose drew jack art hope faith ray dean"
)
_NEVER_THINGS = words(
    """mine yours hers theirs everyone everybody nobody someone somebody anybody people what that
    there here who which everything nothing something all none both most some many"""
)
_MODIFIERS = words(
    """older younger little big best old new dear late elderly eldest youngest oldest twin only lovely
    own former current closest close good first second third rescue elder baby beloved two three
    four other next-door upstairs downstairs line direct childhood long-time partner's family"""
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody or something a clause is about, with its place in the text.

    `name` is what a fact says ("" while a pronoun is unresolved); `owner` is set for "my <noun>".
    """

    kind: Kind
    name: str
    start: int
    end: int
    plural: bool = False
    gender: Gender = ""
    noun: str = ""
    person_type: str = "unknown"


@dataclass(frozen=True, slots=True)
class Found:
    """Subjects that a parse found and the index of the token after them.

    `neither`: "neither A nor B", which denies the verb.
    """

    subjects: tuple[Subject, ...]
    after: int
    neither: bool = False


def read_subjects(tokens: Sequence[Token], at: int, me: str) -> Found | None:
    """The coordinated noun phrases that begin at `at`; None when none begins there.

    `me` is the name behind "my" (`<me>'s sister`).
    """
    lead = at
    if at < len(tokens) and tokens[at].low in {"neither", "both", "either"}:
        lead = at + 1
    first = _read_one(tokens, lead, me)
    if first is None:
        return None
    neither = lead > at and tokens[at].low == "neither"
    subjects, after = list(first.subjects), first.after
    while after + 1 < len(tokens) and tokens[after].low in {"and", "nor", "&", ","}:
        step = after + 1
        if tokens[after].low == "," and tokens[step].low == "and":
            step += 1
        other = _read_one(tokens, step, me)
        if other is None or other.subjects[0].kind in {"pronoun", "thing"}:
            break
        if tokens[after].low == "," and not _more_names(tokens, other.after):
            break
        subjects += other.subjects
        after = other.after
    if len(subjects) > 1:
        subjects = [replace(subject, plural=True) for subject in subjects]
    return Found(tuple(subjects), after, neither)


def _more_names(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].low in {"and", ","}


def _read_one(tokens: Sequence[Token], at: int, me: str) -> Found | None:
    if at >= len(tokens):
        return None
    token = tokens[at]
    low = token.low
    if low in {"i", "we"}:
        return _found("self", me, tokens, at, at + 1, plural=low == "we", person_type="self")
    if low == "you":
        return _found("you", me, tokens, at, at + 1, plural=True)
    if low in {"he", "she", "they", "it"}:
        gender: Gender = "m" if low == "he" else "f" if low == "she" else ""
        return _found(
            "pronoun", "", tokens, at, at + 1, plural=low == "they", gender=gender, noun=low
        )
    if low in SELF_NOUNS or (low == "the" and _low(tokens, at + 1) in SELF_NOUNS):
        after = at + (2 if low == "the" else 1)
        if _low(tokens, after) == "'s":
            return _owned(tokens, after + 1, at, me)
        if _low(tokens, after) in SELF_NOUNS | {"of", "account"}:
            return None
        return _found("self", me, tokens, at, after, person_type="self")
    if low in {"my", "our"}:
        return _owned(tokens, at + 1, at, me)
    name = read_name(tokens, at)
    if name is not None and _is_common(tokens, name):
        thing = _thing(tokens, at)
        if thing is not None:
            return thing
    if name is not None:
        return _name_subject(tokens, at, name, me)
    if low in FAMILY_WORDS and at == 0:
        return _relation(tokens, at, at, me)
    if low in {"the", "this", "a", "an"} or low[:1].isalpha():
        return _thing(tokens, at)
    return None


def _is_common(tokens: Sequence[Token], after: int) -> bool:
    """Whether the capitalised words before `after` belong to a common noun ("SOC 2 audit is")."""
    if tokens[after - 1].low in OCCASIONS:
        return True
    following = tokens[after] if after < len(tokens) else None
    return (
        following is not None
        and following.text.islower()
        and following.low not in PREPOSITIONS | BE | MODALS | ADVERBS | {"and", "has", "had", "'s"}
        and following.low not in SUBORDINATORS
        and not any(form in {"third", "past", "ing"} for _, form in readings(following.low))
    )


def _name_subject(tokens: Sequence[Token], at: int, after: int, me: str) -> Found | None:
    low = tokens[at].low
    if after == at + 1 and low in FAMILY_WORDS:
        return _relation(tokens, at, at, me)
    if _low(tokens, after) == "'s" and not _is_verb_like(tokens, after + 1):
        owner = span_text(tokens, at, after)
        return _owned(tokens, after + 1, at, owner)
    return _found("name", span_text(tokens, at, after), tokens, at, after)


def _is_verb_like(tokens: Sequence[Token], at: int) -> bool:
    """Whether "'s" before `at` is "is" or "has": followed by a verb form, an adverb or an article."""
    low = _low(tokens, at)
    if low in DETERMINERS or low in {"been", "got", "in", "on", "at", "from", "allergic", "now"}:
        return True
    if low in ADVERBS and low not in {"all", "both", "long", "pretty", "only"}:
        return True
    return any(form in {"ing"} for _, form in readings(low))


def _owned(tokens: Sequence[Token], at: int, begin: int, owner: str) -> Found | None:
    """The noun phrase after "my" or "Anna's": a relation, a pet or a thing."""
    index = at
    while (
        index < len(tokens)
        and index < at + 3
        and (tokens[index].low in _MODIFIERS or tokens[index].text.isdigit())
    ):
        index += 1
    low = _low(tokens, index)
    if low in RELATIONS or low in ANIMALS:
        return _relation(tokens, index, begin, owner)
    end = index
    while end < len(tokens) and end < at + 5 and tokens[end].is_word:
        word = tokens[end].low
        if word in BE or word in MODALS or word in PREPOSITIONS or word in SUBORDINATORS:
            break
        if end > at and (word in ADVERBS or _is_finite(tokens, end)):
            break
        if end > at and word in {"has", "have", "had", "and", "or", "these", "this", "right"}:
            break
        end += 1
    if end == at:
        return None
    noun = span_text(tokens, at, end)
    after = end
    if (_low(tokens, end), _low(tokens, end + 1)) in {("these", "days"), ("right", "now")}:
        after = end + 2
    if _low(tokens, end) in {"for", "with", "of"}:
        stop = _noun_phrase_end(tokens, end + 1)
        if stop > end + 1 and _low(tokens, stop) in BE | {"has", "was", "went", "costs"}:
            noun, after = span_text(tokens, at, stop), stop
    return _found(
        "thing", f"{owner}'s {noun}", tokens, begin, after, noun=noun, plural=noun.endswith("s")
    )


def _relation(tokens: Sequence[Token], at: int, begin: int, owner: str) -> Found | None:
    """A relation word, with the name in apposition if there is one, and possessive chains."""
    noun = tokens[at].low
    relation = RELATIONS.get(noun)
    if _low(tokens, at + 1) == "'s" and not _is_verb_like(tokens, at + 2):
        return _owned(tokens, at + 2, begin, f"{owner}'s {tokens[at].text.lower()}")
    gender: Gender = relation.gender if relation else ""
    plural = relation.plural if relation else noun.endswith("s") and noun not in ANIMALS
    kind: Kind = "relation" if relation else "pet"
    names, after = names_after(tokens, at + 1)
    if names:
        if _low(tokens, after) == "'s":
            last = names[-1]
            if not _is_verb_like(tokens, after + 1):
                return _owned(tokens, after + 1, begin, last[0])
        found = tuple(
            Subject(
                "name",
                name,
                start,
                end,
                len(names) > 1,
                gender,
                noun,
                "person" if relation else "unknown",
            )
            for name, start, end in names
        )
        return Found(found, after)
    return _found(
        kind, f"{owner}'s {noun}", tokens, begin, at + 1, plural=plural, gender=gender, noun=noun,
        person_type="person" if relation else "unknown",
    )  # fmt: skip


def names_after(tokens: Sequence[Token], at: int) -> tuple[list[tuple[str, int, int]], int]:
    """Names in apposition from `at` on: "Anna", ", Mr. Okafor,", "called Rex", "Otto and Frida"."""
    index = at
    comma = _low(tokens, index) in {",", "("}
    called = False
    if comma:
        index += 1
    while _low(tokens, index) in {"called", "named"}:
        called = True
        index += 1
    first = read_name(tokens, index)
    if first is None:
        return [], at
    names = [(span_text(tokens, index, first), tokens[index].start, tokens[first - 1].end)]
    after = first
    while _low(tokens, after) == "and" and not comma:
        following = read_name(tokens, after + 1)
        if following is None:
            break
        names.append(
            (
                span_text(tokens, after + 1, following),
                tokens[after + 1].start,
                tokens[following - 1].end,
            )
        )
        after = following
    if comma and not called:
        closing = _low(tokens, after)
        if closing not in {",", ")", "", ".", "'s", "and"}:
            return [], at
        if closing == "and":
            following = read_name(tokens, after + 1)
            if following is None:
                return [], at
            names.append(
                (
                    span_text(tokens, after + 1, following),
                    tokens[after + 1].start,
                    tokens[following - 1].end,
                )
            )
            after = following
        if _low(tokens, after) in {",", ")"}:
            after += 1
    return names, after


def read_name(tokens: Sequence[Token], at: int) -> int | None:
    """The index after a capitalised name that begins at `at`, None when there is none."""
    index = at
    if at < len(tokens) and _opens_note(tokens, at):
        return None
    while index < len(tokens) and index < at + 5:
        token = tokens[index]
        if token.low in _TITLES and token.is_capitalised:
            index += 1
            if _low(tokens, index) == ".":
                index += 1
            continue
        if token.is_capitalised and token.is_word and token.low not in _NOT_NAMES | BE:
            index += 1
            continue
        linked = token.low in _NAME_LINKS and index > at and index + 1 < len(tokens)
        if (linked and tokens[index + 1].is_capitalised and token.low != "of") or (
            token.low in {"and"}
            and token.text == "&"
            and index > at
            and index + 1 < len(tokens)
            and tokens[index + 1].is_capitalised
        ):
            index += 2
            continue
        if index > at and token.text[:1] in "#0123456789" and len(token.text) <= 6:
            index += 1
        break
    return index if index > at and tokens[index - 1].low not in _TITLES | {"."} else None


def _opens_note(tokens: Sequence[Token], at: int) -> bool:
    """Whether a capitalised word is the verb of a clipped note ("Speaks Turkish")."""
    forms = {form for _, form in readings(tokens[at].low)}
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if at and tokens[at - 1].low not in {".", ",", "!", "-"}:
        return False
    if forms & {"third", "ing"}:
        return True
    if "base" in forms and following is not None and following.is_capitalised:
        return tokens[at].low not in _NAMES_LIKE_VERBS
    named = following is None or following.low in BE or following.low in {"'s", "and", "has"}
    return "past" in forms and "base" not in forms and not named and not _is_finite(tokens, at + 1)


def _thing(tokens: Sequence[Token], at: int) -> Found | None:
    """ "the day pass", "old middleware", "the deadline for the audit": a common noun phrase."""
    begin = at
    if tokens[at].low in {"the", "this", "a", "an"}:
        at += 1
    end = _noun_phrase_end(tokens, at)
    if end == at or tokens[end - 1].low in {
        "one",
        "ones",
        "mine",
        "thing",
        "rest",
        "guy",
        "person",
    }:
        return None
    if tokens[at].low in _NEVER_THINGS | ADVERBS | MODALS or "'" in tokens[at].low:
        return None
    if _low(tokens, end) in {"of", "for", "with", "at", "in"}:
        inner = end + 1
        if _low(tokens, inner) in DETERMINERS:
            inner += 1
        stop = _noun_phrase_end(tokens, inner)
        if stop > inner and _verb_follows(tokens, stop):
            return _found(
                "thing", span_text(tokens, at, stop), tokens, begin, stop, noun=tokens[end - 1].low
            )
    if not _verb_follows(tokens, end):
        return None
    noun = tokens[end - 1].low
    return _found(
        "thing", span_text(tokens, at, end), tokens, begin, end, noun=noun,
        plural=noun.endswith("s") and not noun.endswith("ss"),
    )  # fmt: skip


def _noun_phrase_end(tokens: Sequence[Token], at: int) -> int:
    end = at
    while end < len(tokens) and end < at + 5:
        token = tokens[end]
        low = token.low
        if not (token.is_word or token.text.startswith("#")):
            break
        if low in BE or low in MODALS or low in PREPOSITIONS or low in SUBORDINATORS:
            break
        if low in DETERMINERS or low in {"and", "or", "has", "have", "had", "i", "we", "you"}:
            break
        if low in {"he", "she", "they", "it", "not", "also", "now", "still", "already"}:
            break
        if end > at and _is_finite(tokens, end):
            break
        end += 1
    return end


def _verb_follows(tokens: Sequence[Token], at: int) -> bool:
    low = _low(tokens, at)
    while low in ADVERBS and low not in {"all", "both"}:
        at += 1
        low = _low(tokens, at)
    return low in BE or low in MODALS or low in {"has", "have", "had"} or _is_finite(tokens, at)


def _is_finite(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token is a third person or past form that reads as the verb of its clause."""
    low = _low(tokens, at)
    forms = {form for _, form in readings(low)}
    if "third" in forms or "past" in forms:
        following = _low(tokens, at + 1)
        return low not in JOBS and low not in ANIMALS and (following not in BE)
    return False


def _low(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].low if 0 <= at < len(tokens) else ""


def span_text(tokens: Sequence[Token], begin: int, end: int) -> str:
    """The words of `tokens[begin:end]` with the spacing of the text reduced to single spaces."""
    parts: list[str] = []
    last: Token | None = None
    for token in tokens[begin:end]:
        if (last is not None and token.start == last.start and token.end == last.end) or (
            last is not None and token.start > last.end
        ):
            parts.append(" ")
        parts.append(token.text)
        last = token
    return "".join(parts).strip()


def _found(
    kind: Kind, name: str, tokens: Sequence[Token], begin: int, after: int, *,
    plural: bool = False, gender: Gender = "", noun: str = "", person_type: str = "unknown",
) -> Found:  # fmt: skip
    subject = Subject(
        kind, name, tokens[begin].start, tokens[after - 1].end, plural, gender, noun, person_type
    )
    return Found((subject,), after)
