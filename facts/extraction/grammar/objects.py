"""Object spans: the shortest stretch that keeps the meaning, one per coordinated item."""

from collections.abc import Sequence
from dataclasses import dataclass

from facts.extraction.grammar.lexicon import (
    ADVERBS,
    BE,
    DETERMINERS,
    MODALS,
    OBJECT_PRONOUNS,
    OBJECT_STOPS,
    PREPOSITIONS,
    STOP_PHRASES,
    by_first_word,
)
from facts.extraction.grammar.names import read_name, span_text
from facts.extraction.text.tokens import Token
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_STOPS_BY_WORD = by_first_word(STOP_PHRASES)
_HARD = words('. ! ? ; : ( ) [ ] … " \u201c \u201d * | = -- — – < > \u2192 ->')
_QUOTES = words("' \u2018 \u2019 \" \u201c \u201d ` « »")
_CLAUSE_SUBJECTS = words("i we you he she they i'm")
_SHORT = words("st mr mrs ms dr prof")
_FILLERS = words(
    """some any few several many much all lots plenty bit little kind sort own really very just only
    about around approximately roughly nearly almost over up currently also still even basically
    both either mostly mainly quite so pretty too"""
)
_OPEN_PRONOUNS = words(
    """something anything everything nothing someone anyone everyone somebody other others other's
    you your it them"""
)
_KEPT_LEADS = words("no not never without before after under above below")
_TRAILERS = words(
    """now too again though really much more most well also either anymore today so then very
    quite     ever instead already still here there especially and or but with for in on at to
    of by as from     about than the a an my our lol haha only usually up out off over alone
    etc etc. right though everywhere     anyway regularly , & plus a.k.a soon"""
)


@dataclass(frozen=True, slots=True)
class Span:
    """An object: its words and its place in the text."""

    text: str
    start: int
    end: int


def read_objects(
    tokens: Sequence[Token],
    begin: int,
    end: int,
    dates: Sequence[tuple[int, int]],
    *,
    stops: frozenset[str] = frozenset(),
    names: bool = False,
    split: bool = True,
) -> list[Span]:
    """The objects in `tokens[begin:end]`.

    `dates` are (start, end) places of date phrases, which end an object; `stops` are further words
    that do. `names` cuts after a capitalised name where one leads; `split` separates "tea and
    coffee".
    """
    begin = _skip_dates(tokens, begin, end, dates)
    if begin + 1 < end and tokens[begin].low in _QUOTES:
        title = _title(tokens, begin + 1, end)
        if title is not None:
            return [title]
        begin += 1
    stop = _limit(tokens, begin, end, dates, stops)
    items = _items(tokens, begin, stop) if split else [(begin, stop)]
    found: list[Span] = []
    for first, last in items:
        span = _trim(tokens, first, last, names=names)
        if span is not None:
            found.append(span)
    return found


def _title(tokens: Sequence[Token], begin: int, end: int) -> Span | None:
    """A quoted title whole, up to its closing mark."""
    for index in range(begin, min(end, begin + 10)):
        if tokens[index].low in _QUOTES:
            text = span_text(tokens, begin, index).strip(" .,")
            return Span(text, tokens[begin].start, tokens[index].start) if text else None
    return None


def _skip_dates(
    tokens: Sequence[Token], begin: int, end: int, dates: Sequence[tuple[int, int]]
) -> int:
    while begin < end and (
        any(start <= tokens[begin].start < stop for start, stop in dates)
        or tokens[begin].low in {","}
    ):
        begin += 1
    return begin


def _limit(
    tokens: Sequence[Token],
    begin: int,
    end: int,
    dates: Sequence[tuple[int, int]],
    stops: frozenset[str],
) -> int:
    index = begin
    while index < end:
        token = tokens[index]
        low = token.low
        if any(start <= token.start < stop for start, stop in dates) and index > begin:
            return index
        if low == "." and index > begin and tokens[index - 1].low in _SHORT:
            index += 1
            continue
        follower = tokens[index + 1].text[:1] if index + 1 < end else ""
        if low in {"before", "after"} and index > begin and follower.isdigit():
            index += 1
            continue
        if index > begin and (low in _CLAUSE_SUBJECTS or low == "-"):
            return index
        if low == "not" and index > begin and tokens[index - 1].low == ",":
            return index - 1
        named = token.is_capitalised and index > begin and low not in stops
        ending = low in _HARD or low in stops or (low in OBJECT_STOPS and index > begin)
        if ending and not named:
            return index
        if index > begin and any(
            tuple(t.low for t in tokens[index : index + len(phrase)]) == phrase
            for phrase in _STOPS_BY_WORD.get(low, ())
        ):
            return index
        index += 1
    return end


