"""Capitalised names: where they end, and which follow in apposition."""

from collections.abc import Sequence

from facts.extraction.grammar.lexicon import ADVERBS, BE, DETERMINERS
from facts.extraction.grammar.nouns import ANIMALS, JOBS
from facts.extraction.text.tokens import Token
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_TITLES = words("mr mrs ms dr prof mme mr. mrs. ms. dr. prof. mme. sir miss")


_NAME_LINKS = words("de von van der la le di da del dos bin al el du zu of")


_NOT_NAMES = words(
    """i the a an my our your his her their this that these those it he she they we you and or
    but if     when while where what who how why which there here yes no ok not never please
    thanks sorry     also now today tomorrow yesterday monday tuesday wednesday thursday
    friday saturday sunday mondays tuesdays wednesdays thursdays fridays     saturdays sundays
    christmas easter     january february march april may june july august september october
    november december since     because although though after before until from in on at for
    with without about as so then     just still only even some any all both each every most
    many more few one two three next last     time people everyone someone nobody nothing
    something everything anything lunch dinner     breakfast call ticket status budget
    decision deadline session update note spring summer autumn     winter good great big new
    old let lets total current would could should might will can is are     was were do does
    did have has had customer user client to by of lol haha omg ugh hi hey hello life work
    school things being always never must've could've should've would've"""
)


_NAMES_LIKE_VERBS = words(
    "mark will grant frank bill rob chase pat grace rose drew jack art hope faith ray dean"
)


def is_verb_like(tokens: Sequence[Token], at: int) -> bool:
    """Whether "'s" before `at` is "is" or "has": a verb form, an adverb or an article follows."""
    low = low_at(tokens, at)
    if low in DETERMINERS or low in {"been", "got", "in", "on", "at", "from", "allergic", "now"}:
        return True
    if low in ADVERBS and low not in {"all", "both", "long", "pretty", "only"}:
        return True
    return any(form in {"ing"} for _, form in readings(low))


def names_after(tokens: Sequence[Token], at: int) -> tuple[list[tuple[str, int, int]], int]:
    """Names in apposition from `at` on: "Mona", ", Dr. Hale,", "called Bolt", "Ada and Joan"."""
    index = at
    comma = low_at(tokens, index) in {",", "("}
    called = False
    if comma:
        index += 1
    while low_at(tokens, index) in {"called", "named"}:
        called = True
        index += 1
    first = read_name(tokens, index)
    if first is None:
        return [], at
    names = [(span_text(tokens, index, first), tokens[index].start, tokens[first - 1].end)]
    after = first
    while low_at(tokens, after) == "and" and not comma:
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
        closing = low_at(tokens, after)
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
        if low_at(tokens, after) in {",", ")"}:
            after += 1
    return names, after


def read_name(tokens: Sequence[Token], at: int) -> int | None:
    """The index after a capitalised name that begins at `at`, None when there is none."""
    index = at
    if at >= len(tokens) or not tokens[at].is_capitalised or _opens_note(tokens, at):
        return None
    while index < len(tokens) and index < at + 5:
        token = tokens[index]
        if token.low in _TITLES and token.is_capitalised:
            index += 1
            if low_at(tokens, index) == ".":
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
    """Whether a capitalised word is the verb of a clipped note ("Speaks Welsh")."""
    forms = {form for _, form in readings(tokens[at].low)}
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if at and tokens[at - 1].low not in {".", ",", "!", "-"}:
        return False
    if forms & {"third", "ing"}:
        return True
    if "base" in forms and following is not None and following.is_capitalised:
        return tokens[at].low not in _NAMES_LIKE_VERBS
    named = following is None or following.low in BE or following.low in {"'s", "and", "has"}
    return "past" in forms and "base" not in forms and not named and not is_finite(tokens, at + 1)


def is_finite(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token is a third person or past form that reads as the verb of its clause."""
    low = low_at(tokens, at)
    forms = {form for _, form in readings(low)}
    if "third" in forms or "past" in forms:
        following = low_at(tokens, at + 1)
        return low not in JOBS and low not in ANIMALS and (following not in BE)
    return False


def low_at(tokens: Sequence[Token], at: int) -> str:
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