def _items(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]]:
    """Splits at commas, "and", "or"; a comma followed by a free remark ends the list."""
    items: list[tuple[int, int]] = []
    first = begin
    index = begin
    while index < end:
        low = tokens[index].low
        if low in {",", "and", "or", "&", "plus", "/", "as"} and not tokens[index].is_capitalised:
            if low == "as" and not (
                index + 2 < end
                and tokens[index + 1].low == "well"
                and tokens[index + 2].low == "as"
            ):
                index += 1
                continue
            if (
                low == "and"
                and tokens[index].text == "&"
                and _joins_names(tokens, index, begin, end)
            ):
                index += 1
                continue
            if _is_verb_phrase(tokens, index + 1, end):
                end = index
                break
            items.append((first, index))
            index += 3 if low == "as" else 1
            while index < end and tokens[index].low in {",", "and", "or", "also", "even"}:
                index += 1
            first = index
            continue
        index += 1
    items.append((first, end))
    if len(items) > 1 and not _is_list(tokens, begin, end, items):
        return items[:1]
    return items


def _is_verb_phrase(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Reads "a metal detector and walk along the beach": a verb with its own complement."""
    if at + 1 >= end or tokens[at].is_capitalised:
        return False
    forms = {form for _, form in readings(tokens[at].low)}
    follower = tokens[at + 1].low
    return bool(forms - {"ing"}) and (follower in DETERMINERS or follower in PREPOSITIONS - {"of"})


def _joins_names(tokens: Sequence[Token], index: int, begin: int, end: int) -> bool:
    return (
        index > begin
        and index + 1 < end
        and tokens[index - 1].is_capitalised
        and tokens[index + 1].is_capitalised
    )


def _is_list(tokens: Sequence[Token], begin: int, end: int, items: list[tuple[int, int]]) -> bool:
    """A list has an "and"/"or", or is made of short items of like shape throughout."""
    if any(tokens[i].low in {"and", "or", "&", "plus"} for i in range(begin, end)):
        return all(last - first <= 6 for first, last in items)
    return all(
        0 < last - first <= 3
        and tokens[first].low not in PREPOSITIONS | OBJECT_PRONOUNS
        and not tokens[first].text[:1].isdigit()
        and len(items) > 2
        for first, last in items[1:]
    )


def _trim(tokens: Sequence[Token], begin: int, end: int, *, names: bool) -> Span | None:
    if begin + 1 == end and tokens[begin].text in {"A", "I"} and begin:
        return Span(tokens[begin].text, tokens[begin].start, tokens[begin].end)
    begin = _first_kept(tokens, begin, end)
    if names and begin < end:
        name = read_name(tokens, begin)
        if name is not None and name <= end:
            end = name
    end = _last_kept(tokens, begin, end)
    if begin >= end or tokens[begin].low in _NO_OPENING:
        return None
    text = span_text(tokens, begin, end)
    low = text.casefold()
    if low.split()[0] in _OPEN_PRONOUNS or low in OBJECT_PRONOUNS or len(text) > _LONGEST:
        return None
    if not any(map(str.isalnum, text)):
        return None
    return Span(text, tokens[begin].start, tokens[end - 1].end)


_NO_OPENING = (BE | MODALS | PREPOSITIONS) - _KEPT_LEADS
_LONGEST = 120
_DROPPED = DETERMINERS | _FILLERS | _QUOTES | {",", "of", "-"}


def _first_kept(tokens: Sequence[Token], begin: int, end: int) -> int:
    """The index after articles, possessives and fillers."""
    while begin < end:
        token = tokens[begin]
        follower = tokens[begin + 1] if begin + 1 < end else None
        if token.low not in _DROPPED and (token.low not in ADVERBS or token.low in _KEPT_LEADS):
            break
        if follower is not None and token.is_capitalised and follower.is_capitalised:
            break
        if follower is not None and token.low == "over" and follower.text[:1].isdigit():
            break
        begin += 1
    renewed = begin and tokens[begin - 1].low in DETERMINERS
    if begin + 1 < end and tokens[begin].text == "new" and renewed:
        begin += 1
    return begin


def _last_kept(tokens: Sequence[Token], begin: int, end: int) -> int:
    """The index after the last word that is no trailing adverb or mark."""
    while end > begin:
        token = tokens[end - 1]
        trailing = token.low in _TRAILERS | _QUOTES or not token.text.strip(",-*_")
        if not trailing or token.is_capitalised:
            break
        end -= 1
    return end
